// The label that the model takes for second most likely, for the spans that it found. They are requested for a whole
// document when one of its spans is first selected, and are never saved.

const LONGEST = 100_000;

/** @typedef {{label: string, score: number}} Second */

/** @param {Span} span */
const keyOf = ({ start, end, label }) => `${start}-${end}-${label}`;

export class Seconds {
  /** @type {Session} */
  #session;
  /** @type {Api} */
  #api;
  /** @type {Map<number, Map<string, Second>>} */
  #found = new Map(); // id of a document → by the place and label of a span

  /**
   * @param {Session} session
   * @param {Api} api
   */
  constructor(session, api) {
    this.#session = session;
    this.#api = api;
  }

  // That of a span of the open document, or undefined if the model did not find it or has not answered yet.
  /** @param {Span} span */
  of(span) {
    const { id } = this.#session.current;
    if (!this.#found.has(id)) this.#ask(id);
    return this.#found.get(id)?.get(keyOf(span));
  }

  /** @param {number} id */
  async #ask(id) {
    const { text, spans } = this.#session.current;
    /** @type {Map<string, Second>} */
    const found = new Map();
    this.#found.set(id, found);
    if (text.length > LONGEST) return;
    try {
      const { data } = await this.#api.post("/v1/explain", { text, spans: spans.filter(({ source }) => source !== "person") });
      for (const { span, runner_up: label, runner_up_score: score } of data) if (label) found.set(keyOf(span), { label, score });
      this.#session.tell("seconds");
    } catch {
      this.#found.delete(id); // the page works without them; they are requested again with the next selection
    }
  }
}
