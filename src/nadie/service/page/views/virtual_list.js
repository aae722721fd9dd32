// A list of which only the visible rows are in the page. Rows may differ in height: those that were visible are
// measured, the others count as much as these do on average.

import { element } from "../core/dom.js";

const MARGIN = 600; // pixels above and below that are rendered as well
const WHOLE = 200; // shorter lists are rendered as a whole
const GUESS = 58;

/** @typedef {{id: number}} Item */

/** @template {Item} T */
export class VirtualList {
  #list;
  #row;
  /** @type {T[]} */
  #items = [];
  /** @type {HTMLElement[]} */
  #head = [];
  /** @type {Map<number, number>} */
  #heights = new Map();
  #above = element("li", { class: "spacer", "aria-hidden": "true" });
  #below = element("li", { class: "spacer", "aria-hidden": "true" });
  #isWaiting = false;

  /**
   * @param {HTMLElement} list
   * @param {(item: T, at: number, all: number) => HTMLElement} row
   */
  constructor(list, row) {
    this.#list = list;
    this.#row = row;
    list.addEventListener("scroll", () => this.#later(), { passive: true });
    new ResizeObserver(() => this.#later()).observe(list);
  }

  // Show these items below the rows of `head`, which are always rendered.
  /**
   * @param {T[]} items
   * @param {HTMLElement[]} head
   */
  show(items, head = []) {
    this.#items = items;
    this.#head = head;
    this.#render();
  }

  // Scroll so that the item is visible; nothing moves if it is.
  /** @param {number} id */
  reveal(id) {
    const at = this.#items.findIndex((item) => item.id === id);
    if (at < 0 || !this.#list.clientHeight) return;
    const before = this.#head.reduce((sum, row) => sum + row.offsetHeight, 0);
    const top = before + this.#top(at);
    const bottom = top + this.#height(this.#items[at]);
    const { scrollTop, clientHeight } = this.#list;
    if (top < scrollTop) this.#list.scrollTop = top - clientHeight / 3;
    else if (bottom > scrollTop + clientHeight) this.#list.scrollTop = bottom - (2 * clientHeight) / 3;
    this.#render();
    // The height of rows that were never visible is a guess: the row itself is exact.
    this.#row(this.#items[at], at, this.#items.length).scrollIntoView({ block: "nearest" });
  }

  #later() {
    if (this.#isWaiting || this.#items.length <= WHOLE) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      this.#render();
    });
  }

  #render() {
    const [from, to] = this.#window();
    const rows = this.#items.slice(from, to).map((item, at) => this.#row(item, from + at, this.#items.length));
    const wanted = [...this.#head];
    if (from > 0) wanted.push(this.#above);
    wanted.push(...rows);
    if (to < this.#items.length) wanted.push(this.#below);
    this.#above.style.setProperty("height", `${this.#top(from)}px`);
    this.#below.style.setProperty("height", `${this.#top(this.#items.length) - this.#top(to)}px`);
    // Only rows in the wrong place are moved, so that the focus stays in its row.
    const keep = new Set(wanted);
    for (const child of [...this.#list.children]) if (!keep.has(/** @type {HTMLElement} */ (child))) child.remove();
    wanted.forEach((row, at) => {
      if (this.#list.children[at] !== row) this.#list.insertBefore(row, this.#list.children[at] ?? null);
    });
    if (this.#items.length <= WHOLE) return;
    rows.forEach((row, at) => row.offsetHeight && this.#heights.set(this.#items[from + at].id, row.offsetHeight));
  }

  // The items to render: first, and one after the last.
  #window() {
    const all = this.#items.length;
    if (all <= WHOLE) return [0, all];
    const { scrollTop, clientHeight } = this.#list;
    let from = 0;
    let top = 0;
    while (from < all - 1 && top + this.#height(this.#items[from]) < scrollTop - MARGIN) top += this.#height(this.#items[from++]);
    let to = from;
    while (to < all && top < scrollTop + clientHeight + MARGIN) top += this.#height(this.#items[to++]);
    return [from, to];
  }

  /** @param {number} at */
  #top(at) {
    let sum = 0;
    for (let before = 0; before < at; before++) sum += this.#height(this.#items[before]);
    return sum;
  }

  /** @param {T} item */
  #height({ id }) {
    return this.#heights.get(id) ?? GUESS;
  }
}
