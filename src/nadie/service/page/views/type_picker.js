// A combobox of the 29 labels, by class: type to search, or one of your own (NUMERO_CAMA); arrows to choose, Enter to accept.

import { element, targetOf } from "../core/dom.js";
import { className, labelName, labelTag, t } from "../core/i18n.js";
import { CLASSES, KEY_OF, LABELS, classOf, labelsWith } from "../core/labels.js";

/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export class TypePicker {
  #input = element("input", {
    type: "text",
    role: "combobox",
    id: "type-input",
    autocomplete: "off",
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": "type-options",
  });
  #swatch = element("span", { class: "swatch", "aria-hidden": "true" });
  #list = element("div", { id: "type-options", class: "options", role: "listbox", hidden: true });
  /** @type {HTMLElement[]} */
  #options = [];
  #at = -1;
  #label = LABELS[0];
  #onPick;
  #onLeave;

  /** @param {{onPick: (label: string) => void, onLeave: () => void}} actions */
  constructor({ onPick, onLeave }) {
    this.#onPick = onPick;
    this.#onLeave = onLeave;
    this.node = element("div", { class: "picker" }, this.#input, this.#swatch, this.#list);
    this.#input.addEventListener("focus", () => this.#open());
    this.#input.addEventListener("click", () => this.#open());
    this.#input.addEventListener("input", () => this.#fill(this.#input.value));
    this.#input.addEventListener("blur", () => this.#close());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#list.addEventListener("pointerdown", (event) => {
      event.preventDefault(); // the input keeps the focus
      /** @type {HTMLElement | null} */
      const option = targetOf(event).closest(".option");
      if (option) this.#pick(option.dataset.label);
    });
  }

  get label() {
    return this.#label;
  }

  /** @param {string} label */
  set label(label) {
    this.#label = label;
    this.#swatch.className = `swatch is-${classOf(label)}`;
    if (document.activeElement !== this.#input) this.#input.value = labelName(label);
    this.#input.setAttribute("aria-label", t("type"));
    this.#list.setAttribute("aria-label", t("type"));
  }

  focus() {
    this.#input.focus();
  }

  #open() {
    if (!this.#list.hidden) return;
    this.#input.value = "";
    this.#input.placeholder = labelName(this.#label);
    this.#list.hidden = false;
    this.#input.setAttribute("aria-expanded", "true");
    this.#fill("");
  }

  #close() {
    this.#list.hidden = true;
    this.#input.setAttribute("aria-expanded", "false");
    this.#input.removeAttribute("aria-activedescendant");
    this.#input.value = labelName(this.#label);
  }

  /** @param {string} search */
  #fill(search) {
    const wanted = plain(search.trim());
    const fits = (/** @type {string} */ label) =>
      [labelName(label), labelTag(label), label].some((name) => plain(name).replaceAll("_", " ").includes(wanted));
    this.#options = [];
    const groups = Object.entries(CLASSES).map(([name, labels]) => {
      const own = name === "ID" ? labelsWith(search.trim().toUpperCase()).slice(LABELS.length) : [];
      const shown = [...labels.filter(fits), ...own].map((label) => this.#option(label));
      if (!shown.length) return null;
      const id = `group-${name}`;
      const title = element("div", { class: "options-group", id, role: "presentation" }, className(name));
      return element("div", { role: "group", "aria-labelledby": id }, title, ...shown);
    });
    const none = this.#options.length ? [] : [element("div", { class: "options-group" }, t("noType"))];
    this.#list.replaceChildren(...groups.filter((group) => group !== null), ...none);
    const current = this.#options.findIndex((option) => option.dataset.label === this.#label);
    this.#mark(wanted || current < 0 ? 0 : current);
  }

  /** @param {string} label */
  #option(label) {
    const swatch = element("span", { class: `swatch is-${classOf(label)}`, "aria-hidden": "true" });
    const option = element(
      "div",
      { class: "option", role: "option", id: `type-${label}`, "aria-selected": "false", "aria-keyshortcuts": KEY_OF[label]?.replace("⇧ ", "Shift+"), data: { label } },
      swatch,
      labelName(label),
      element("kbd", { "aria-hidden": "true" }, KEY_OF[label] ?? ""),
    );
    this.#options.push(option);
    return option;
  }

  /** @param {number} at */
  #mark(at) {
    this.#options[this.#at]?.setAttribute("aria-selected", "false");
    this.#at = this.#options.length ? (at + this.#options.length) % this.#options.length : -1;
    const option = this.#options[this.#at];
    for (const other of this.#options) other.setAttribute("aria-selected", String(other === option));
    if (!option) {
      this.#input.removeAttribute("aria-activedescendant");
      return;
    }
    this.#input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, () => any>} */
    const keys = {
      ArrowDown: () => this.#mark(this.#at + 1),
      ArrowUp: () => this.#mark(this.#at - 1),
      Enter: () => this.#options[this.#at] && this.#pick(this.#options[this.#at].dataset.label),
      Escape: () => this.#onLeave(),
    };
    if (!keys[event.key] || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (this.#list.hidden && event.key.startsWith("Arrow")) this.#open();
    else keys[event.key]();
  }

  /** @param {string | undefined} label */
  #pick(label) {
    if (!label) return;
    this.label = label;
    this.#close();
    this.#onPick(label);
  }
}
