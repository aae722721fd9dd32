// Limits the number of concurrent tasks; the others wait in order.

export class Gate {
  /** @type {number} */
  #free;
  /** @type {((value?: unknown) => void)[]} */
  #waiting = [];

  /** @param {number} width */
  constructor(width) {
    this.#free = width;
  }

  /**
   * @template T
   * @param {() => Promise<T>} work
   */
  async pass(work) {
    if (this.#free > 0) this.#free--;
    else await new Promise((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
