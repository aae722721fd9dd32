// Search in the open text: every match is shown, and the words of the current one are selected, so that a key can label
// them.

import { byId, fieldById } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { places } from "../core/search.js";
import { snapped } from "../core/words.js";

const FOUND = "found";
const MOST_SHOWN = 2000;

export class SearchBar {
  /** @type {Session} */
  #session;
  #view;
  #bar = byId("search");
  #input = fieldById("search-text");
  /** @type {[number, number][]} */
  #found = [];
  #at = -1;

  /**
   * @param {Session} session
   * @param {import("./text.js").TextView} view
   */
  constructor(session, view) {
    this.#session = session;
    this.#view = view;
    this.#input.addEventListener("input", () => this.#search());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    byId("search-next").addEventListener("click", () => this.#step(1));
    byId("search-previous").addEventListener("click", () => this.#step(-1));
    byId("search-close").addEventListener("click", () => this.close());
    session.addEventListener("document", () => this.#bar.hidden || this.#search({ isGoing: false }));
    session.addEventListener("spans", () => this.#bar.hidden || this.#show());
    session.addEventListener("search", (/** @type {any} */ { detail }) => this.open(detail.words, { isFocused: false }));
  }

  // After a search in all documents, go to the first match in this one.
  /**
   * @param {string | null} words
   * @param {{isFocused?: boolean}} options
   */
  open(words = null, { isFocused = true } = {}) {
    this.#bar.hidden = false;
    if (words !== null) this.#input.value = words;
    if (isFocused) {
      this.#input.focus();
      this.#input.select();
    }
    this.#search();
  }

  close() {
    this.#bar.hidden = true;
    this.#found = [];
    CSS.highlights?.delete(FOUND);
    this.#view.root.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Enter") this.#step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #search({ isGoing = true } = {}) {
    const { document: open } = this.#session;
    this.#found = open ? places(open.text, this.#input.value) : [];
    this.#at = -1;
    this.#show();
    if (this.#found.length && isGoing) this.#step(1);
    else this.#tell();
  }

  /** @param {number} direction */
  #step(direction) {
    if (!this.#found.length) return;
    this.#at = (this.#at + direction + this.#found.length) % this.#found.length;
    const { text, offsets, spans } = this.#session.current;
    const [from, to] = this.#found[this.#at];
    const { start, end } = snapped(text, from, to);
    const place = { start: offsets.toCodePoint(start), end: offsets.toCodePoint(end) };
    const mark = spans.find((span) => span.start <= place.start && place.end <= span.end);
    this.#session.select(mark ? { mark } : place);
    this.#tell();
  }

  #show() {
    if (!this.#session.document) return;
    const ranges = this.#found.slice(0, MOST_SHOWN).map(([from, to]) => this.#view.rangeOf(from, to));
    CSS.highlights?.set(FOUND, new Highlight(...ranges));
  }

  #tell() {
    byId("search-count").textContent = this.#input.value
      ? t("searchCount", { at: this.#at + 1, n: this.#found.length })
      : "";
  }
}
