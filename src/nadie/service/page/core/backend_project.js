// Documents of a project folder, shared with others. Changes are sent at once, in order, each based on the version
// it was made on; the service merges changes in different places and refuses those in the same place.

import { ApiError, checkReplacements } from "./api.js";
import { originals } from "./originals.js";
import { forEngine } from "./patients.js";
import { stateAfter, withChange } from "./spans.js";

const RETRY_MS = 3000;

/** @typedef {{document: number, version: number, state: State, spans: Span[]}} Done */

/** @implements {Backend} */
export class ProjectBackend extends EventTarget {
  /** @type {Api} */
  #api;
  /** @type {Map<number, Stored>} */
  #documents = new Map(); // the opened documents, as the service has them
  /** @type {Change[][]} */
  #waiting = []; // changes being sent
  #queue = Promise.resolve();
  /** @type {Map<string, number>} */
  #ids = new Map(); // the documents added here, by name
  /** @type {Map<number, number>} */
  #versions = new Map(); // the version of a document after the last change made here
  /** @type {string | null} */
  #listTag = null;
  /** @type {Entry[]} */
  #list = [];
  #threshold = 1; // with which the list was fetched

  keeps = true;
  /** @type {((waiting: Change[][]) => void) | null} */
  onWaiting = null; // told whenever the unsent changes differ

  /**
   * @param {Api} api
   * @param {{name: string, editor: string, patient_rule: string}} project
   */
  constructor(api, project) {
    super();
    this.#api = api;
    this.name = project.name;
    this.editor = project.editor;
    this.patientRule = project.patient_rule;
  }

  get busy() {
    return this.#waiting.length > 0;
  }

  /** @param {number} id */
  versionOf(id) {
    return this.#documents.get(id)?.version ?? Infinity;
  }

  /** @param {Source & {spans: Span[]}} source */
  async add({ name, text, spans, patient = "" }) {
    const { data } = await this.#api.post("/v1/project/documents", { name, text, spans, patient_field: patient });
    this.#documents.set(data.id, data);
    this.#ids.set(data.name, data.id);
    return data;
  }

  // Whether the same document is already in the list.
  /**
   * @param {string} name
   * @param {string} text
   */
  async has(name, text) {
    const id = this.#ids.get(name) ?? this.#list.find((entry) => entry.name === name)?.id;
    if (id === undefined) return false;
    try {
      return (await this.load(id)).text === text;
    } catch {
      return false; // it was deleted in the meantime
    }
  }

  /**
   * @param {number} id
   * @param {{fresh?: boolean}} options
   */
  async load(id, { fresh = false } = {}) {
    if (fresh || !this.#documents.has(id)) {
      const { data } = await this.#api.get(`/v1/project/documents/${id}`);
      if (data.version >= (this.#documents.get(id)?.version ?? 0)) this.#documents.set(id, data);
    }
    const stored = this.#stored(id);
    const state = this.#ownChanges(id).reduce(stateAfter, stored.state);
    return { ...stored, state, spans: this.#withWaiting({ document: id, spans: stored.spans }) };
  }

  /** @param {number} id */
  #stored(id) {
    const stored = this.#documents.get(id);
    if (!stored) throw new ApiError(404, { type: "not-found" });
    return stored;
  }

  // The list, which is fetched again only if something in the project changed.
  /** @param {number} threshold */
  async entries(threshold) {
    this.#threshold = threshold;
    /** @type {Record<string, string>} */
    const headers = this.#listTag ? { "If-None-Match": this.#listTag } : {};
    const list = this.#list; // another answer may replace it
    const { data, tag } = await this.#api.get(`/v1/project/documents?doubt=${threshold}`, { headers });
    this.#listTag = tag;
    this.#list = data ?? list;
    return this.#list;
  }

  /** @param {Change[]} changes */
  commit(changes) {
    this.#waiting.push(changes);
    this.onWaiting?.(this.#waiting);
    this.#tell("saving");
    this.#queue = this.#queue.then(() => this.#send(changes));
    return this.#queue;
  }

  /** @param {string} words */
  async search(words) {
    return (await this.#api.post("/v1/project/search", { words })).data;
  }

  /** @param {{words: string, label: string | null, below: number}} asked */
  async values(asked) {
    await this.#queue;
    return (await this.#api.post("/v1/project/values", asked)).data;
  }

  /**
   * @param {number} id
   * @param {{text: string, start: number | null, end: number | null}} comment
   */
  async comment(id, comment) {
    const { data } = await this.#api.post(`/v1/project/documents/${id}/comments`, comment);
    return this.#commented(id, data);
  }

  /**
   * @param {number} id
   * @param {number} comment
   */
  async removeComment(id, comment) {
    await this.#api.delete(`/v1/project/documents/${id}/comments/${comment}`);
    return this.#commented(id, this.#stored(id).comments.filter((other) => other.id !== comment));
  }

  /**
   * @param {number} id
   * @param {Remark[]} comments
   */
  #commented(id, comments) {
    this.#stored(id).comments = comments;
    return comments;
  }

  // The service refuses a replacement that would reveal an original value.
  /**
   * @param {number} id
   * @param {Place & {text: string | null}} choice
   */
  async choose(id, choice) {
    await this.#queue;
    const { start, end, text } = choice;
    if (text !== null) await checkReplacements(this.#api, await this.load(id), [{ start, end, text }]);
    const { data } = await this.#api.put(`/v1/project/documents/${id}/replacement`, choice);
    this.#documents.set(id, data);
  }

  // The documents that changed, with their state before.
  /**
   * @param {Everywhere} asked
   * @returns {Promise<Change[]>}
   */
  async everywhere(asked) {
    await this.#queue;
    const { data } = await this.#api.post("/v1/project/everywhere", asked);
    return data.map((/** @type {any} */ done) => {
      this.#take(done);
      return { document: done.document, remove: done.removed, add: done.added, before: done.state_before };
    });
  }

  /** @param {Everywhere} asked */
  async countEverywhere(asked) {
    await this.#queue;
    return (await this.#api.post("/v1/project/everywhere/count", asked)).data;
  }

  // The anonymized text of what is stored, which is what an export has.
  /**
   * @param {OpenDocument} open
   * @param {string} policy
   * @param {Entry | undefined} _
   * @param {AbortSignal} signal
   * @returns {Promise<Anonymized>}
   */
  async preview({ id }, policy, _, signal) {
    await this.#queue;
    return (await this.#api.post(`/v1/project/documents/${id}/preview`, { policy }, { signal })).data;
  }

  /**
   * @param {number} id
   * @param {State} state
   */
  async setState(id, state) {
    await this.#queue;
    const { version } = await this.load(id);
    const { data } = await this.#api.put(`/v1/project/documents/${id}/state`, { state, version });
    this.#take(data);
  }

  /**
   * @param {number} id
   * @param {boolean} flagged
   * @param {string} reason
   */
  async setFlag(id, flagged, reason = "") {
    await this.#api.put(`/v1/project/documents/${id}/flag`, { flagged, reason });
    await this.load(id, { fresh: true });
  }

  // The service has changed the state, unless it does not store the file.
  /** @param {number} id */
  async repainted(id) {
    const { state } = await this.load(id, { fresh: true });
    if (state === "reviewed") await this.setState(id, "todo");
  }

  /** @param {string} rule */
  async setPatientRule(rule) {
    await this.#queue;
    await this.#api.put("/v1/project/patients/rule", { rule });
    this.patientRule = rule;
  }

  /**
   * @param {number[]} documents
   * @param {string} patient
   */
  async setPatient(documents, patient) {
    await this.#queue;
    await this.#api.put("/v1/project/patients", { documents, patient });
  }

  /** @param {number} id */
  async remove(id) {
    await this.#queue;
    await this.#api.delete(`/v1/project/documents/${id}`);
    this.#ids.delete(this.#documents.get(id)?.name ?? "");
    this.#documents.delete(id);
  }

  // Store the file that these documents came from.
  /** @param {OpenedFile} file */
  async keepFile({ body, ids, scanned }) {
    const { name, content, patient_field } = body;
    await this.#api.post("/v1/project/files", { file: { name, content, patient_field }, documents: ids, scanned });
  }

  // The files of the documents, in their own format: those stored by the project, and those of this tab.
  /**
   * @param {number[]} ids
   * @param {ExportPlan} plan
   */
  async exportFiles(ids, { policy, names }) {
    await this.#queue;
    await this.entries(this.#threshold); // a file may have been stored since: its boxes are in the project, not here
    const entryOf = (/** @type {number} */ id) => this.#list.find((entry) => entry.id === id);
    const kept = this.#whole(ids);
    const inTab = ids.filter((id) => !entryOf(id)?.file);
    const files = await originals.requestOf(inTab, async (id) => {
      const loaded = await this.load(id);
      return { ...loaded, patient: forEngine(entryOf(id) ?? loaded) };
    });
    if (!files.length && !kept.length) throw new ApiError(0, { type: "no-whole-file" });
    const plan = { policy, numbered: names === "numbered" };
    const made = [];
    if (kept.length) made.push(await this.#api.download("/v1/project/export/original", { documents: kept, ...plan }));
    if (files.length) made.push(await this.#api.download("/v1/export/original", { files, ...plan }));
    return made;
  }

  // The documents whose file is stored and has no other documents.
  /** @param {number[]} ids */
  #whole(ids) {
    const chosen = new Set(ids);
    const cut = new Set(this.#list.filter(({ id, file }) => file && !chosen.has(id)).map(({ file }) => file));
    return this.#list.filter(({ id, file }) => file && chosen.has(id) && !cut.has(file)).map(({ id }) => id);
  }

  /**
   * @param {number[]} documents
   * @param {ExportPlan} plan
   */
  async export(documents, plan) {
    await this.#queue;
    return this.#api.download("/v1/project/export", { documents, plan });
  }

  /**
   * @param {Change[]} changes
   * @returns {Promise<void>}
   */
  async #send(changes) {
    const body = { changes: await Promise.all(changes.map((change) => this.#versioned(change))) };
    try {
      const { data } = await this.#api.post("/v1/project/changes", body, { keepalive: JSON.stringify(body).length < 60_000 });
      this.#sent();
      this.tellSaved();
      for (const done of data) {
        this.#take(done);
        if (done.merged) this.#tell("merged", { id: done.document, spans: this.#withWaiting(done) });
      }
    } catch (caught) {
      const error = /** @type {ApiError} */ (caught);
      // Temporary errors are retried: a change is given up only if the service refuses it.
      if (error.kind === "network" || [401, 429].includes(error.status) || error.status >= 500) {
        this.#tell(error.kind === "storage-full" ? "full" : error.kind === "network" ? "offline" : "waiting");
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        return this.#send(changes);
      }
      this.#sent();
      this.#tell("refused", { changes, error });
    }
  }

  // With the version on which the change was made; a state is restored only if nobody changed the document since.
  /** @param {Change} change */
  async #versioned({ document, remove, add, state }) {
    const version = (state && this.#versions.get(document)) || (await this.load(document)).version;
    return { document, version, remove, add, ...(state && { state }) };
  }

  #sent() {
    this.#waiting.shift();
    this.onWaiting?.(this.#waiting);
  }

  tellSaved() {
    this.#tell(this.busy ? "saving" : "saved");
  }

  /** @param {Done} done */
  #take({ document, version, state, spans }) {
    this.#versions.set(document, version);
    const known = this.#documents.get(document);
    if (known) Object.assign(known, { version, state, spans });
  }

  // The response, with the changes that are still being sent applied to it.
  /** @param {{document: number, spans: Span[]}} done */
  #withWaiting({ document, spans }) {
    return this.#ownChanges(document).reduce(withChange, spans);
  }

  /** @param {number} id */
  #ownChanges(id) {
    return this.#waiting.flat().filter((change) => change.document === id);
  }

  /**
   * @param {string} kind
   * @param {Record<string, any>} detail
   */
  #tell(kind, detail = {}) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
