// The signed-on user: sign-on with a token, sign-off, and locking of the page after inactivity.

import { ApiError } from "../core/api.js";
import { byId, element } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { askForToken, refuseEscape } from "./dialogs.js";
import { complain } from "./messages.js";

const SIGNS_OF_LIFE = ["keydown", "pointerdown", "pointermove", "wheel", "touchstart"];

// The signed-on user; an error if they may not use the page.
/**
 * @param {Api} api
 * @returns {Promise<Me>}
 */
export async function signOn(api) {
  /** @type {Promise<boolean> | null} */
  let asking = null; // one question, even if several requests are refused at once
  api.onUnauthorized = (problem) => {
    asking ??= signedOn(api, problem).finally(() => {
      asking = null;
    });
    return asking;
  };
  const { data: me } = await api.get("/v1/me");
  new Account(api, me);
  if (!me.permissions.includes("annotate")) throw new ApiError(403, { type: "urn:nadie:problem:no-access" });
  return me;
}

// Ask for a token until one is valid; false if the user cancels.
/**
 * @param {Api} api
 * @param {{reason?: string}} problem
 */
async function signedOn(api, problem) {
  for (;;) {
    const token = await askForToken(problem);
    if (!token) return false;
    try {
      await api.signOn(token);
      return true;
    } catch (error) {
      const { status, problem: told } = /** @type {ApiError} */ (error);
      if (status !== 401) throw error;
      problem = told;
    }
  }
}

class Account {
  #api;
  #me;
  #timer = 0;
  #isLocked = false;

  /**
   * @param {Api} api
   * @param {Me} me
   */
  constructor(api, me) {
    this.#api = api;
    this.#me = me;
    if (me.sign_on === "none") return;
    byId("language").before(element("button", { id: "logout", type: "button", class: "quiet", data: { t: "logout" }, onclick: () => this.logout() }, t("logout")));
    if (!me.idle_seconds) return;
    for (const kind of SIGNS_OF_LIFE) addEventListener(kind, () => this.#alive(), { passive: true, capture: true });
    this.#alive();
  }

  async logout() {
    if (!this.#isLocked) await this.#api.delete("/v1/project/presence").catch(() => {});
    await this.#api.signOut();
    sessionStorage.clear();
    // Load a new page, so that nothing of a document remains in this one.
    location.replace(this.#me.logout || location.pathname);
  }

  #alive() {
    if (this.#isLocked) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#lock(), this.#me.idle_seconds * 1000);
  }

  #lock() {
    if (this.#me.sign_on === "proxy" && this.#me.logout) {
      this.logout();
      return;
    }
    this.#isLocked = true;
    this.#api.lock();
    this.#api.signOut();
    document.body.classList.add("locked");
    const isToken = this.#me.sign_on === "token";
    const token = element("input", { type: "password", autocomplete: "off", required: true, autofocus: true });
    const told = element("p", { role: "alert" });
    const form = element(
      "form",
      {},
      element("p", {}, t("lockedText", { name: this.#me.name })),
      isToken ? element("label", { class: "stacked" }, t("loginToken"), token) : null,
      told,
      element(
        "div",
        { class: "end" },
        element("button", { type: "button", class: "framed", onclick: () => this.logout() }, t("logout")),
        element("button", { type: "submit", class: "primary" }, t("unlock")),
      ),
    );
    const dialog = element("dialog", { id: "lock", "aria-labelledby": "lock-title" }, element("h2", { id: "lock-title" }, t("lockedTitle")), form);
    for (const kind of ["cancel", "keydown"]) dialog.addEventListener(kind, refuseEscape);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#unlock(dialog, told, isToken ? token.value.trim() : "").catch(complain);
    });
    document.body.append(dialog);
    dialog.showModal();
  }

  // Continue if it is the same person.
  /**
   * @param {HTMLDialogElement} dialog
   * @param {HTMLElement} told
   * @param {string} token
   */
  async #unlock(dialog, told, token) {
    try {
      const { name } = await this.#api.signOn(token);
      if (name !== this.#me.name) {
        await this.#api.signOut();
        told.textContent = t("otherPerson");
        return;
      }
    } catch (error) {
      const { status, problem } = /** @type {ApiError} */ (error);
      if (status !== 401) throw error;
      told.textContent = t(problem.reason === "expired" ? "loginExpired" : "loginWrong");
      return;
    }
    this.#isLocked = false;
    this.#api.unlock();
    document.body.classList.remove("locked");
    dialog.close();
    dialog.remove();
    this.#alive();
  }
}
