// Files of this tab whose documents can be exported in their own format. A project stores them too; without one, the
// service stores nothing.

export class Originals {
  #known = new WeakMap(); // a document not yet in the list: its file and its position in it
  #files = new Map(); // by the document's id

  // The documents that were read from a file.
  opened(body, documents) {
    const file = { body, count: documents.length, ids: [] };
    documents.forEach((document, place) => {
      if (document.format) this.#known.set(document, { file, place });
    });
    return documents;
  }

  // The file with the ids of its documents, if all of them are in the list; else null.
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

  // The files whose documents are all among the chosen ones, each with its documents in order.
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
