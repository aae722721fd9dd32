// Comments on the open document, or on the selection in it.

import { byId, element, fieldById, icon, targetOf } from "../core/dom.js";
import { currentLanguage, t } from "../core/i18n.js";
import { complain } from "./messages.js";

const LONGEST_QUOTE = 60;

export class CommentsPanel {
  /** @type {Session} */
  #session;
  #list = byId("comments-list");
  #input = fieldById("comment-text");

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    for (const kind of ["document", "spans", "comments"]) session.addEventListener(kind, () => this.update());
    session.addEventListener("selection", () => this.#showPlace());
    byId("comment-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add().catch(complain);
    });
    this.#list.addEventListener("click", (event) => this.#clicked(event));
  }

  focus() {
    this.#input.focus();
  }

  update() {
    const comments = this.#session.document?.comments ?? [];
    byId("tab-comments").textContent = comments.length ? `${t("comments")} (${comments.length})` : t("comments");
    this.#list.replaceChildren(...comments.map((comment) => this.#row(comment)));
    byId("comments-none").hidden = comments.length > 0;
    this.#showPlace();
  }

  /** @param {Remark} comment */
  #row({ id, at, editor, start, end, text }) {
    const when = at ? new Date(at).toLocaleString(currentLanguage(), { dateStyle: "medium", timeStyle: "short" }) : "";
    const who = editor && editor !== "local" ? `${editor} · ${when}` : when;
    const quote =
      start === null || end === null ? null : element("button", { type: "button", class: "comment-quote", lang: "es", data: { start, end } }, `«${this.#quoted(start, end)}»`);
    const label = t("removeComment");
    const isOwn = this.#session.mayAdminister || editor === this.#session.backend.editor;
    const remove = !isOwn ? null : element("button", { type: "button", class: "tool", "aria-label": label, title: label, data: { comment: id } }, icon("i-trash"));
    return element("li", {}, element("div", { class: "comment-head" }, element("span", {}, who), remove), quote, element("p", {}, text));
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  #quoted(start, end) {
    const { text, offsets } = this.#session.current;
    const words = text.slice(offsets.toUtf16(start), offsets.toUtf16(end)).replace(/\s+/gu, " ");
    return words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE)}…` : words;
  }

  #showPlace() {
    const range = this.#session.document && this.#session.selectedRange();
    byId("comment-place").textContent = range ? t("commentOn", { words: this.#quoted(range.start, range.end) }) : t("commentOnDocument");
  }

  async #add() {
    const text = this.#input.value.trim();
    if (!text) return;
    const { start = null, end = null } = this.#session.selectedRange() ?? {};
    await this.#session.comment({ text, start, end });
    this.#input.value = "";
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    const chosen = (/** @type {string} */ selector) => /** @type {HTMLElement | null} */ (targetOf(event).closest(selector))?.dataset ?? {};
    const { start, end } = chosen(".comment-quote");
    if (start !== undefined) {
      const place = { start: Number(start), end: Number(end) };
      const mark = this.#session.current.spans.find((span) => span.start === place.start && span.end === place.end);
      this.#session.select(mark ? { mark } : place);
    }
    const { comment } = chosen("[data-comment]");
    if (comment !== undefined) this.#session.removeComment(Number(comment)).catch(complain);
  }
}
