// The toolbar above the text: doubtful marks, undo, view options, and the state of the document.

import { byId, element, icon } from "../core/dom.js";
import { labelName, percent, t } from "../core/i18n.js";
import { countDoubtful } from "../core/spans.js";

export class Toolbar {
  /** @type {import("../core/session.js").Session} */
  #session;
  #act;
  #parts = {};

  constructor(root, session, act) {
    this.#session = session;
    this.#act = act;
    this.#build(root);
    for (const kind of ["document", "spans", "suggestions", "threshold", "filter"]) session.addEventListener(kind, () => this.update());
  }

  #build(root) {
    const act = this.#act;
    const tool = (name, label, keys, work) =>
      element("button", { type: "button", class: "tool", data: { tLabel: label, keys }, onclick: work }, icon(name));
    const parts = this.#parts;
    parts.previous = tool("i-left", "previousDoubtful", "⇧D", () => act.nextDoubtful(-1));
    parts.doubt = element("button", { type: "button", class: "doubt", onclick: () => act.nextDoubtful(1) }, icon("i-doubt"), element("span"));
    parts.suggestion = element("button", { type: "button", class: "doubt suggested", onclick: () => act.nextSuggestion() }, icon("i-plus"), element("span"));
    parts.undo = tool("i-undo", "undo", "Ctrl Z", () => act.undo());
    parts.redo = tool("i-redo", "redo", "Ctrl Y", () => act.redo());
    parts.search = tool("i-search", "searchText", "/", () => act.search());
    parts.filter = element("button", { type: "button", class: "chip", onclick: () => act.clearFilter() }, element("span"), icon("i-close"));
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
    byId("document-state").replaceChildren(parts.reviewed);
  }

  #viewMenu(tool) {
    const { preferences } = this.#session;
    const value = element("output", { for: "threshold" });
    const slider = element("input", { id: "threshold", type: "range", min: "0", max: "1", step: "0.01", value: String(preferences.threshold) });
    const tags = element(
      "select",
      {},
      ...["doubt", "all", "none"].map((name) =>
        element("option", { value: name, selected: preferences.tags === name, data: { t: `tags${name[0].toUpperCase()}${name.slice(1)}` } }),
      ),
    );
    const panel = element(
      "div",
      { class: "menu-panel", id: "view-panel", hidden: true },
      element("label", {}, element("span", {}, element("span", { data: { t: "threshold" } }), " ", value), slider),
      element("label", {}, element("span", { data: { t: "tags" } }), tags),
    );
    const button = tool("i-view", "view", "", () => show(panel.hidden));
    button.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-controls", "view-panel");
    const show = (open) => {
      panel.hidden = !open;
      button.setAttribute("aria-expanded", String(open));
      value.textContent = percent(Number(slider.value));
      if (open) slider.focus();
    };
    const menu = element("div", { class: "menu" }, button, panel);
    menu.addEventListener("focusout", (event) => {
      if (!menu.contains(/** @type {Node | null} */ (event.relatedTarget))) show(false);
    });
    menu.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || panel.hidden) return;
      show(false);
      button.focus();
    });
    slider.addEventListener("input", () => {
      value.textContent = percent(Number(slider.value));
      this.#act.setThreshold(Number(slider.value));
    });
    tags.addEventListener("change", () => this.#act.setTags(tags.value));
    return menu;
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
    parts.doubt.title = `${t("nextDoubtful")} (D)`;
    const suggested = this.#session.suggestions.open.length;
    parts.suggestion.hidden = suggested === 0;
    parts.suggestion.querySelector("span").textContent = t("suggested", { n: suggested });
    parts.suggestion.title = `${t("nextSuggestion")} (,)`;
    parts.undo.disabled = !this.#session.edits.canUndo;
    parts.redo.disabled = !this.#session.edits.canRedo;
    parts.preview.setAttribute("aria-pressed", String(this.#session.preferences.preview));
    this.#showFilter();
    const reviewed = open.state === "reviewed";
    parts.reviewed.className = reviewed ? "framed" : "primary";
    parts.reviewed.querySelector("span").textContent = t(reviewed ? "markTodo" : "markReviewed");
    parts.reviewed.title = reviewed ? t("markTodo") : `${t("reviewedNext")} (Ctrl ↵)`;
  }
}
