// Files of this tab whose documents can be exported in their own format. A project stores them too; without one, the
// service stores nothing.

const WITH_PAGES = ["image", "pdf"];

export class Originals {
  /** @type {WeakMap<object, {file: OpenedFile, place: number}>} */
  #known = new WeakMap(); // a document not yet in the list: its file and its position in it
  /** @type {Map<number, {file: OpenedFile, place: number}>} */
  #files = new Map(); // by the document's id

  // The documents that were read from a file.
  /**
   * @param {Record<string, any>} body
   * @param {Source[]} documents
   */
  opened(body, documents) {
    const scanned = documents.some(({ scan, format = "" }) => scan && WITH_PAGES.includes(format));
    /** @type {OpenedFile} */
    const file = { body, count: documents.length, ids: [], scanned };
    documents.forEach((document, place) => {
      if (document.format) this.#known.set(document, { file, place });
    });
    return documents;
  }

  // The file with the ids of its documents, if all of them are in the list; else null.
  /**
   * @param {number} id
   * @param {Source} document
   */
  added(id, document) {
    const known = this.#known.get(document);
    if (!known) return null;
    this.#files.set(id, known);
    known.file.ids[known.place] = id;
    return Object.keys(known.file.ids).length === known.file.count ? known.file : null;
  }

  /** @param {number} id */
  has(id) {
    return this.#files.has(id);
  }

  // The body of the file of a document if it has scanned pages; else null.
  /** @param {number} id */
  scanOf(id) {
    const file = this.#files.get(id)?.file;
    return file?.scanned ? file.body : null;
  }

  // Whether the project stores the file of a document that was added here; the list of documents may not say so yet.
  /** @param {number} id */
  async isStored(id) {
    return (await this.#files.get(id)?.file.stored) ?? false;
  }

  // The files whose documents are all among the chosen ones, each with its documents in order.
  /**
   * @param {number[]} ids
   * @param {(id: number) => Promise<any>} load
   */
  async requestOf(ids, load) {
    /** @type {Map<OpenedFile, any[]>} */
    const chosen = new Map();
    for (const id of ids) {
      const known = this.#files.get(id);
      if (!known) continue;
      const { name, spans, replacements, patient } = await load(id);
      const documents = chosen.get(known.file) ?? [];
      documents[known.place] = { name, spans, replacements, patient };
      chosen.set(known.file, documents);
    }
    const whole = [...chosen].filter(([file, documents]) => Object.keys(documents).length === file.count);
    return whole.map(([{ body }, documents]) => ({ file: body, documents }));
  }
}

export const originals = new Originals();
