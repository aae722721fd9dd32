// The user's decisions on the open document, and where the page goes afterwards.

import { labelName, t } from "../core/i18n.js";
import { countDoubtful } from "../core/spans.js";
import { askAboutDoubts } from "./dialogs.js";
import { say } from "./messages.js";

export class Decisions {
  /** @type {Session} */
  #session;
  #view; // the text
  #inspector;
  #list;

  /**
   * @param {Session} session
   * @param {{view: import("./text.js").TextView, inspector: import("./inspector.js").Inspector, list: import("./documents.js").DocumentList}} parts
   */
  constructor(session, { view, inspector, list }) {
    this.#session = session;
    this.#view = view;
    this.#inspector = inspector;
    this.#list = list;
  }

  /** @param {string} label */
  async label(label) {
    const session = this.#session;
    const { selection } = session;
    if (!selection) return;
    const kind = selection.mark ? "saidChanged" : "saidAdded";
    getSelection()?.removeAllRanges();
    const isDone = await session.edits.label(label, this.#inspector.scope);
    if (!isDone) return this.#declined();
    this.focusText();
    say(t(kind, { type: labelName(label) }), { silent: true });
    this.#goOn(selection);
  }

  async confirm() {
    const { selection } = this.#session;
    if (selection?.suggestion) await this.label(selection.suggestion.label);
    if (!selection?.mark) return;
    if (!(await this.#session.edits.confirm(this.#inspector.scope))) return this.#declined();
    say(t("saidConfirmed"), { silent: true });
    this.#goOn({ isNext: true });
  }

  async unmark() {
    const { selection } = this.#session;
    if (selection?.suggestion) this.#session.suggestions.dismiss(selection.suggestion);
    else if (!selection?.mark) return;
    else if (!(await this.#session.edits.unmark(this.#inspector.scope))) return this.#declined();
    say(t(selection?.mark ? "saidRemoved" : "saidDismissed"), { silent: true });
    this.#view.root.focus({ preventScroll: true });
    this.#goOn(selection ?? {});
  }

  // The user did not want to change so many documents: the next decision is for this place only.
  #declined() {
    this.#inspector.setScope("here");
    this.focusText();
  }

  // After a decision on a doubtful or suggested span, go to the next one.
  /** @param {Chosen} selection */
  #goOn({ isNext, suggestion }) {
    if (!isNext) return;
    if (suggestion ? this.#toSuggestion() : this.#toDoubtful(1)) return;
    this.#session.select(null); // nothing is left to decide
    if (!suggestion) say(t("noneDoubtful"));
  }

  /** @param {number} direction */
  nextDoubtful(direction) {
    if (this.#session.document && !this.#toDoubtful(direction)) say(t("noneDoubtful"));
  }

  // After the doubtful spans come the suggestions.
  /** @param {number} direction */
  #toDoubtful(direction) {
    if (!this.#session.nextDoubtful(direction)) return this.#toSuggestion();
    this.focusText();
    return true;
  }

  /** @param {number} direction */
  nextSuggestion(direction) {
    this.#toSuggestion(direction) || say(t("noneSuggested"));
  }

  #toSuggestion(direction = 1) {
    const session = this.#session;
    if (!session.document || !session.nextSuggestion(direction)) return false;
    this.#view.root.focus({ preventScroll: true });
    const type = labelName(session.selection?.suggestion?.label ?? session.lastLabel);
    say(t("saidSuggested", { words: session.selectedText(), type }), { silent: true });
    return true;
  }

  // With `isAllRight`, doubtful spans are confirmed without asking.
  async review({ isAllRight = false } = {}) {
    const session = this.#session;
    const { id, name } = session.current;
    if (isAllRight) session.edits.confirmDoubtful();
    const doubts = countDoubtful(session.current.spans, session.threshold);
    if (doubts && !(await askAboutDoubts(doubts))) {
      this.focusText();
      return;
    }
    try {
      const went = await session.edits.review(() => this.#list.nextTodo());
      say(went === "nothing" ? t("allReviewed") : t("saidReviewed", { name }));
      if (went === "dropped") return; // the user is elsewhere by now
      if (went === "opened") this.start();
      else this.#view.root.focus({ preventScroll: true });
    } catch (error) {
      if (/** @type {ApiError} */ (error).kind === "conflict") await session.reload(id, { fresh: true });
      throw error;
    }
  }

  // Leave the document for later, and go to the next; a flag that is set is removed.
  async flag() {
    const session = this.#session;
    const { id, name, flag } = session.current;
    if (flag) {
      await session.setFlag(false);
      say(t("saidUnflagged", { name }));
      return;
    }
    const went = await session.go(async () => {
      await session.backend.setFlag(id, true);
      await session.refresh();
      return this.#list.nextTodo()?.id ?? null;
    });
    if (went === "nothing") await session.reload(id);
    say(t("saidFlagged", { name }));
    if (went === "opened") this.start();
  }

  // Begin with the open document: at its least certain span, if it is to do and nothing is selected yet.
  start() {
    const session = this.#session;
    this.#view.root.focus({ preventScroll: true });
    if (session.document?.state === "todo" && !session.selection) session.nextDoubtful();
  }

  focusText() {
    const mark = this.#session.selection?.mark;
    const [piece] = mark ? this.#view.elementsOf(mark) : [];
    (piece ?? this.#view.root).focus({ preventScroll: true });
  }
}
