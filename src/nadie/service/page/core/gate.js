// Limits the number of concurrent tasks; the others wait in order.

export class Gate {
  #free;
  #waiting = [];

  constructor(width) {
    this.#free = width;
  }

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
