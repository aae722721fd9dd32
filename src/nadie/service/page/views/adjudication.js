// Two readings of one document, and the decision for each difference: the first reading, the second, neither, or a
// third answer. Both texts scroll together, to the difference that is being decided.

import { compared, decided as finalSpans } from "../core/comparison.js";
import { element, icon, targetOf } from "../core/dom.js";
import { labelName, t } from "../core/i18n.js";
import { labelsWith } from "../core/labels.js";
import { Offsets } from "../core/offsets.js";
import { decided } from "../core/spans.js";
import { borderAfter, borderBefore } from "../core/words.js";
import { ask } from "./dialogs.js";

/**
 * @typedef {import("../core/comparison.js").Difference} Difference
 * @typedef {{reviewer: string, spans: Span[]}} Reading
 * @typedef {{name: string, text: string, version: number, copy_version: number, first: Reading, second: Reading}} Pair
 */

const AROUND = 40;
/** @type {Record<string, string>} */
const CHOICES = { 1: "first", 2: "second", 3: "other", 0: "neither" };
/** @type {Record<string, [Edge, number]>} */
const BORDERS = { h: ["start", -1], j: ["start", 1], k: ["end", -1], l: ["end", 1] };

// Whether a decision was sent.
/**
 * @param {Api} api
 * @param {number} id
 */
export async function adjudicate(api, id) {
  /** @type {{data: Pair}} */
  const { data: pair } = await api.get(`/v1/project/pairs/${id}`);
  const comparison = compared(pair.first.spans, pair.second.spans);
  const questions = comparison.differences.map((difference, at) => new Question(pair, difference, at));
  const readings = sideBySide(pair, comparison.differences);
  const holder = element("div", { class: "stack", id: "differences" }, readings, ...questions.map(({ node }) => node));
  listen(holder, readings, questions);
  const content = [
    element("p", { class: "remark" }, questions.length ? t("adjudicateKeys") : t("adjudicateSame")),
    holder,
  ];
  requestAnimationFrame(() => questions[0]?.focus());
  const chosen = await ask(t("adjudicateTitle", { name: pair.name }), content, {
    go: t("adjudicateGo"),
    wide: true,
    answer: () => questions.map((question) => question.spans),
  });
  if (!chosen) return false;
  const { version, copy_version } = pair;
  await api.put(`/v1/project/pairs/${id}`, { version, copy_version, spans: finalSpans(comparison, chosen) });
  return true;
}

// The keys of the dialog, and what follows the focus.
/**
 * @param {HTMLElement} holder
 * @param {HTMLElement} readings
 * @param {Question[]} questions
 */
function listen(holder, readings, questions) {
  const current = () => questions.findIndex(({ node }) => node.contains(document.activeElement));
  const go = (/** @type {number} */ at) => questions[Math.max(0, Math.min(questions.length - 1, at))]?.focus();
  holder.addEventListener("focusin", () => {
    const at = current();
    if (at < 0) return;
    questions.forEach(({ node }, other) => node.classList.toggle("current", other === at));
    for (const mark of readings.querySelectorAll(`[data-difference="${at}"]`)) reveal(/** @type {HTMLElement} */ (mark));
  });
  holder.addEventListener("keydown", (event) => {
    const at = current();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      holder.closest("form")?.requestSubmit();
      return;
    }
    if (at < 0 || event.ctrlKey || event.altKey || event.metaKey || targetOf(event).matches("select")) return;
    const key = event.key.toLowerCase();
    if (CHOICES[key]) {
      if (questions[at].choose(CHOICES[key]) && key !== "3") go(at + 1);
    } else if (BORDERS[key]) questions[at].move(...BORDERS[key]);
    else if (key === "n") go(at + 1);
    else if (key === "p") go(at - 1);
    else return;
    event.preventDefault();
  });
}

// Scroll the text of a reading, and not the dialog.
/** @param {HTMLElement} mark */
function reveal(mark) {
  const text = /** @type {HTMLElement} */ (mark.closest(".reading-text"));
  const box = text.getBoundingClientRect();
  text.scrollTop += mark.getBoundingClientRect().top - box.top - box.height / 3;
}

/**
 * @param {Pair} pair
 * @param {Difference[]} differences
 */
function sideBySide(pair, differences) {
  const side = (/** @type {"first" | "second"} */ which) => {
    const { reviewer, spans } = pair[which];
    const text = element(
      "div",
      { class: "reading-text", lang: "es", translate: "no", tabindex: "0", role: "group", "aria-label": t("readingOf", { name: reviewer }) },
      ...marked(pair.text, spans, differences, which),
    );
    return { node: element("section", { class: "reading" }, element("h3", {}, reviewer), text), text };
  };
  const [one, other] = [side("first"), side("second")];
  for (const [from, to] of [[one.text, other.text], [other.text, one.text]]) {
    from.addEventListener("scroll", () => {
      if (Math.abs(to.scrollTop - from.scrollTop) > 1) to.scrollTop = from.scrollTop;
    }, { passive: true });
  }
  return element("div", { class: "readings" }, one.node, other.node);
}

// The text with its spans. The place of a difference is highlighted, also where a reading has nothing.
/**
 * @param {string} text
 * @param {Span[]} spans
 * @param {Difference[]} differences
 * @param {"first" | "second"} which
 */
function marked(text, spans, differences, which) {
  const offsets = new Offsets(text);
  const cut = (/** @type {number} */ start, /** @type {number} */ end) => text.slice(offsets.toUtf16(start), offsets.toUtf16(end));
  const at = (/** @type {Place} */ { start, end }) => differences.findIndex((each) => start < each.end && each.start < end);
  /** @type {(Place & {label?: string})[]} */
  const missing = differences.filter((difference) => !difference[which].length);
  const places = [...spans, ...missing].sort((a, b) => a.start - b.start);
  const pieces = [];
  let done = 0;
  for (const place of places) {
    const difference = at(place);
    const kind = difference < 0 ? null : place.label ? "differs" : "differs missing";
    const attributes = { class: kind, title: place.label ? labelName(place.label) : t("adjudicateNothing"), data: difference < 0 ? {} : { difference } };
    pieces.push(cut(done, place.start), element("mark", attributes, cut(place.start, place.end)));
    done = place.end;
  }
  return [...pieces, cut(done, offsets.toCodePoint(text.length))];
}

// One difference and its answers.
class Question {
  #pair;
  #difference;
  #at;
  #offsets;
  /** @type {Span} */
  #other; // the third answer
  #shown = element("span", { class: "third-words", lang: "es" });
  #label;
  #third;

  /**
   * @param {Pair} pair
   * @param {Difference} difference
   * @param {number} at
   */
  constructor(pair, difference, at) {
    this.#pair = pair;
    this.#difference = difference;
    this.#at = at;
    this.#offsets = new Offsets(pair.text);
    const { start, end, first, second } = difference;
    this.#other = decided(start, end, [...first, ...second][0].label);
    this.#label = element("select", { "aria-label": t("type") }, ...labelsWith(this.#other.label).map((label) => element("option", { value: label, selected: label === this.#other.label }, labelName(label))));
    this.#label.addEventListener("change", () => {
      this.#other = decided(this.#other.start, this.#other.end, this.#label.value);
    });
    this.#third = element("div", { class: "third", hidden: true }, this.#shown, this.#borders(), this.#label);
    this.node = this.#build();
    this.node.addEventListener("change", () => this.#update());
    this.#update();
  }

  // The spans of the answer.
  get spans() {
    const { first, second } = this.#difference;
    return { first, second, other: [this.#other] }[this.#chosen()] ?? [];
  }

  focus() {
    /** @type {HTMLElement | null} */
    const radio = this.node.querySelector("input:checked") ?? this.node.querySelector("input");
    radio?.focus();
    this.node.scrollIntoView({ block: "nearest" });
  }

  // Whether the answer exists.
  /** @param {string} value */
  choose(value) {
    /** @type {HTMLInputElement | null} */
    const radio = this.node.querySelector(`input[value=${value}]`);
    if (!radio) return false;
    radio.checked = true;
    radio.focus();
    this.#update();
    return true;
  }

  // Move a border of the third answer by a word.
  /**
   * @param {Edge} edge
   * @param {number} direction
   */
  move(edge, direction) {
    if (this.#chosen() !== "other") return;
    const { start, end, label } = this.#other;
    const place = this.#offsets.toUtf16(edge === "start" ? start : end);
    const moved = this.#offsets.toCodePoint((direction > 0 ? borderAfter : borderBefore)(this.#pair.text, place, edge));
    const [low, high] = edge === "start" ? [moved, end] : [start, moved];
    if (low < high) this.#other = decided(low, high, label);
    this.#update();
  }

  #chosen() {
    return /** @type {HTMLInputElement | null} */ (this.node.querySelector("input:checked"))?.value ?? "";
  }

  #update() {
    this.#third.hidden = this.#chosen() !== "other";
    this.#shown.textContent = `«${this.#cut(this.#other.start, this.#other.end)}»`;
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #cut(from, to) {
    return this.#pair.text.slice(this.#offsets.toUtf16(Math.max(0, from)), this.#offsets.toUtf16(to));
  }

  #borders() {
    const button = (/** @type {string} */ key, /** @type {TextKey} */ text) => {
      const [edge, direction] = BORDERS[key];
      const attributes = { type: "button", class: "tool", "aria-label": t(text), title: `${t(text)} (${key.toUpperCase()})`, onclick: () => this.move(edge, direction) };
      return element("button", attributes, icon(direction < 0 ? "i-left" : "i-right"));
    };
    const group = [t("start"), button("h", "startBack"), button("j", "startForward"), t("end"), button("k", "endBack"), button("l", "endForward")];
    return element("span", { class: "borders" }, ...group);
  }

  #build() {
    const { start, end, first, second } = this.#difference;
    const told = (/** @type {Span[]} */ spans) =>
      spans.length ? spans.map((span) => `«${this.#cut(span.start, span.end)}» ${labelName(span.label)}`).join(", ") : t("adjudicateNothing");
    const choice = (/** @type {string} */ key, /** @type {string} */ text) => {
      const radio = element("input", { type: "radio", name: `difference-${this.#at}`, value: CHOICES[key], required: true });
      return element("label", {}, radio, element("kbd", { "aria-hidden": "true" }, key), element("span", {}, text));
    };
    const words = element("mark", { class: "differs" }, this.#cut(start, end));
    return element(
      "fieldset",
      { class: "difference" },
      element("legend", {}, `${this.#at + 1}. …${this.#cut(start - AROUND, start)}`, words, `${this.#cut(end, end + AROUND)}…`),
      choice("1", `${this.#pair.first.reviewer}: ${told(first)}`),
      choice("2", `${this.#pair.second.reviewer}: ${told(second)}`),
      first.length && second.length ? choice("0", t("adjudicateNeither")) : null,
      choice("3", t("adjudicateOther")),
      this.#third,
    );
  }
}
