// Requests with an owner: of each owner only the last one counts. A newer one aborts it, and its answer is dropped.

export class Latest {
  /** @type {AbortController | null} */
  #running = null;

  get isRunning() {
    return this.#running !== null;
  }

  // The answer of the work, in an object; null if it is no longer wanted. Its error is then dropped as well.
  /**
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} work
   * @returns {Promise<{value: T} | null>}
   */
  async run(work) {
    this.drop();
    const own = new AbortController();
    this.#running = own;
    try {
      const value = await work(own.signal);
      return own.signal.aborted ? null : { value };
    } catch (error) {
      if (own.signal.aborted) return null;
      throw error;
    } finally {
      if (this.#running === own) this.#running = null;
    }
  }

  // The answer is no longer wanted.
  drop() {
    this.#running?.abort();
    this.#running = null;
  }
}
