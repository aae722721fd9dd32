// Suggestions for the open document: spans that the model finds only with a bias. They are requested when a
// document that is to do is opened, and are never saved; dismissed ones do not return while the tab is open.

import { snapped } from "./words.js";

const BIAS = 2; // on development notes: five of six missed spans, two suggestions per note
const LONGEST = 100_000;

/**
 * @param {Span[]} all
 * @param {Span[]} spans
 */
const apart = (all, spans) => all.filter((one) => !spans.some((span) => span.start < one.end && one.start < span.end));

export class Suggestions {
  /** @type {Session} */
  #session;
  /** @type {Api} */
  #api;
  /** @type {Map<number, Span[]>} */
  #found = new Map(); // id of a document → spans
  #isPossible = true; // until the model turns out not to support a bias

  /**
   * @param {Session} session
   * @param {Api} api
   */
  constructor(session, api) {
    this.#session = session;
    this.#api = api;
    session.addEventListener("document", () => this.#ask());
  }

  // Those of the open document that no span overlaps, in reading order.
  get open() {
    const { document: open } = this.#session;
    return open ? apart(this.#found.get(open.id) ?? [], open.spans) : [];
  }

  // The one after the selection, or before it; wraps around at the ends.
  next(direction = 1) {
    const { open } = this;
    const { start: low, end: high } = this.#session.selectedRange() ?? { start: 0, end: 0 };
    if (direction > 0) return open.find(({ start }) => start >= high) ?? open[0];
    return open.findLast(({ end }) => end <= low) ?? open.at(-1);
  }

  /** @param {Span} near */
  dismiss(near) {
    const { id } = this.#session.current;
    this.#found.set(id, (this.#found.get(id) ?? []).filter((other) => other !== near));
    this.#session.tell("suggestions");
  }

  async #ask() {
    const { document: open } = this.#session;
    if (!open || open.state !== "todo" || open.text.length > LONGEST || !this.#isPossible || this.#found.has(open.id)) return;
    this.#found.set(open.id, []);
    try {
      const { data } = await this.#api.post("/v1/annotate", { text: open.text, bias: BIAS });
      this.#found.set(open.id, apart(data.spans.map((/** @type {Span} */ span) => wholeWords(open, span)), open.spans));
      if (this.#session.document?.id === open.id) this.#session.tell("suggestions");
    } catch (error) {
      this.#found.delete(open.id); // the page works without them; they are requested again when the document is reopened
      this.#isPossible = /** @type {ApiError} */ (error).kind !== "invalid";
    }
  }
}

/**
 * @param {OpenDocument} document
 * @param {Span} span
 */
function wholeWords({ text, offsets }, span) {
  const { start, end } = snapped(text, offsets.toUtf16(span.start), offsets.toUtf16(span.end));
  return { ...span, start: offsets.toCodePoint(start), end: offsets.toCodePoint(end) };
}
