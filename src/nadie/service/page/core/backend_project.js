// Documents of a project folder, shared with others. Changes are sent at once, in order, each on top of the version
// it was made on; the service puts changes in different places together and refuses those in the same place.

import { withChange } from "./spans.js";

const RETRY_MS = 3000;

export class ProjectBackend extends EventTarget {
  #api;
  #documents = new Map(); // those that were opened, as the service has them
  #waiting = []; // changes on their way
  #queue = Promise.resolve();
  #listTag = null;
  #list = [];

  keeps = true;

  constructor(api, project) {
    super();
    this.#api = api;
    this.name = project.name;
    this.editor = project.editor;
  }

  get busy() {
    return this.#waiting.length > 0;
  }

  versionOf(id) {
    return this.#documents.get(id)?.version ?? Infinity;
  }

  async add({ name, text, spans }) {
    const { data } = await this.#api.post("/v1/project/documents", { name, text, spans });
    this.#documents.set(data.id, data);
    return data;
  }

  async load(id, { fresh = false } = {}) {
    if (fresh || !this.#documents.has(id)) {
      const { data } = await this.#api.get(`/v1/project/documents/${id}`);
      if (data.version >= (this.#documents.get(id)?.version ?? 0)) this.#documents.set(id, data);
    }
    const stored = this.#documents.get(id);
    return { ...stored, spans: this.#withWaiting({ document: id, spans: stored.spans }) };
  }

  // The list, which comes anew only if something in the project changed.
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

  async everywhere(words, label) {
    await this.#queue;
    const { data } = await this.#api.post("/v1/project/everywhere", { words, label });
    for (const done of data) this.#take(done);
    return data.map((done) => ({ document: done.document, remove: done.removed, add: done.added }));
  }

  async setState(id, state) {
    await this.#queue;
    const { version } = await this.load(id);
    const { data } = await this.#api.put(`/v1/project/documents/${id}/state`, { state, version });
    this.#take(data);
  }

  async remove(id) {
    await this.#queue;
    await this.#api.delete(`/v1/project/documents/${id}`);
    this.#documents.delete(id);
  }

  async export(ids, plan, state) {
    await this.#queue;
    if (state !== undefined) return this.#api.download("/v1/project/export", { state, plan });
    const documents = [];
    for (const id of ids) {
      const { name, text, spans } = await this.load(id);
      documents.push({ name, text, spans });
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
      // Whatever may pass by itself is waited for: a change is given up only when the service refuses it.
      if (error.kind === "network" || [401, 429].includes(error.status) || error.status >= 500) {
        this.#tell("offline");
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

  // What came back, with the changes on top that are still on their way.
  #withWaiting({ document, spans }) {
    const own = this.#waiting.flat().filter((change) => change.document === document);
    return own.reduce(withChange, spans);
  }

  #tell(kind, detail = {}) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
