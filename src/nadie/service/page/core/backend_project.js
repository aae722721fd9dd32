// Documents of a project folder, shared with others. Changes are sent at once, in order, each based on the version
// it was made on; the service merges changes in different places and refuses those in the same place.

import { ApiError } from "./api.js";
import { originals } from "./originals.js";
import { forEngine } from "./patients.js";
import { withChange } from "./spans.js";

const RETRY_MS = 3000;

export class ProjectBackend extends EventTarget {
  #api;
  #documents = new Map(); // the opened documents, as the service has them
  #waiting = []; // changes being sent
  #queue = Promise.resolve();
  #ids = new Map(); // the documents added here, by name
  #listTag = null;
  #list = [];

  keeps = true;

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

  versionOf(id) {
    return this.#documents.get(id)?.version ?? Infinity;
  }

  async add({ name, text, spans, patient = "" }) {
    const { data } = await this.#api.post("/v1/project/documents", { name, text, spans, patient_field: patient });
    this.#documents.set(data.id, data);
    this.#ids.set(data.name, data.id);
    return data;
  }

  // Whether the same document is already in the list.
  async has(name, text) {
    const id = this.#ids.get(name) ?? this.#list.find((entry) => entry.name === name)?.id;
    if (id === undefined) return false;
    try {
      return (await this.load(id)).text === text;
    } catch {
      return false; // it was deleted in the meantime
    }
  }

  async load(id, { fresh = false } = {}) {
    if (fresh || !this.#documents.has(id)) {
      const { data } = await this.#api.get(`/v1/project/documents/${id}`);
      if (data.version >= (this.#documents.get(id)?.version ?? 0)) this.#documents.set(id, data);
    }
    const stored = this.#documents.get(id);
    const isChanging = this.#waiting.flat().some((change) => change.document === id);
    const state = isChanging ? "todo" : stored.state;
    return { ...stored, state, spans: this.#withWaiting({ document: id, spans: stored.spans }) };
  }

  // The list, which is fetched again only if something in the project changed.
  async entries(threshold) {
    const headers = this.#listTag ? { "If-None-Match": this.#listTag } : {};
    const { data, tag } = await this.#api.get(`/v1/project/documents?doubt=${threshold}`, headers);
    this.#listTag = tag;
    if (data) this.#list = data;
    return this.#list;
  }

  commit(changes) {
    this.#waiting.push(changes);
    this.#tell("saving");
    this.#queue = this.#queue.then(() => this.#send(changes));
    return this.#queue;
  }

  async search(words) {
    return (await this.#api.post("/v1/project/search", { words })).data;
  }

  async values(asked) {
    await this.#queue;
    return (await this.#api.post("/v1/project/values", asked)).data;
  }

  async comment(id, comment) {
    const { data } = await this.#api.post(`/v1/project/documents/${id}/comments`, comment);
    return this.#commented(id, data);
  }

  async removeComment(id, comment) {
    await this.#api.delete(`/v1/project/documents/${id}/comments/${comment}`);
    return this.#commented(id, this.#documents.get(id).comments.filter((other) => other.id !== comment));
  }

  #commented(id, comments) {
    this.#documents.get(id).comments = comments;
    return comments;
  }

  async choose(id, choice) {
    await this.#queue;
    const { data } = await this.#api.put(`/v1/project/documents/${id}/replacement`, choice);
    this.#documents.set(id, data);
    return data.replacements;
  }

  async everywhere(words, label, having = null) {
    await this.#queue;
    const { data } = await this.#api.post("/v1/project/everywhere", { words, label, having });
    for (const done of data) this.#take(done);
    return data.map((done) => ({ document: done.document, remove: done.removed, add: done.added }));
  }

  async setState(id, state) {
    await this.#queue;
    const { version } = await this.load(id);
    const { data } = await this.#api.put(`/v1/project/documents/${id}/state`, { state, version });
    this.#take(data);
  }

  async setPatientRule(rule) {
    await this.#queue;
    await this.#api.put("/v1/project/patients/rule", { rule });
    this.patientRule = rule;
  }

  async setPatient(documents, patient) {
    await this.#queue;
    await this.#api.put("/v1/project/patients", { documents, patient });
  }

  async remove(id) {
    await this.#queue;
    await this.#api.delete(`/v1/project/documents/${id}`);
    this.#ids.delete(this.#documents.get(id)?.name);
    this.#documents.delete(id);
  }

  // Store the file that these documents came from.
  async keepFile({ body, ids }) {
    const { name, content, patient_field } = body;
    await this.#api.post("/v1/project/files", { file: { name, content, patient_field }, documents: ids });
  }

  // The files of the documents, in their own format: those stored by the project, and those of this tab.
  async exportFiles(ids, { policy, names }) {
    await this.#queue;
    const entryOf = (id) => this.#list.find((entry) => entry.id === id);
    const kept = this.#whole(ids);
    const inTab = ids.filter((id) => !entryOf(id)?.file);
    const files = await originals.requestOf(inTab, async (id) => ({ ...(await this.load(id)), patient: forEngine(entryOf(id)) }));
    if (!files.length && !kept.length) throw new ApiError(0, { type: "no-whole-file" });
    const plan = { policy, numbered: names === "numbered" };
    const made = [];
    if (kept.length) made.push(await this.#api.download("/v1/project/export/original", { documents: kept, ...plan }));
    if (files.length) made.push(await this.#api.download("/v1/export/original", { files, ...plan }));
    return made;
  }

  // The documents whose file is stored and has no other documents.
  #whole(ids) {
    const chosen = new Set(ids);
    const cut = new Set(this.#list.filter(({ id, file }) => file && !chosen.has(id)).map(({ file }) => file));
    return this.#list.filter(({ id, file }) => file && chosen.has(id) && !cut.has(file)).map(({ id }) => id);
  }

  async export(ids, plan, state) {
    await this.#queue;
    if (state !== undefined) return this.#api.download("/v1/project/export", { state, plan });
    const documents = [];
    for (const id of ids) {
      const { name, text, spans, replacements } = await this.load(id);
      const entry = this.#list.find((candidate) => candidate.id === id);
      documents.push({ name, text, spans, replacements, patient: forEngine(entry) });
    }
    return this.#api.download("/v1/export", { documents, plan });
  }

  async #send(changes) {
    const body = { changes: await Promise.all(changes.map((change) => this.#versioned(change))) };
    try {
      const { data } = await this.#api.post("/v1/project/changes", body, { keepalive: JSON.stringify(body).length < 60_000 });
      this.#waiting.shift();
      this.tellSaved();
      for (const done of data) {
        this.#take(done);
        if (done.merged) this.#tell("merged", { id: done.document, spans: this.#withWaiting(done) });
      }
    } catch (error) {
      // Temporary errors are retried: a change is given up only if the service refuses it.
      if (error.kind === "network" || [401, 429].includes(error.status) || error.status >= 500) {
        this.#tell(error.kind === "storage-full" ? "full" : error.kind === "network" ? "offline" : "waiting");
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        return this.#send(changes);
      }
      this.#waiting.shift();
      this.#tell("refused", { changes, error });
    }
  }

  async #versioned({ document, remove, add }) {
    const { version } = await this.load(document);
    return { document, version, remove, add };
  }

  tellSaved() {
    this.#tell(this.busy ? "saving" : "saved");
  }

  #take({ document, version, state, spans }) {
    const known = this.#documents.get(document);
    if (known) Object.assign(known, { version, state, spans });
  }

  // The response, with the changes that are still being sent applied to it.
  #withWaiting({ document, spans }) {
    const own = this.#waiting.flat().filter((change) => change.document === document);
    return own.reduce(withChange, spans);
  }

  #tell(kind, detail = {}) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
