// The user's decisions on the open document, and where the page goes afterwards.

import { labelName, t } from "../core/i18n.js";
import { countDoubtful } from "../core/spans.js";
import { askAboutDoubts } from "./dialogs.js";
import { say } from "./messages.js";

export class Decisions {
  /** @type {import("../core/session.js").Session} */
  #session;
  #view; // the text
  #inspector;
  #list;

  constructor(session, { view, inspector, list }) {
    this.#session = session;
    this.#view = view;
    this.#inspector = inspector;
    this.#list = list;
  }

  async label(label) {
    const session = this.#session;
    const { selection } = session;
    if (!selection) return;
    const kind = selection.mark ? "saidChanged" : "saidAdded";
    getSelection()?.removeAllRanges();
    await session.edits.label(label, this.#inspector.scope);
    this.focusText();
    say(t(kind, { type: labelName(label) }), { silent: true });
    this.#goOn(selection);
  }

  async confirm() {
    const { selection } = this.#session;
    if (selection?.suggestion) await this.label(selection.suggestion.label);
    if (!selection?.mark) return;
    await this.#session.edits.confirm(this.#inspector.scope);
    say(t("saidConfirmed"), { silent: true });
    this.#goOn({ isNext: true });
  }

  async unmark() {
    const { selection } = this.#session;
    if (selection?.suggestion) this.#session.suggestions.dismiss(selection.suggestion);
    else if (selection?.mark) await this.#session.edits.unmark(this.#inspector.scope);
    else return;
    say(t(selection.mark ? "saidRemoved" : "saidDismissed"), { silent: true });
    this.#view.root.focus({ preventScroll: true });
    this.#goOn(selection);
  }

  // After a decision on a doubtful or suggested span, go to the next one.
  /** @param {{isNext?: boolean, suggestion?: any}} selection */
  #goOn({ isNext, suggestion }) {
    if (!isNext) return;
    if (suggestion) this.#toSuggestion() || this.#session.select(null);
    else this.nextDoubtful(1);
  }

  // After the doubtful spans come the suggestions.
  nextDoubtful(direction) {
    if (!this.#session.document) return;
    if (this.#session.nextDoubtful(direction)) this.focusText();
    else this.#toSuggestion() || say(t("noneDoubtful"));
  }

  nextSuggestion() {
    this.#toSuggestion() || say(t("noneSuggested"));
  }

  #toSuggestion() {
    const session = this.#session;
    if (!session.document || !session.nextSuggestion()) return false;
    this.#view.root.focus({ preventScroll: true });
    const type = labelName(session.selection?.suggestion?.label);
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
      const goesOn = await session.edits.review(() => this.#list.nextTodo());
      say(goesOn ? t("saidReviewed", { name }) : t("allReviewed"));
      this.#view.root.focus({ preventScroll: true });
      if (goesOn) session.nextDoubtful();
    } catch (error) {
      if (error.kind === "conflict") await session.open(id, { fresh: true });
      throw error;
    }
  }

  focusText() {
    const mark = this.#session.selection?.mark;
    const [piece] = mark ? this.#view.elementsOf(mark) : [];
    (piece ?? this.#view.root).focus({ preventScroll: true });
  }
}
