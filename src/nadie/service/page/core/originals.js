// Files of this tab whose documents can be given back in their own format. A project keeps them too; without one, the
// service keeps nothing.

export class Originals {
  #known = new WeakMap(); // a document on its way into the list: its file and its place in it
  #files = new Map(); // by the document's id

  // The documents that a file gave when it was opened.
  opened(body, documents) {
    const file = { body, count: documents.length, ids: [] };
    documents.forEach((document, place) => {
      if (document.format) this.#known.set(document, { file, place });
    });
    return documents;
  }

  // The file, once all its documents are in the list, with their ids; else null.
  added(id, document) {
    const known = this.#known.get(document);
    if (!known) return null;
    this.#files.set(id, known);
    known.file.ids[known.place] = id;
    return Object.keys(known.file.ids).length === known.file.count ? known.file : null;
  }

  has(id) {
    return this.#files.has(id);
  }

  // The files of which all documents are among the chosen ones, each with its documents in their order.
  async requestOf(ids, load) {
    const chosen = new Map();
    for (const id of ids) {
      const known = this.#files.get(id);
      if (!known) continue;
      const { name, spans, replacements, patient } = await load(id);
      if (!chosen.has(known.file)) chosen.set(known.file, []);
      chosen.get(known.file)[known.place] = { name, spans, replacements, patient };
    }
    const whole = [...chosen].filter(([file, documents]) => Object.keys(documents).length === file.count);
    return whole.map(([{ body }, documents]) => ({ file: body, documents }));
  }
}

export const originals = new Originals();
