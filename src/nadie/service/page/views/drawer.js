// The list of documents next to the text; on a small screen it covers the text, and closes with Escape, a tap outside
// it, and when a document is chosen.

import { byId } from "../core/dom.js";

const NARROW = matchMedia("(max-width: 1100px)");

export class Drawer {
  #button = byId("toggle-documents");

  /** @param {Session} session */
  constructor(session) {
    this.#button.addEventListener("click", () => this.#show(!this.#isShown));
    byId("scrim").addEventListener("click", () => this.#show(false));
    document.addEventListener("keydown", (event) => {
      const isOver = NARROW.matches && this.#isShown;
      if (event.key !== "Escape" || !isOver || document.querySelector("dialog[open]")) return;
      this.#show(false);
      this.#button.focus();
    });
    for (const kind of ["document", "chosen"]) {
      session.addEventListener(kind, () => NARROW.matches && session.document && this.#show(false));
    }
    NARROW.addEventListener("change", () => this.#show(!NARROW.matches));
    this.#show(!NARROW.matches);
  }

  get #isShown() {
    return this.#button.getAttribute("aria-expanded") === "true";
  }

  /** @param {boolean} isShown */
  #show(isShown) {
    document.querySelector(".shell")?.classList.toggle("wide", !isShown);
    this.#button.setAttribute("aria-expanded", String(isShown));
  }
}
