// Documents that live in this tab alone: for a service without a project folder, which keeps nothing.

import { marking, unmarking } from "./occurrences.js";
import { countDoubtful, withChange } from "./spans.js";

export class MemoryBackend {
  #api;
  #documents = new Map();
  #nextId = 1;

  keeps = false;

  constructor(api) {
    this.#api = api;
  }

  async add({ name, text, spans }) {
    const document = { id: this.#nextId++, name: this.#freeName(name), text, spans, state: "todo", version: 1 };
    this.#documents.set(document.id, document);
    return document;
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
    }));
  }

  async commit(changes) {
    for (const change of changes) {
      const document = this.#documents.get(change.document);
      document.spans = withChange(document.spans, change);
      document.version++;
    }
  }

  async everywhere(words, label) {
    const changes = [];
    for (const document of this.#documents.values()) {
      const { text, spans, id } = document;
      const change = label === null ? unmarking(text, spans, words) : marking(text, spans, words, label);
      if (change.remove.length || change.add.length) changes.push({ document: id, ...change });
    }
    await this.commit(changes);
    return changes;
  }

  async setState(id, state) {
    this.#documents.get(id).state = state;
  }

  async remove(id) {
    this.#documents.delete(id);
  }

  async export(ids, plan) {
    const chosen = ids.map((id) => this.#documents.get(id));
    const documents = chosen.map(({ name, text, spans }) => ({ name, text, spans }));
    return this.#api.download("/v1/export", { documents, plan });
  }

  #freeName(name) {
    const taken = new Set([...this.#documents.values()].map((document) => document.name));
    let candidate = name;
    for (let number = 2; taken.has(candidate); number++) candidate = `${name} (${number})`;
    return candidate;
  }
}
