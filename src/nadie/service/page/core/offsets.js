// The browser counts UTF-16 units, the API counts code points. They differ after every character beyond U+FFFF.

export class Offsets {
  #pairs; // the UTF-16 offset of each surrogate pair

  /** @param {string} text */
  constructor(text) {
    const pairs = [];
    for (let at = 0; at < text.length - 1; at++) {
      const unit = text.charCodeAt(at);
      if (unit >= 0xd800 && unit <= 0xdbff) {
        const next = text.charCodeAt(at + 1);
        if (next >= 0xdc00 && next <= 0xdfff) pairs.push(at++);
      }
    }
    this.#pairs = pairs;
  }

  /** @param {number} codePoint */
  toUtf16(codePoint) {
    return codePoint + this.#count((pair, before) => pair - before < codePoint);
  }

  // An offset inside a pair counts as the offset after it.
  /** @param {number} unit */
  toCodePoint(unit) {
    return unit - this.#count((pair) => pair + 2 <= unit);
  }

  // Binary search: the number of pairs that satisfy a test that is true up to some pair and false from there on.
  /** @param {(pair: number, before: number) => boolean} test */
  #count(test) {
    let low = 0;
    let high = this.#pairs.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (test(this.#pairs[middle], middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
