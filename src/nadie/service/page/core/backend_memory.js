// Documents that exist only in this tab: for a service without a project folder, which stores nothing.

import { ApiError } from "./api.js";
import { marking, unmarking } from "./occurrences.js";
import { originals } from "./originals.js";
import { forEngine, parts } from "./patients.js";
import { countDoubtful, withChange } from "./spans.js";
import { places } from "./search.js";
import { valuesOf } from "./values.js";

// The labels whose values identify the patient.
const TELLING = ["ID_SUJETO_ASISTENCIA", "ID_ASEGURAMIENTO"];

export class MemoryBackend {
  #api;
  #documents = new Map();
  #names = new Set();
  #nextId = 1;

  keeps = false;
  patientRule = "auto";

  constructor(api) {
    this.#api = api;
  }

  async add({ name, text, spans, patient: field = "" }) {
    const document = { id: this.#nextId++, name: this.#freeName(name), text, spans, state: "todo", version: 1 };
    Object.assign(document, { field, by_hand: "", patient: "", patient_source: "", comments: [], replacements: [] });
    this.#documents.set(document.id, document);
    await this.#tellPatients([document]);
    return document;
  }

  async setPatientRule(rule) {
    await this.#tellPatients([...this.#documents.values()], rule);
    this.patientRule = rule;
  }

  async setPatient(ids, patient) {
    const documents = ids.map((id) => this.#documents.get(id));
    for (const document of documents) document.by_hand = patient;
    await this.#tellPatients(documents);
  }

  async #tellPatients(documents, rule = this.patientRule) {
    for (const part of parts(documents)) {
      const asked = part.map(({ name, text, spans, field, by_hand }) => ({ name, text, spans, field, by_hand }));
      const { data } = await this.#api.post("/v1/patients", { rule, documents: asked });
      part.forEach((document, at) => Object.assign(document, { patient: data[at].patient, patient_source: data[at].source }));
    }
  }

  // Whether the same document is already in the list.
  async has(name, text) {
    return [...this.#documents.values()].some((document) => document.name === name && document.text === text);
  }

  async load(id) {
    return this.#documents.get(id);
  }

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
    }));
  }

  async commit(changes) {
    for (const change of changes) {
      const document = this.#documents.get(change.document);
      document.spans = withChange(document.spans, change);
      document.state = "todo"; // it is no longer what was reviewed
      document.version++;
    }
    const telling = changes.filter(({ remove, add }) => [...remove, ...add].some(({ label }) => TELLING.includes(label)));
    await this.#tellPatients(telling.map((change) => this.#documents.get(change.document)));
  }

  async search(words) {
    const found = [...this.#documents.values()].map(({ id, text }) => ({ document: id, count: places(text, words).length }));
    return found.filter(({ count }) => count);
  }

  async values(asked) {
    return valuesOf(this.#documents.values(), asked);
  }

  async comment(id, { text, start, end }) {
    const document = this.#documents.get(id);
    const comment = { id: this.#nextId++, at: new Date().toISOString(), editor: "", start, end, text };
    document.comments = [...document.comments, comment];
    return document.comments;
  }

  async removeComment(id, comment) {
    const document = this.#documents.get(id);
    document.comments = document.comments.filter((other) => other.id !== comment);
    return document.comments;
  }

  async choose(id, { start, end, text }) {
    const document = this.#documents.get(id);
    const others = document.replacements.filter((other) => other.start !== start || other.end !== end);
    document.replacements = text === null ? others : [...others, { start, end, text }];
    document.state = "todo";
    return document.replacements;
  }

  async everywhere(words, label, having = null) {
    const changes = [];
    for (const document of this.#documents.values()) {
      const { text, spans, id } = document;
      const change = label === null ? unmarking(text, spans, words, having) : marking(text, spans, words, label, having);
      if (change.remove.length || change.add.length) changes.push({ document: id, ...change });
    }
    await this.commit(changes);
    return changes;
  }

  async setState(id, state) {
    this.#documents.get(id).state = state;
  }

  async remove(id) {
    this.#names.delete(this.#documents.get(id).name);
    this.#documents.delete(id);
  }

  // The files of the documents, in their own format.
  async exportFiles(ids, { policy, names }) {
    const load = (id) => ({ ...this.#documents.get(id), patient: forEngine(this.#documents.get(id)) });
    const files = await originals.requestOf(ids, load);
    if (!files.length) throw new ApiError(0, { type: "no-whole-file" });
    return [await this.#api.download("/v1/export/original", { files, policy, numbered: names === "numbered" })];
  }

  async export(ids, plan) {
    const chosen = ids.map((id) => this.#documents.get(id));
    const documents = chosen.map((document) => {
      const { name, text, spans, replacements } = document;
      return { name, text, spans, replacements, patient: forEngine(document) };
    });
    return this.#api.download("/v1/export", { documents, plan });
  }

  #freeName(name) {
    let candidate = name;
    for (let number = 2; this.#names.has(candidate); number++) candidate = `${name} (${number})`;
    this.#names.add(candidate);
    return candidate;
  }
}
