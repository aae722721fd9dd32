// The anonymized text next to the original, updated live. Only the paragraphs that differ are rendered again.

import { blockBounds, isLong } from "../core/blocks.js";
import { byId, debounced, element, targetOf } from "../core/dom.js";
import { policyDescription, policyName, t } from "../core/i18n.js";
import { Latest } from "../core/latest.js";
import { Offsets } from "../core/offsets.js";
import { forEngine } from "../core/patients.js";
import { sameSpan } from "../core/spans.js";
import { complain, reasonOf, say } from "./messages.js";

const PAUSE_MS = 120;

/**
 * @typedef {Place & {index: number, kept: boolean}} Shown
 * @typedef {Place & {inside: Shown[], first: number | undefined, signature: string}} Paragraph
 */

export class Preview {
  /** @type {Session} */
  #session;
  #original;
  #root = byId("preview-text");
  #lines = element("div", { class: "lines" });
  /** @type {Paragraph[]} */
  #paragraphs = []; // the content of each, to detect changes
  #request = new Latest();
  #answer = Promise.resolve(); // settled when the last request has its response
  #isStale = false; // whether something changed since the last request
  /** @type {Anonymized | null} */
  #result = null;
  #following = false;
  /** @type {string | undefined} */
  #patient; // the patient in the last request

  /**
   * @param {Session} session
   * @param {HTMLElement} original
   */
  constructor(session, original) {
    this.#session = session;
    this.#original = original;
    this.#root.replaceChildren(this.#lines);
    const later = debounced(() => this.#isStale && this.#ask(), PAUSE_MS);
    session.addEventListener("document", () => this.#restart());
    session.addEventListener("spans", () => {
      this.#isStale = true;
      later();
    });
    session.addEventListener("documents", () => {
      if (this.#session.entry && forEngine(this.#session.entry) !== this.#patient) this.#ask();
    });
    session.addEventListener("policy", () => {
      this.fillPolicies();
      this.#ask();
    });
    session.addEventListener("selection", () => this.#showSelection());
    this.#lines.addEventListener("click", (event) => this.#clicked(event));
    original.addEventListener("scroll", () => this.#follow(), { passive: true });
    byId("copy").addEventListener("click", () => this.#copy().catch(complain));
    byId("download").addEventListener("click", () => this.#download().catch(complain));
    byId("policy").addEventListener("change", (event) => session.setPolicy(targetOf(event).value));
  }

  fillPolicies() {
    const { policies, policy: chosen } = this.#session;
    byId("policy").replaceChildren(
      ...policies.map((policy) =>
        element("option", { value: policy.name, selected: policy.name === chosen }, policyName(policy)),
      ),
    );
    const current = policies.find(({ name }) => name === chosen);
    byId("policy-description").textContent = current ? policyDescription(current) : "";
  }

  refresh() {
    this.#ask();
  }

  // The current replacement of a mark, as soon as it is known.
  /** @param {Span} mark */
  async replacementOf(mark) {
    await this.#current();
    const at = this.#result?.spans.findIndex((span) => sameSpan(span, mark)) ?? -1;
    if (!this.#result || at < 0) return "";
    const { start, end } = this.#result.replacements[at];
    return Array.from(this.#result.text).slice(start, end).join("");
  }

  #restart() {
    this.#result = null;
    this.#paragraphs = [];
    this.#lines.replaceChildren();
    this.#root.scrollTop = 0;
    this.#ask();
  }

  #ask() {
    const { document: open, policy, preferences } = this.#session;
    this.#isStale = false;
    if (!open || !policy || !preferences.preview) return;
    this.#answer = this.#answered(open, policy);
  }

  /**
   * @param {OpenDocument} open
   * @param {string} policy
   */
  async #answered(open, policy) {
    const { entry, backend } = this.#session;
    this.#patient = forEngine(entry ?? open);
    try {
      const answer = await this.#request.run((signal) => backend.preview(open, policy, entry, signal));
      if (answer && this.#session.document?.id === open.id) this.#show(answer.value);
    } catch (error) {
      this.#fail(/** @type {ApiError} */ (error));
    }
  }

  /** @param {ApiError} error */
  #fail(error) {
    this.#result = null;
    this.#paragraphs = [];
    this.#lines.replaceChildren(element("p", { class: "warning" }, t("previewFailed", { reason: reasonOf(error) })));
  }

  /** @param {Anonymized} result */
  #show(result) {
    this.#result = result;
    const offsets = new Offsets(result.text);
    const places = result.replacements.map(({ start, end, kept }, index) => ({
      index,
      kept,
      start: offsets.toUtf16(start),
      end: offsets.toUtf16(end),
    }));
    const wanted = [...paragraphsOf(result.text, places)];
    wanted.forEach((paragraph, at) => {
      const known = this.#paragraphs[at];
      if (known?.signature === paragraph.signature) {
        if (known.first !== paragraph.first) renumber(this.#lines.children[at], paragraph.first ?? 0);
      } else {
        const node = rendered(result.text, paragraph);
        if (this.#lines.children[at]) this.#lines.children[at].replaceWith(node);
        else this.#lines.append(node);
      }
    });
    while (this.#lines.children.length > wanted.length) this.#lines.lastElementChild?.remove();
    this.#lines.classList.toggle("long", isLong(result.text));
    this.#paragraphs = wanted;
    const isMarked = (/** @type {Span} */ span) => this.#session.document?.spans.some((mark) => sameSpan(mark, span));
    const completed = result.spans.filter(({ source }) => source.startsWith("complete:"));
    this.#session.tell("also", { spans: completed.filter((span) => !isMarked(span)) });
    this.#showSelection();
  }

  #showSelection() {
    for (const shown of this.#lines.querySelectorAll(".replacement.selected")) shown.classList.remove("selected");
    const mark = this.#session.selection?.mark;
    if (!mark || !this.#result) return;
    const index = this.#result.spans.findIndex((span) => sameSpan(span, mark));
    const shown = this.#lines.querySelector(`[data-index="${index}"]`);
    shown?.classList.add("selected");
    // On a small screen the page scrolls as a whole, and would leave the chosen place.
    if (getComputedStyle(this.#root).overflowY !== "visible") shown?.scrollIntoView({ block: "nearest" });
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    /** @type {HTMLElement | null} */
    const shown = targetOf(event).closest(".replacement");
    const index = shown?.dataset.index;
    if (index === undefined || !this.#result || !getSelection()?.isCollapsed) return;
    const wanted = this.#result.spans[Number(index)];
    const mark = this.#session.current.spans.find((span) => sameSpan(span, wanted));
    // A span found by the engine is not a mark yet: its words are selected, so that they can become one.
    this.#session.select(mark ? { mark } : { start: wanted.start, end: wanted.end });
  }

  // The same paragraph at the top of both texts.
  #follow() {
    if (this.#following || byId("preview").hidden) return;
    this.#following = true;
    requestAnimationFrame(() => {
      this.#following = false;
      const from = this.#original.querySelector(".lines")?.children ?? [];
      const to = this.#lines.children;
      if (!from.length || !to.length) return;
      const top = this.#original.getBoundingClientRect().top;
      const at = firstBelow(from, top);
      const rect = from[at].getBoundingClientRect();
      const passed = Math.min(1, Math.max(0, (top - rect.top) / Math.max(1, rect.height)));
      const target = to[from.length === to.length ? at : Math.floor((at / from.length) * to.length)];
      const own = target.getBoundingClientRect();
      this.#root.scrollTop += own.top + passed * own.height - this.#root.getBoundingClientRect().top;
    });
  }

  // The anonymized text of the current spans, never that before the last change.
  async #current() {
    const { id } = this.#session.current;
    this.#root.setAttribute("aria-busy", "true");
    try {
      for (let answer = null; this.#isStale || answer !== this.#answer; ) {
        if (this.#isStale) this.#ask();
        answer = this.#answer;
        await answer;
      }
    } finally {
      this.#root.removeAttribute("aria-busy");
    }
    return this.#session.document?.id === id ? (this.#result?.text ?? null) : null;
  }

  async #copy() {
    const text = await this.#current();
    if (text === null) return;
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copyTheOldWay(text);
    say(t("copied"));
  }

  async #download() {
    const text = await this.#current();
    if (text !== null) saveAs(new Blob([text], { type: "text/plain" }), "anonimizado.txt");
  }
}

/**
 * @param {string} text
 * @param {Shown[]} places
 * @returns {Generator<Paragraph>}
 */
function* paragraphsOf(text, places) {
  let first = 0;
  for (const [start, end] of blockBounds(text)) {
    while (first < places.length && places[first].end <= start) first++;
    const inside = [];
    for (let at = first; at < places.length && places[at].start < end; at++) inside.push(places[at]);
    const shape = inside.map((place) => `${place.start - start}-${place.end - start}-${place.kept}`).join();
    yield { start, end, inside, first: inside[0]?.index, signature: `${shape}|${text.slice(start, end)}` };
  }
}

/**
 * @param {string} text
 * @param {Paragraph} paragraph
 */
function rendered(text, { start, end, inside }) {
  const paragraph = element("div", { class: "paragraph" });
  let at = start;
  for (const place of inside) {
    const from = Math.max(place.start, start);
    const to = Math.min(place.end, end);
    paragraph.append(text.slice(at, from));
    paragraph.append(element("span", { class: place.kept ? "replacement kept" : "replacement", data: { index: place.index } }, text.slice(from, to)));
    at = to;
  }
  paragraph.append(text.slice(at, end));
  return paragraph;
}

/**
 * @param {Element} paragraph
 * @param {number} first
 */
function renumber(paragraph, first) {
  /** @type {NodeListOf<HTMLElement>} */
  const all = paragraph.querySelectorAll(".replacement");
  all.forEach((shown, at) => {
    shown.dataset.index = String(first + at);
  });
}

// The first of the elements, ordered from top to bottom, that ends below a line.
/**
 * @param {HTMLCollection | Element[]} elements
 * @param {number} top
 */
function firstBelow(elements, top) {
  let low = 0;
  let high = elements.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elements[middle].getBoundingClientRect().bottom > top) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Browsers deny the clipboard to a page without TLS, except on the local machine.
/** @param {string} text */
function copyTheOldWay(text) {
  const area = element("textarea", { class: "visually-hidden" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
export function saveAs(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
