// The toolbar above the text: doubtful marks, undo, view options, and the state of the document.

import { byId, element, icon } from "../core/dom.js";
import { keyOf } from "../core/commands.js";
import { labelName, percent, t } from "../core/i18n.js";
import { countDoubtful } from "../core/spans.js";

export class Toolbar {
  /** @type {Session} */
  #session;
  #act;
  /** @type {Record<string, any>} */
  #parts = {};

  /**
   * @param {HTMLElement} root
   * @param {Session} session
   * @param {Record<string, (...values: any[]) => any>} act
   */
  constructor(root, session, act) {
    this.#session = session;
    this.#act = act;
    this.#build(root);
    for (const kind of ["document", "spans", "suggestions", "threshold", "filter"]) session.addEventListener(kind, () => this.update());
  }

  /** @param {HTMLElement} root */
  #build(root) {
    const act = this.#act;
    /** @type {(name: string, label: TextKey, keys: string, work: () => void) => HTMLElement} */
    const tool = (name, label, keys, work) =>
      element("button", { type: "button", class: "tool", data: { tLabel: label, keys }, onclick: work }, icon(name));
    const parts = this.#parts;
    parts.previous = tool("i-left", "previousDoubtful", keyOf("previousDoubtful"), () => act.previousDoubtful());
    parts.doubt = element("button", { type: "button", class: "doubt", onclick: () => act.nextDoubtful() }, icon("i-doubt"), element("span"));
    parts.suggestion = element("button", { type: "button", class: "doubt suggested", onclick: () => act.nextSuggestion() }, icon("i-plus"), element("span"));
    parts.undo = tool("i-undo", "undo", keyOf("undo"), () => act.undo());
    parts.redo = tool("i-redo", "redo", keyOf("redo"), () => act.redo());
    parts.search = tool("i-search", "searchText", keyOf("search"), () => act.search());
    parts.filter = element("button", { type: "button", class: "chip", onclick: () => act.clearFilter() }, element("span"), icon("i-close"));
    parts.flag = tool("i-flag", "flag", keyOf("flag"), () => act.flag());
    parts.preview = tool("i-columns", "showPreview", "", () => act.togglePreview());
    parts.reviewed = element("button", { type: "button", class: "primary", onclick: () => act.toggleReviewed() }, icon("i-check"), element("span"));
    root.replaceChildren(
      parts.previous,
      parts.doubt,
      parts.suggestion,
      element("span", { class: "gap" }),
      parts.undo,
      parts.redo,
      parts.search,
      this.#viewMenu(tool),
      parts.preview,
      parts.filter,
    );
    byId("document-state").replaceChildren(parts.flag, parts.reviewed);
  }

  /** @param {(name: string, label: TextKey, keys: string, work: () => void) => HTMLElement} tool */
  #viewMenu(tool) {
    const { preferences } = this.#session;
    const [threshold, slider, value] = range("threshold", "threshold", { min: 0, max: 1, step: 0.01, value: preferences.threshold });
    const [size, sizer, sized] = range("size", "letterSize", { min: 0.8, max: 2, step: 0.1, value: preferences.size / 100 });
    const tags = element(
      "select",
      {},
      ...["doubt", "all", "none"].map((name) =>
        element("option", { value: name, selected: preferences.tags === name, data: { t: `tags${name[0].toUpperCase()}${name.slice(1)}` } }),
      ),
    );
    const box = (/** @type {"isFixed" | "isKept"} */ name, /** @type {TextKey} */ text) => {
      const input = element("input", { type: "checkbox", id: name, checked: preferences[name] });
      input.addEventListener("change", () => this.#act.setPreference(name, input.checked));
      return element("label", { class: "check" }, input, element("span", { data: { t: text } }));
    };
    const panel = element(
      "div",
      { class: "menu-panel", id: "view-panel", hidden: true },
      threshold,
      element("label", {}, element("span", { data: { t: "tags" } }), tags),
      size,
      box("isFixed", "fixedWidth"),
      this.#session.backend.keeps ? box("isKept", "keepUnsent") : null,
    );
    slider.addEventListener("input", () => this.#act.setThreshold(Number(slider.value)));
    sizer.addEventListener("input", () => this.#act.setPreference("size", Math.round(100 * Number(sizer.value))));
    tags.addEventListener("change", () => this.#act.setTags(tags.value));
    const show = () => [value, sized].forEach((output, at) => (output.textContent = percent(Number([slider, sizer][at].value))));
    panel.addEventListener("input", show);
    return menu(tool, panel, () => {
      show();
      slider.focus();
    });
  }

  togglePreview() {
    this.#act.togglePreview();
  }

  #showFilter() {
    const { label, isDoubtful } = this.#session.filter;
    const { filter } = this.#parts;
    filter.hidden = !label && !isDoubtful;
    const names = [label && labelName(label), isDoubtful && t("onlyDoubtful")].filter(Boolean);
    filter.querySelector("span").textContent = names.join(", ");
    filter.title = t("clearFilter");
    filter.setAttribute("aria-label", `${t("clearFilter")}: ${names.join(", ")}`);
  }

  update() {
    const { document: open, threshold } = this.#session;
    const parts = this.#parts;
    byId("document-name").textContent = open?.name ?? "";
    byId("document-name").title = open?.name ?? "";
    if (!open) return;
    const doubts = countDoubtful(open.spans, threshold);
    parts.doubt.disabled = parts.previous.disabled = doubts === 0;
    parts.doubt.querySelector("span").textContent = doubts ? `${t("nextDoubtful")} · ${doubts}` : t("noDoubts");
    parts.doubt.title = `${t("nextDoubtful")} (${keyOf("nextDoubtful")})`;
    const suggested = this.#session.suggestions.open.length;
    parts.suggestion.hidden = suggested === 0;
    parts.suggestion.querySelector("span").textContent = t("suggested", { n: suggested });
    parts.suggestion.title = `${t("nextSuggestion")} (${keyOf("nextSuggestion")})`;
    parts.undo.disabled = !this.#session.edits.canUndo;
    parts.redo.disabled = !this.#session.edits.canRedo;
    parts.flag.setAttribute("aria-pressed", String(Boolean(open.flag)));
    parts.preview.setAttribute("aria-pressed", String(this.#session.preferences.preview));
    this.#showFilter();
    const reviewed = open.state === "reviewed";
    parts.reviewed.className = reviewed ? "framed" : "primary";
    parts.reviewed.querySelector("span").textContent = t(reviewed ? "markTodo" : "markReviewed");
    parts.reviewed.title = reviewed ? t("markTodo") : `${t("reviewedNext")} (${keyOf("reviewed")})`;
  }
}

// A slider with its value: the label, the slider, and the output for the value.
/**
 * @param {string} id
 * @param {TextKey} text
 * @param {{min: number, max: number, step: number, value: number}} bounds
 * @returns {[HTMLElement, HTMLInputElement, HTMLOutputElement]}
 */
function range(id, text, { min, max, step, value }) {
  const output = element("output", { for: id });
  const slider = element("input", { id, type: "range", min, max, step, value: String(value) });
  return [element("label", {}, element("span", {}, element("span", { data: { t: text } }), " ", output), slider), slider, output];
}

// A button that opens a panel, which closes with Escape or when the focus leaves it.
/**
 * @param {(name: string, label: TextKey, keys: string, work: () => void) => HTMLElement} tool
 * @param {HTMLElement} panel
 * @param {() => void} opened
 */
function menu(tool, panel, opened) {
  const button = tool("i-view", "view", "", () => show(panel.hidden));
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-controls", panel.id);
  const show = (/** @type {boolean} */ isOpen) => {
    panel.hidden = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) opened();
  };
  const made = element("div", { class: "menu" }, button, panel);
  made.addEventListener("focusout", (event) => {
    if (!made.contains(/** @type {Node | null} */ (event.relatedTarget))) show(false);
  });
  made.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden) return;
    show(false);
    button.focus();
  });
  return made;
}
