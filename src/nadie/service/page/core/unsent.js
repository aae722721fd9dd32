// Changes that were not sent yet, stored in this browser so that they survive a crash, if the user wants that. They have
// offsets and labels, never text of a document.

const NAME = "nadie";
const STORE = "unsent";

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export class Unsent {
  #key;
  /** @type {Promise<IDBDatabase> | null} */
  #database = null;

  /** @param {string} key of the project and the user */
  constructor(key) {
    this.#key = key;
  }

  #opened() {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    return done(request);
  }

  /** @param {IDBTransactionMode} mode */
  async #store(mode) {
    this.#database ??= this.#opened();
    return (await this.#database).transaction(STORE, mode).objectStore(STORE);
  }

  // The changes of an earlier visit.
  /** @returns {Promise<Change[][]>} */
  async read() {
    return (await done((await this.#store("readonly")).get(this.#key))) ?? [];
  }

  /** @param {Change[][]} changes */
  async write(changes) {
    const store = await this.#store("readwrite");
    if (changes.length) await done(store.put(changes, this.#key));
    else await done(store.delete(this.#key));
  }
}
