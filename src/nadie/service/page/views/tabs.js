// The tabs of the pane next to the text: the anonymized text, the values of all documents, the comments.

import { byId, targetOf } from "../core/dom.js";

export class Tabs {
  #tabs = [.../** @type {NodeListOf<HTMLElement>} */ (byId("tabs").querySelectorAll("[role=tab]"))];
  /** @type {Session} */
  #session;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    byId("tabs").addEventListener("click", (event) => {
      /** @type {HTMLElement | null} */
      const tab = targetOf(event).closest("[role=tab]");
      if (tab) this.show(tab.dataset.tab);
    });
    byId("tabs").addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const at = this.#tabs.findIndex((tab) => tab.dataset.tab === session.tab);
      const next = this.#tabs[(at + step + this.#tabs.length) % this.#tabs.length];
      this.show(next.dataset.tab);
      next.focus();
    });
    this.show("preview");
  }

  /** @param {string | undefined} name */
  show(name) {
    this.#session.tab = name ?? "preview";
    for (const tab of this.#tabs) {
      const isShown = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      byId(String(tab.getAttribute("aria-controls"))).hidden = !isShown;
    }
    for (const id of ["copy", "download"]) byId(id).hidden = name !== "preview";
    this.#session.tell("tab");
  }
}
