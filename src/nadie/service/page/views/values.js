// The spans of all documents grouped by value: confirm, change or remove all occurrences at once.

import { byId, debounced, element, fieldById, icon, targetOf } from "../core/dom.js";
import { className, currentLanguage, labelName, labelTag, percent, t } from "../core/i18n.js";
import { commandOf } from "../core/commands.js";
import { Latest } from "../core/latest.js";
import { CLASSES, classOf, labelsWith } from "../core/labels.js";
import { complain } from "./messages.js";

const PAUSE_MS = 300;
/** @param {string} words */
const plain = (words) => words.toLowerCase().split(/\s+/u).join(" ");
/** @param {{words: string, label: string}} value */
const keyOf = ({ words, label }) => `${label} ${plain(words)}`;

export class ValuesPanel {
  /** @type {Session} */
  #session;
  #act;
  #list = byId("values-list");
  #label = fieldById("values-label");
  #below = fieldById("values-below");
  #words = fieldById("values-words");
  /** @type {ValueGroup[]} */
  #values = [];
  #chosen = ""; // the key of the chosen value: with the next answer it may stand elsewhere
  #shown = ""; // what the rows show: they are rendered again only if it differs
  #request = new Latest();

  /**
   * @param {Session} session
   * @param {Record<string, (...values: any[]) => any>} act
   */
  constructor(session, act) {
    this.#session = session;
    this.#act = act;
    const later = debounced(() => this.refresh(), PAUSE_MS);
    for (const kind of ["spans", "documents", "threshold"]) session.addEventListener(kind, later);
    session.addEventListener("tab", () => this.refresh());
    this.#words.addEventListener("input", later);
    for (const select of [this.#label, this.#below]) select.addEventListener("change", () => this.#filtered());
    session.addEventListener("filter", () => this.#fillFilter());
    this.#list.addEventListener("click", (event) => this.#clicked(event));
    this.#list.addEventListener("keydown", (event) => this.#key(event));
    this.#list.addEventListener("change", (event) => {
      const target = targetOf(event);
      const value = this.#chosenValue();
      if (target.matches("select") && value) this.#act.changeAll(value, target.value);
    });
  }

  translate() {
    const labels = Object.entries(CLASSES).map(([name, all]) =>
      element("optgroup", { label: className(name) }, ...all.map((label) => element("option", { value: label }, labelName(label)))),
    );
    this.#label.replaceChildren(element("option", { value: "" }, t("allLabels")), ...labels);
    this.#below.replaceChildren(element("option", { value: "" }, t("anyConfidence")), element("option", { value: "doubtful" }, t("onlyDoubtful")));
    this.#words.placeholder = t("valuesSearch");
    this.#fillFilter();
    this.refresh();
  }

  #fillFilter() {
    const { label, isDoubtful } = this.#session.filter;
    this.#label.value = label;
    this.#below.value = isDoubtful ? "doubtful" : "";
    this.refresh();
  }

  #filtered() {
    this.#session.setFilter({ label: this.#label.value, isDoubtful: this.#below.value === "doubtful" });
  }

  async refresh() {
    const { tab, filter, threshold, backend } = this.#session;
    if (tab !== "values" || this.#list.contains(document.activeElement?.closest("select") ?? null)) return;
    const asked = { words: this.#words.value, label: filter.label || null, below: filter.isDoubtful ? threshold : 1 };
    try {
      const answer = await this.#request.run(() => backend.values(asked));
      if (!answer) return;
      this.#values = answer.value;
    } catch (error) {
      complain(error);
      return;
    }
    this.#render();
  }

  // The focus stays on its value. If that is gone it is on no value, where a key decides nothing.
  #render() {
    const shown = JSON.stringify([this.#values, this.#chosen, this.#session.threshold, currentLanguage()]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    byId("values-none").hidden = this.#values.length > 0;
    const { activeElement } = document;
    /** @type {HTMLElement | null | undefined} */
    const row = this.#list.contains(activeElement) ? activeElement?.closest("li")?.querySelector(".value") : null;
    this.#list.replaceChildren(...this.#values.map((value, at) => this.#row(value, at)));
    if (row) this.#focus(String(row.dataset.key));
  }

  /**
   * @param {ValueGroup} value
   * @param {number} at
   */
  #row(value, at) {
    const key = keyOf(value);
    const isChosen = key === this.#chosen;
    const { words, label, count, documents, open, score } = value;
    const state = open ? percent(score) : "✓";
    const doubt = open && score < this.#session.threshold ? " some" : "";
    const button = element(
      "button",
      { type: "button", class: "value", "aria-expanded": String(isChosen), data: { at, key } },
      element("span", { class: `swatch is-${classOf(label)}`, "aria-hidden": "true" }),
      element("span", { class: "value-words", lang: "es" }, words.replace(/\s+/gu, " ")),
      element("span", { class: "value-label" }, labelTag(label)),
      element("span", { class: `value-count${doubt}` }, t("valueCount", { n: count, documents: t("inDocuments", { n: documents }), state })),
    );
    return element("li", {}, button, isChosen ? this.#actions(value) : null);
  }

  /** @param {ValueGroup} value */
  #actions({ label, open }) {
    /** @type {(name: string, text: TextKey, work: string) => HTMLElement} */
    const tool = (name, text, work) => element("button", { type: "button", class: "framed", data: { work } }, icon(name), t(text));
    const select = element(
      "select",
      { "aria-label": t("changeAll") },
      ...labelsWith(label).map((name) => element("option", { value: name, selected: name === label }, labelName(name))),
    );
    const confirm = tool("i-check", "confirmAll", "confirm");
    if (!open) confirm.setAttribute("disabled", "");
    return element("div", { class: "value-actions" }, confirm, select, tool("i-trash", "removeAll", "remove"), tool("i-right", "goThere", "go"));
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const chosen = (/** @type {string} */ selector) => /** @type {HTMLElement | null} */ (targetOf(event).closest(selector))?.dataset ?? {};
    const { key } = chosen(".value");
    const { work } = chosen("[data-work]");
    const value = this.#chosenValue();
    if (key !== undefined) {
      this.#chosen = this.#chosen === key ? "" : key;
      this.#render();
      this.#focus(key);
    } else if (!value) return;
    else if (work === "confirm") this.#act.changeAll(value, value.label);
    else if (work === "remove") this.#act.changeAll(value, null);
    else if (work === "go") this.#go(value).catch(complain);
  }

  #chosenValue() {
    return this.#values.find((value) => keyOf(value) === this.#chosen);
  }

  // The next span with these words and this label: in the open document, else in the first that has one.
  /** @param {ValueGroup} value */
  async #go({ words, label, document: id }) {
    const session = this.#session;
    const here = () => session.current.spans.filter((span) => span.label === label && plain(session.textOf(span)) === plain(words));
    if (!here().length && (await session.open(id)) !== "opened") return;
    const spans = here();
    const at = spans.findIndex((span) => span === session.selection?.mark);
    session.selectMark(spans[(at + 1) % spans.length] ?? null);
    this.#act.focusText();
  }

  // On a value, the keys of the text apply to all its spans.
  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {HTMLElement | null} */
    const row = targetOf(event).closest(".value");
    const isInList = row ?? targetOf(event) === this.#list;
    if (!isInList || !this.#values.length || event.ctrlKey || event.altKey || event.metaKey) return;
    const at = Number(row?.dataset.at ?? -1);
    const value = this.#values[at];
    const command = commandOf(event);
    const step = (/** @type {number} */ to) => {
      this.#chosen = keyOf(this.#values[Math.max(0, Math.min(this.#values.length - 1, to))]);
      this.#render();
      this.#focus(this.#chosen);
    };
    /** @type {Record<string, () => void>} */
    const actions = {
      lineDown: () => step(at + 1),
      lineUp: () => step(at - 1),
      unmark: () => value && this.#act.changeAll(value, null),
      confirm: () => value && this.#act.changeAll(value, value.label),
      label: () => value && this.#act.changeAll(value, command?.label ?? null),
    };
    const action = command && actions[command.name];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** @param {string} key */
  #focus(key) {
    const at = this.#values.findIndex((value) => keyOf(value) === key);
    /** @type {HTMLElement | null} */
    const row = this.#list.querySelector(`[data-at="${at}"]`);
    (row ?? this.#list).focus();
    row?.scrollIntoView({ block: "nearest" });
  }
}
