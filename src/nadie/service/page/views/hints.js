// One or two letters next to every visible mark and word: typing them selects it.

import { element } from "../core/dom.js";
import { codes } from "../core/hints.js";
import { t } from "../core/i18n.js";
import { say } from "./messages.js";

const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const TELLING = /[\p{Lu}\p{N}]/u;

export class Hints {
  /** @type {import("../core/session.js").Session} */
  #session;
  #view;
  #layer = element("div", { class: "hints", "aria-hidden": "true" });
  #targets = new Map(); // code → { start, end, mark, suggestion }
  #typed = "";
  #isExtending = false;

  constructor(session, view) {
    this.#session = session;
    this.#view = view;
    document.addEventListener("keydown", (event) => this.#key(event), { capture: true });
    view.root.addEventListener("scroll", () => this.#hide(), { passive: true });
    for (const kind of ["document", "spans"]) session.addEventListener(kind, () => this.#hide());
  }

  // With `isExtending` the selection is extended up to the place.
  show({ isExtending = false } = {}) {
    if (!this.#session.document) return;
    this.#isExtending = isExtending && Boolean(this.#session.selection);
    const targets = this.#inSight();
    const all = codes(targets.length);
    this.#targets = new Map(all.map((code, at) => [code, targets[at]]));
    this.#layer.replaceChildren(...all.map((code, at) => this.#hint(code, targets[at].box)));
    this.#view.root.append(this.#layer);
    this.#typed = "";
    say(t("hintsShown"), { silent: true });
  }

  // The shortest codes are for the most frequent corrections: doubtful marks, suggestions, other marks, words that look like names
  // or numbers, other words; in each group, for those nearest to the selection.
  #inSight() {
    const { text, offsets, spans } = this.#session.current;
    const from = offsets.toUtf16(this.#session.selectedRange()?.end ?? 0);
    const frame = this.#view.root.getBoundingClientRect();
    const bottom = Math.min(frame.bottom, innerHeight);
    const [low, high] = this.#view.inSight();
    const placed = (place, { start, end }) => ({ ...place, start: offsets.toUtf16(start), end: offsets.toUtf16(end) });
    const isNear = ({ start, end }) => start < high && low < end;
    const marks = spans.map((mark) => placed({ mark }, mark)).filter(isNear);
    const suggested = this.#session.suggestions.open.map((suggestion) => placed({ suggestion }, suggestion)).filter(isNear);
    const words = [...text.slice(low, high).matchAll(WORD)]
      .map((match) => ({ start: low + match.index, end: low + match.index + match[0].length }))
      .filter((word) => ![...marks, ...suggested].some((place) => place.start < word.end && word.start < place.end));
    const isDoubtful = ({ mark }) => mark.score < this.#session.threshold;
    const nearest = (a, b) => Math.abs(a.start - from) - Math.abs(b.start - from);
    const isTelling = ({ start, end }) => TELLING.test(text.slice(start, end));
    const [doubtful, certain] = parted(marks, isDoubtful);
    return [doubtful, suggested, certain, ...parted(words, isTelling)]
      .flatMap((places) => places.sort(nearest))
      .map((place) => ({ ...place, box: this.#view.rangeOf(place.start, place.end).getClientRects()[0] }))
      .filter(({ box }) => box && box.top >= Math.max(0, frame.top - 8) && box.bottom <= bottom + 8);
  }

  #hint(code, box) {
    const { root } = this.#view;
    const frame = root.getBoundingClientRect();
    const hint = element("kbd", { data: { code } }, code);
    hint.style.setProperty("left", `${box.left - frame.left + root.scrollLeft}px`);
    hint.style.setProperty("top", `${box.top - frame.top + root.scrollTop}px`);
    return hint;
  }

  #key(event) {
    if (!this.#layer.isConnected || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    const typed = this.#typed + event.key.toLowerCase();
    const left = [...this.#targets.keys()].filter((code) => code.startsWith(typed));
    event.preventDefault();
    event.stopPropagation();
    if (!left.length) this.#hide();
    else if (left[0] === typed) this.#go(this.#targets.get(typed));
    else {
      this.#typed = typed;
      for (const hint of this.#layer.querySelectorAll("kbd")) hint.hidden = !hint.dataset.code?.startsWith(typed);
    }
  }

  #go({ start, end, mark, suggestion }) {
    const { offsets } = this.#session.current;
    const place = { suggestion, start: offsets.toCodePoint(start), end: offsets.toCodePoint(end) };
    const range = this.#session.selectedRange();
    this.#hide();
    if (this.#isExtending && range) {
      this.#session.select({ start: Math.min(range.start, place.start), end: Math.max(range.end, place.end) });
    } else this.#session.select(mark ? { mark } : place);
    if (!this.#view.root.contains(document.activeElement)) this.#view.root.focus({ preventScroll: true });
  }

  #hide() {
    this.#layer.remove();
  }
}

const parted = (all, fits) => [all.filter(fits), all.filter((one) => !fits(one))];
