// The actions on the spans of the open document, with undo.

import { History } from "./history.js";
import { marking, unmarking } from "./occurrences.js";
import { adding, decided, doubtful, isConfirmation, joining, keyOf, moving, relabelling, removing, sameSpan, stateAfter, withChange } from "./spans.js";

/** @typedef {import("./history.js").Step} Step */
/** @typedef {import("./history.js").What} What */

export class Edits {
  /** @type {Session} */
  #session;
  #history = new History(() => this.onHistory?.(this.#history.steps));
  /** @type {{id: number, name: string} | null} */
  #justReviewed = null; // the document that was just marked as reviewed, until the next action
  /** @type {((count: {documents: number, reviewed: number}) => Promise<any>) | null} */
  askAboutMany = null; // asks whether so many documents may change
  /** @type {((steps: {done: Step[], undone: Step[]}) => void) | null} */
  onHistory = null;

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
  }

  get canUndo() {
    return Boolean(this.#justReviewed) || this.#history.canUndo(this.#session.document?.id);
  }

  get canRedo() {
    return this.#history.canRedo(this.#session.document?.id);
  }

  // The steps of an earlier visit, which can still be undone.
  /** @param {{done: Step[], undone: Step[]}} steps */
  restore(steps) {
    this.#history.restored(steps);
  }

  // Another document is opened.
  left() {
    this.#justReviewed = null;
  }

  // A document was removed or fetched again from the service.
  /** @param {number} id */
  forget(id) {
    this.#history.forget(id);
    if (this.#justReviewed?.id === id) this.#justReviewed = null;
  }

  // Mark the open document as reviewed and open the one that `next` returns, if any. It can be undone.
  /** @param {() => Entry | null} next */
  async review(next) {
    const session = this.#session;
    const { id, name } = session.current;
    const went = await session.go(async () => {
      await session.setState("reviewed", id);
      return next()?.id ?? null;
    });
    if (went !== "dropped") this.#justReviewed = { id, name };
    session.tell("spans"); // the toolbar shows what can be undone
    return went;
  }

  // Give the selected text or mark that label, here, in the document, or in all documents.
  /**
   * @param {string} label
   * @param {Scope} scope
   * @returns {Promise<boolean>} whether it was done
   */
  async label(label, scope = "here") {
    const session = this.#session;
    const range = session.selectedRange();
    if (!range) return false;
    const words = session.selectedText();
    const mark = session.selection?.mark; // while the answer is awaited, something else may be selected
    if (scope === "all" && !(await this.#mayChange({ words, label }))) return false;
    session.lastLabel = label;
    const { spans, text } = session.current;
    const own = mark ? relabelling(mark, label) : adding(spans, decided(range.start, range.end, label));
    const key = !mark ? "whatAdded" : mark.label === label ? "whatConfirmed" : "whatChanged";
    const step = this.#apply(own, { what: { key, label } });
    if (scope === "document") this.#apply(marking(text, session.current.spans, words, label), { join: step });
    if (scope === "all") await this.#everywhere({ words, label }, { join: step });
    session.selectMark(session.current.spans.find((span) => sameSpan(span, { ...range, label })) ?? null);
    return true;
  }

  /** @param {Scope} scope */
  async confirm(scope = "here") {
    const mark = this.#session.selection?.mark;
    return mark ? this.label(mark.label, scope) : false;
  }

  // Apply changes again that conflicted with somebody else's change, to the current spans.
  /** @param {Change[]} changes */
  repeat(changes) {
    for (const { document: id, remove, add } of changes) {
      if (id !== this.#session.document?.id) continue;
      const what = { key: "whatRepeated" };
      for (const span of add) this.#apply(adding(this.#session.current.spans, span), { what });
      const inTheWay = this.#session.current.spans.filter(
        (span) => !add.some((own) => sameSpan(own, span)) && remove.some((gone) => gone.start < span.end && span.start < gone.end),
      );
      if (!add.length) this.#apply({ remove: inTheWay, add: [] }, { what });
    }
  }

  /** @param {Scope} scope */
  async unmark(scope = "here") {
    const session = this.#session;
    const mark = session.selection?.mark;
    if (!mark) return false;
    const words = session.selectedText();
    if (scope === "all" && !(await this.#mayChange({ words, label: null }))) return false;
    const { text } = session.current;
    const step = this.#apply(removing(mark), { what: { key: "whatRemoved", label: mark.label } });
    if (scope === "document") this.#apply(unmarking(text, session.current.spans, words), { join: step });
    if (scope === "all") await this.#everywhere({ words, label: null }, { join: step });
    session.select({ start: mark.start, end: mark.end }); // navigation continues from there
    return true;
  }

  // Move a border of the selected mark; offsets are code points.
  /**
   * @param {number} start
   * @param {number} end
   */
  move(start, end) {
    const mark = this.#session.selection?.mark;
    if (!mark) return;
    const length = this.#session.current.offsets.toCodePoint(this.#session.current.text.length);
    const change = moving(this.#session.current.spans, mark, start, end, length);
    if (change) this.#moved(mark, change);
  }

  // Join a neighbour to the selected mark.
  /** @param {Span} other */
  join(other) {
    const mark = this.#session.selection?.mark;
    if (mark) this.#moved(mark, joining(mark, other));
  }

  /**
   * @param {Span} mark
   * @param {SpanChange} change
   */
  #moved(mark, change) {
    const what = { key: "whatMoved", label: mark.label };
    this.#apply(change, { kind: `move-${this.#session.current.id}-${mark.label}`, what });
    this.#session.select({ ...this.#session.selection, mark: change.add[0] });
  }

  // Confirm everything that is doubtful in the open document.
  confirmDoubtful() {
    const remove = doubtful(this.#session.current.spans, this.#session.threshold);
    const add = remove.map(({ start, end, label }) => decided(start, end, label));
    this.#apply({ remove, add }, { what: { key: "whatConfirmedDoubts", n: remove.length } });
  }

  // Undo the last action in the open document, or the review of the previous one.
  async undo() {
    if (this.#justReviewed) {
      const { id, name } = this.#justReviewed;
      this.#justReviewed = null;
      if ((await this.#session.open(id)) !== "opened") return;
      await this.#session.setState("todo", id);
      this.#session.tell("said", { key: "saidNotReviewed", values: { name } });
    } else this.#replay(this.#history.undo(this.#session.document?.id), "saidUndone", "nothingToUndo");
  }

  redo() {
    this.#replay(this.#history.redo(this.#session.document?.id), "saidRedone", "nothingToRedo");
  }

  // Give all spans of a value another label, in all documents; its own label confirms them, null removes them.
  /**
   * @param {{words: string, label: string}} value
   * @param {string | null} label
   */
  async changeAll({ words, label: having }, label) {
    const asked = { words, label, having };
    if (!(await this.#mayChange(asked))) return;
    const key = label === null ? "whatRemoved" : label === having ? "whatConfirmed" : "whatChanged";
    await this.#everywhere(asked, { what: { key, label: label ?? having } });
  }

  // One key may change many documents: more than the open one only with the user's consent.
  /** @param {Everywhere} asked */
  async #mayChange(asked) {
    const { id } = this.#session.current;
    const count = await this.#session.backend.countEverywhere(asked);
    const isFew = count.documents < 2 && !count.reviewed;
    const isAllowed = isFew || !this.askAboutMany || Boolean(await this.askAboutMany(count));
    return isAllowed && this.#session.document?.id === id;
  }

  // The step of the history for the change.
  /**
   * @param {SpanChange} change
   * @param {{kind?: string | null, join?: Step | null, what?: What | null}} options
   * @returns {Step | null}
   */
  #apply(change, { kind = null, join = null, what = null } = {}) {
    if (!change.remove.length && !change.add.length) return join;
    const { id, state, spans } = this.#session.current;
    const own = { document: id, before: state, ...change };
    this.#session.current.spans = withChange(spans, change);
    const step = this.#history.record([own], { kind, join, what });
    this.#commit([own]);
    return step;
  }

  /**
   * @param {Everywhere} asked
   * @param {{join?: Step | null, what?: What}} options
   */
  async #everywhere(asked, options) {
    const { id } = this.#session.current;
    const changes = await this.#session.backend.everywhere(asked);
    if (changes.length) this.#history.record(changes, options);
    await this.#session.reload(id);
    await this.#session.refresh();
    const isChange = changes.some((change) => !isConfirmation(change));
    this.#session.tell("said", { key: isChange ? "saidEverywhere" : "saidConfirmedEverywhere", values: { n: changes.length } });
  }

  /**
   * @param {{what: What | null, changes: Change[]} | null} step
   * @param {TextKey} said
   * @param {TextKey} nothing
   */
  #replay(step, said, nothing) {
    const session = this.#session;
    const here = step?.changes.find((change) => change.document === session.document?.id);
    if (!step || !here) {
      session.tell("said", { key: nothing });
      return;
    }
    const { changes, what } = step;
    session.current.spans = withChange(session.current.spans, here);
    const come = here.add.find((span) => session.current.spans.some((other) => keyOf(other) === keyOf(span)));
    session.selection = come ? { mark: come } : null;
    this.#commit(changes);
    session.tell("selection");
    const [place] = [...here.add, ...here.remove];
    const words = place ? session.textOf(place) : "";
    session.tell("said", { key: said, values: { n: changes.length }, what: what && { ...what, words } });
  }

  // The backends compute the state of a document after a change in the same way.
  /** @param {Change[]} changes */
  #commit(changes) {
    const session = this.#session;
    this.#justReviewed = null;
    const { id, state, name } = session.current;
    const here = changes.find((change) => change.document === id);
    if (here) session.current.state = stateAfter(state, here);
    if (state === "reviewed" && session.current.state === "todo") session.tell("said", { key: "saidBackToDo", values: { name } });
    session.tell("spans");
    session.recount();
    session.backend.commit(changes).then(() => session.refreshSoon());
  }
}
