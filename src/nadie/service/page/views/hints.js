// Letters next to every visible mark and word: typing them selects it.

import { element } from "../core/dom.js";
import { codes } from "../core/hints.js";
import { labelName, t } from "../core/i18n.js";
import { say } from "./messages.js";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const TELLING = /[\p{Lu}\p{N}]/u;

/** @typedef {Place & {mark?: Span, suggestion?: Span, box?: DOMRect}} Target */

export class Hints {
  /** @type {import("../core/session.js").Session} */
  #session;
  #view;
  #layer = element("div", { class: "hints", "aria-hidden": "true" });
  /** @type {Map<string, Target>} */
  #targets = new Map(); // code → { start, end, mark, suggestion }
  #typed = "";
  #isExtending = false;
  /** @type {string | null} */
  #label = null;
  #give;

  /**
   * @param {Session} session
   * @param {import("./text.js").TextView} view
   * @param {(label: string) => void} give labels the selection
   */
  constructor(session, view, give) {
    this.#session = session;
    this.#view = view;
    this.#give = give;
    document.addEventListener("keydown", (event) => this.#key(event), { capture: true });
    view.root.addEventListener("scroll", () => this.#hide(), { passive: true });
    for (const kind of ["document", "spans"]) session.addEventListener(kind, () => this.#hide());
  }

  // With `isExtending` the selection is extended up to the place; with a label the place gets it.
  /** @param {{isExtending?: boolean, label?: string | null}} options */
  show({ isExtending = false, label = null } = {}) {
    if (!this.#session.document) return;
    this.#label = label;
    this.#isExtending = isExtending && Boolean(this.#session.selection);
    const targets = this.#inSight();
    const all = codes(targets.length);
    this.#targets = new Map(all.map((code, at) => [code, targets[at]]));
    this.#layer.replaceChildren(...all.map((code, at) => this.#hint(code, targets[at].box)));
    this.#view.root.append(this.#layer);
    this.#typed = "";
    say(label ? t("hintsForLabel", { type: labelName(label) }) : t("hintsShown"), { silent: true });
  }

  // The shortest codes are for the places that no other key leads to: words that look like names or numbers and marks
  // that are not doubtful, the nearest to the selection first; then doubtful marks and suggestions; then other words.
  #inSight() {
    const { text, offsets, spans } = this.#session.current;
    const from = offsets.toUtf16(this.#session.selectedRange()?.end ?? 0);
    const frame = this.#view.root.getBoundingClientRect();
    const bottom = Math.min(frame.bottom, innerHeight);
    const [low, high] = this.#view.inSight();
    /** @type {(place: Partial<Target>, span: Span) => Target} */
    const placed = (place, { start, end }) => ({ ...place, start: offsets.toUtf16(start), end: offsets.toUtf16(end) });
    const isNear = (/** @type {Target} */ { start, end }) => start < high && low < end;
    const marks = spans.map((mark) => placed({ mark }, mark)).filter(isNear);
    const suggested = this.#session.suggestions.open.map((suggestion) => placed({ suggestion }, suggestion)).filter(isNear);
    /** @type {Target[]} */
    const words = [...text.slice(low, high).matchAll(WORD)]
      .map((match) => ({ start: low + match.index, end: low + match.index + match[0].length }))
      .filter((word) => ![...marks, ...suggested].some((place) => place.start < word.end && word.start < place.end));
    const [doubtful, certain] = parted(marks, ({ mark }) => Boolean(mark && mark.score < this.#session.threshold));
    const [telling, others] = parted(words, ({ start, end }) => TELLING.test(text.slice(start, end)));
    const nearest = (/** @type {Target} */ a, /** @type {Target} */ b) => Math.abs(a.start - from) - Math.abs(b.start - from);
    return [[...telling, ...certain], [...doubtful, ...suggested], others]
      .flatMap((places) => places.sort(nearest))
      .map((place) => ({ ...place, box: this.#view.rangeOf(place.start, place.end).getClientRects()[0] }))
      .filter(({ box }) => box && box.top >= Math.max(0, frame.top - 8) && box.bottom <= bottom + 8);
  }

  /**
   * @param {string} code
   * @param {DOMRect} box
   */
  #hint(code, box) {
    const { root } = this.#view;
    const frame = root.getBoundingClientRect();
    const hint = element("kbd", { data: { code } }, code);
    hint.style.setProperty("left", `${box.left - frame.left + root.scrollLeft}px`);
    hint.style.setProperty("top", `${box.top - frame.top + root.scrollTop}px`);
    return hint;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.#layer.isConnected || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    const typed = this.#typed + event.key.toLowerCase();
    const left = [...this.#targets.keys()].filter((code) => code.startsWith(typed));
    event.preventDefault();
    event.stopPropagation();
    if (!left.length) this.#hide();
    else if (left[0] === typed) this.#go(/** @type {Target} */ (this.#targets.get(typed)));
    else {
      this.#typed = typed;
      for (const hint of this.#layer.querySelectorAll("kbd")) hint.hidden = !hint.dataset.code?.startsWith(typed);
    }
  }

  /** @param {Target} target */
  #go({ start, end, mark, suggestion }) {
    const { offsets } = this.#session.current;
    const place = { suggestion, start: offsets.toCodePoint(start), end: offsets.toCodePoint(end) };
    const range = this.#session.selectedRange();
    this.#hide();
    if (this.#isExtending && range) {
      this.#session.select({ start: Math.min(range.start, place.start), end: Math.max(range.end, place.end) });
    } else this.#session.select(mark ? { mark } : place);
    if (!this.#view.root.contains(document.activeElement)) this.#view.root.focus({ preventScroll: true });
    if (this.#label) this.#give(this.#label);
  }

  #hide() {
    this.#layer.remove();
  }
}

/**
 * @param {Target[]} all
 * @param {(one: Target) => boolean} fits
 */
const parted = (all, fits) => [all.filter(fits), all.filter((one) => !fits(one))];
