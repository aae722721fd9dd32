// Documents that exist only in this tab: for a service without a project folder, which stores nothing.

import { ApiError, checkReplacements } from "./api.js";
import { marking, unmarking } from "./occurrences.js";
import { originals } from "./originals.js";
import { forEngine, parts } from "./patients.js";
import { countDoubtful, isConfirmation, stateAfter, withChange } from "./spans.js";
import { places } from "./search.js";
import { valuesOf } from "./values.js";

// The labels whose values identify the patient.
const TELLING = ["ID_SUJETO_ASISTENCIA", "ID_ASEGURAMIENTO"];

/** @implements {Backend} */
export class MemoryBackend extends EventTarget {
  /** @type {Api} */
  #api;
  /** @type {Map<number, Stored>} */
  #documents = new Map();
  #names = new Set();
  #nextId = 1;

  keeps = false;
  busy = false;
  name = "";
  editor = "local";
  patientRule = "auto";

  /** @param {Api} api */
  constructor(api) {
    super();
    this.#api = api;
  }

  /** @param {number} id */
  #get(id) {
    const found = this.#documents.get(id);
    if (!found) throw new ApiError(404, { type: "not-found" });
    return found;
  }

  /** @param {Source & {spans: Span[]}} source */
  async add({ name, text, spans, patient: field = "" }) {
    /** @type {Stored} */
    const document = {
      id: this.#nextId++,
      name: this.#freeName(name),
      text,
      spans,
      state: "todo",
      version: 1,
      field,
      by_hand: "",
      patient: "",
      patient_source: "",
      comments: [],
      replacements: [],
      flag: null,
    };
    this.#documents.set(document.id, document);
    await this.#tellPatients([document]);
    return document;
  }

  /** @param {string} rule */
  async setPatientRule(rule) {
    await this.#tellPatients([...this.#documents.values()], rule);
    this.patientRule = rule;
  }

  /**
   * @param {number[]} ids
   * @param {string} patient
   */
  async setPatient(ids, patient) {
    const documents = ids.map((id) => this.#get(id));
    for (const document of documents) document.by_hand = patient;
    await this.#tellPatients(documents);
  }

  /**
   * @param {Stored[]} documents
   * @param {string} rule
   */
  async #tellPatients(documents, rule = this.patientRule) {
    for (const part of parts(documents)) {
      const asked = part.map(({ name, text, spans, field, by_hand }) => ({ name, text, spans, field, by_hand }));
      const { data } = await this.#api.post("/v1/patients", { rule, documents: asked });
      part.forEach((document, at) => Object.assign(document, { patient: data[at].patient, patient_source: data[at].source }));
    }
  }

  // Whether the same document is already in the list.
  /**
   * @param {string} name
   * @param {string} text
   */
  async has(name, text) {
    return [...this.#documents.values()].some((document) => document.name === name && document.text === text);
  }

  /** @param {number} id */
  async load(id) {
    return this.#get(id);
  }

  /** @param {number} threshold */
  async entries(threshold) {
    return [...this.#documents.values()].map((document) => ({
      id: document.id,
      name: document.name,
      state: document.state,
      version: document.version,
      spans: document.spans.length,
      doubtful: countDoubtful(document.spans, threshold),
      patient: document.patient,
      patient_source: document.patient_source,
      comments: document.comments.length,
      flagged: Boolean(document.flag),
    }));
  }

  /** @param {Change[]} changes */
  async commit(changes) {
    for (const change of changes) {
      const document = this.#get(change.document);
      document.spans = withChange(document.spans, change);
      document.state = stateAfter(document.state, change);
      document.version++;
    }
    const telling = changes.filter(({ remove, add }) => [...remove, ...add].some(({ label }) => TELLING.includes(label)));
    await this.#tellPatients(telling.map((change) => this.#get(change.document)));
  }

  /** @param {string} words */
  async search(words) {
    const found = [...this.#documents.values()].map(({ id, text }) => ({ document: id, count: places(text, words).length }));
    return found.filter(({ count }) => count);
  }

  /** @param {{words: string, label: string | null, below: number}} asked */
  async values(asked) {
    return valuesOf(this.#documents.values(), asked);
  }

  /**
   * @param {number} id
   * @param {{text: string, start: number | null, end: number | null}} comment
   */
  async comment(id, { text, start, end }) {
    const document = this.#get(id);
    const comment = { id: this.#nextId++, at: new Date().toISOString(), editor: "", start, end, text };
    document.comments = [...document.comments, comment];
    return document.comments;
  }

  /**
   * @param {number} id
   * @param {number} comment
   */
  async removeComment(id, comment) {
    const document = this.#get(id);
    document.comments = document.comments.filter((other) => other.id !== comment);
    return document.comments;
  }

  // The service refuses a replacement that would reveal an original value.
  /**
   * @param {number} id
   * @param {Place & {text: string | null}} choice
   */
  async choose(id, { start, end, text }) {
    const document = this.#get(id);
    const others = document.replacements.filter((other) => other.start !== start || other.end !== end);
    const replacements = text === null ? others : [...others, { start, end, text }];
    await checkReplacements(this.#api, document, replacements);
    document.replacements = replacements;
    document.state = "todo";
  }

  /**
   * @param {number} id
   * @param {boolean} flagged
   * @param {string} reason
   */
  async setFlag(id, flagged, reason = "") {
    this.#get(id).flag = flagged ? { reason, editor: "", at: new Date().toISOString() } : null;
  }

  /** @param {number} id */
  async repainted(id) {
    this.#get(id).state = "todo";
  }

  async keepFile() {}

  versionOf() {
    return Infinity;
  }

  tellSaved() {}

  /** @param {Everywhere} asked */
  async everywhere(asked) {
    const changes = this.#found(asked);
    await this.commit(changes);
    return changes;
  }

  /** @param {Everywhere} asked */
  async countEverywhere(asked) {
    const changes = this.#found(asked);
    const reviewed = changes.filter((change) => change.before === "reviewed" && !isConfirmation(change));
    return { documents: changes.length, reviewed: reviewed.length };
  }

  // The changes of all documents in which the words are.
  /** @param {Everywhere} asked */
  #found({ words, label, having = null }) {
    /** @type {Change[]} */
    const changes = [];
    for (const { id, text, spans, state } of this.#documents.values()) {
      const change = label === null ? unmarking(text, spans, words, having) : marking(text, spans, words, label, having);
      if (change.remove.length || change.add.length) changes.push({ document: id, before: state, ...change });
    }
    return changes;
  }

  /**
   * @param {OpenDocument} open
   * @param {string} policy
   * @param {Entry | undefined} entry
   * @param {AbortSignal} signal
   * @returns {Promise<Anonymized>}
   */
  async preview({ name, text, spans, replacements, ...open }, policy, entry, signal) {
    const patient = forEngine(entry ?? { name, ...open });
    const body = { id: name, text, spans, policy, patient, replacements };
    return (await this.#api.post("/v1/anonymize", body, { signal })).data;
  }

  /**
   * @param {number} id
   * @param {State} state
   */
  async setState(id, state) {
    this.#get(id).state = state;
  }

  /** @param {number} id */
  async remove(id) {
    this.#names.delete(this.#get(id).name);
    this.#documents.delete(id);
  }

  // The files of the documents, in their own format.
  /**
   * @param {number[]} ids
   * @param {ExportPlan} plan
   */
  async exportFiles(ids, { policy, names }) {
    const load = async (/** @type {number} */ id) => ({ ...this.#get(id), patient: forEngine(this.#get(id)) });
    const files = await originals.requestOf(ids, load);
    if (!files.length) throw new ApiError(0, { type: "no-whole-file" });
    return [await this.#api.download("/v1/export/original", { files, policy, numbered: names === "numbered" })];
  }

  /**
   * @param {number[]} ids
   * @param {ExportPlan} plan
   */
  async export(ids, plan) {
    const chosen = ids.map((id) => this.#get(id));
    const documents = chosen.map((document) => {
      const { name, text, spans, replacements } = document;
      return { name, text, spans, replacements, patient: forEngine(document) };
    });
    return this.#api.download("/v1/export", { documents, plan });
  }

  /** @param {string} name */
  #freeName(name) {
    let candidate = name;
    for (let number = 2; this.#names.has(candidate); number++) candidate = `${name} (${number})`;
    this.#names.add(candidate);
    return candidate;
  }
}
