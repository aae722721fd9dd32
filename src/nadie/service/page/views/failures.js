// Files that could not be opened: each with its reason, and actions for all of them at once.

import { element, icon } from "../core/dom.js";
import { currentLanguage, t } from "../core/i18n.js";
import { reasonOf } from "./messages.js";

const MOST_SHOWN = 50;

/** @typedef {import("./files.js").Item} Item */

export class Failures {
  #intake;
  /** @type {Map<Item, {node: HTMLElement, language: string}>} */
  #rows = new Map(); // item → { node, language }
  #all = { shown: "", node: element("li", { class: "failure all" }) }; // the actions for all

  /** @param {import("./files.js").Intake} intake */
  constructor(intake) {
    this.#intake = intake;
  }

  // The list items to show.
  rows() {
    const { failed } = this.#intake;
    for (const item of this.#rows.keys()) if (!failed.includes(item)) this.#rows.delete(item);
    const rows = failed.slice(0, MOST_SHOWN).map((item) => this.#row(item));
    return failed.length > 1 ? [this.#summary(failed), ...rows] : rows;
  }

  /** @param {Item[]} failed */
  #summary(failed) {
    const unreadable = () => this.#intake.failed.filter((item) => item.unreadable);
    const n = unreadable().length;
    const shown = `${failed.length} ${n} ${currentLanguage()}`;
    if (this.#all.shown === shown) return this.#all.node;
    this.#all.shown = shown;
    const latin = button(t("openAllAsLatin1", { n }), () => this.#intake.retryAll(unreadable(), { encoding: "windows-1252" }));
    this.#all.node.replaceChildren(
      element("p", {}, t("failedFiles", { n: failed.length })),
      ...(n > 1 ? [latin] : []),
      button(t("retryAll"), () => this.#intake.retryAll(this.#intake.failed)),
      button(t("dismissAll"), () => this.#intake.dismissAll(this.#intake.failed)),
    );
    return this.#all.node;
  }

  /** @param {Item} item */
  #row(item) {
    const known = this.#rows.get(item);
    if (known?.language === currentLanguage()) return known.node;
    const isThere = item.error.kind === "already-there";
    const node = element(
      "li",
      {},
      element(
        "div",
        { class: "entry" },
        element("span", { class: "entry-state failed", "aria-hidden": "true" }, icon("i-alert")),
        element("span", { class: "entry-name", title: item.name }, item.name),
        element("span", { class: "entry-counts" }, t(isThere ? "alreadyThere" : "failed")),
      ),
      element(
        "div",
        { class: "failure" },
        element("p", {}, reasonOf(item.error)),
        item.unreadable ? button(t("openAsLatin1"), () => this.#intake.retry(item, { encoding: "windows-1252" })) : null,
        item.isText ? button(t("openAsText"), () => this.#intake.retry(item, { as_text: true })) : null,
        button(t(isThere ? "addAnyway" : "retry"), () => this.#intake.retry(item)),
        button(t("dismiss"), () => this.#intake.dismiss(item)),
      ),
    );
    this.#rows.set(item, { node, language: currentLanguage() });
    return node;
  }
}

/**
 * @param {string} text
 * @param {() => void} work
 */
const button = (text, work) => element("button", { type: "button", onclick: work }, text);
