// The actions on the spans of the open document, with undo.

import { History } from "./history.js";
import { marking, unmarking } from "./occurrences.js";
import { adding, decided, doubtful, joining, keyOf, moving, relabelling, removing, sameSpan, withChange } from "./spans.js";

export class Edits {
  /** @type {import("./session.js").Session} */
  #session;
  #history = new History();
  /** @type {{id: number, name: string} | null} */
  #justReviewed = null; // the document that was just marked as reviewed, until the next action

  constructor(session) {
    this.#session = session;
  }

  get canUndo() {
    return Boolean(this.#justReviewed) || this.#history.canUndo(this.#session.document?.id);
  }

  get canRedo() {
    return this.#history.canRedo(this.#session.document?.id);
  }

  // Another document is opened.
  left() {
    this.#justReviewed = null;
  }

  // A document was removed or fetched again from the service.
  forget(id) {
    this.#history.forget(id);
    if (this.#justReviewed?.id === id) this.#justReviewed = null;
  }

  // Mark the open document as reviewed and open the one that `next` returns, if any. It can be undone.
  async review(next) {
    const { id, name } = this.#session.current;
    await this.#session.setState("reviewed");
    const following = next();
    if (following) await this.#session.open(following.id);
    this.#justReviewed = { id, name };
    this.#session.tell("spans"); // the toolbar shows what can be undone
    return Boolean(following);
  }

  // Give the selected text or mark that label, here, in the document, or in all documents.
  async label(label, scope = "here") {
    const range = this.#session.selectedRange();
    if (!range) return;
    this.#session.lastLabel = label;
    const { spans, text } = this.#session.current;
    const mark = this.#session.selection?.mark;
    const own = mark ? relabelling(mark, label) : adding(spans, decided(range.start, range.end, label));
    const words = this.#session.selectedText();
    const what = { key: !mark ? "whatAdded" : mark.label === label ? "whatConfirmed" : "whatChanged", words, label };
    const step = this.#apply(own, { what });
    if (scope === "document") this.#apply(marking(text, this.#session.current.spans, words, label), { join: step });
    if (scope === "all") await this.#everywhere(words, label, step);
    this.#session.selectMark(this.#session.current.spans.find((span) => sameSpan(span, { ...range, label })) ?? null);
  }

  confirm(scope = "here") {
    const mark = this.#session.selection?.mark;
    return mark ? this.label(mark.label, scope) : undefined;
  }

  // Apply changes again that conflicted with somebody else's change, to the current spans.
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

  async unmark(scope = "here") {
    const mark = this.#session.selection?.mark;
    if (!mark) return;
    const words = this.#session.selectedText();
    const { text } = this.#session.current;
    const step = this.#apply(removing(mark), { what: { key: "whatRemoved", words, label: mark.label } });
    if (scope === "document") this.#apply(unmarking(text, this.#session.current.spans, words), { join: step });
    if (scope === "all") await this.#everywhere(words, null, step);
    this.#session.select({ start: mark.start, end: mark.end }); // navigation continues from there
  }

  // Move a border of the selected mark; offsets are code points.
  move(start, end) {
    const mark = this.#session.selection?.mark;
    if (!mark) return;
    const length = this.#session.current.offsets.toCodePoint(this.#session.current.text.length);
    const change = moving(this.#session.current.spans, mark, start, end, length);
    if (change) this.#moved(mark, change);
  }

  // Join a neighbour to the selected mark.
  join(other) {
    const mark = this.#session.selection?.mark;
    if (mark) this.#moved(mark, joining(mark, other));
  }

  #moved(mark, change) {
    const what = { key: "whatMoved", words: this.#session.selectedText(), label: mark.label };
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
      await this.#session.open(id);
      await this.#session.setState("todo");
      this.#session.tell("said", { key: "saidNotReviewed", values: { name } });
    } else this.#replay(this.#history.undo(this.#session.document?.id), "saidUndone", "nothingToUndo");
  }

  redo() {
    this.#replay(this.#history.redo(this.#session.document?.id), "saidRedone", "nothingToRedo");
  }

  // The step of the history for the change.
  /**
   * @param {any} change
   * @param {{kind?: string | null, join?: any, what?: any}} options
   */
  #apply(change, { kind = null, join = null, what = null } = {}) {
    if (!change.remove.length && !change.add.length) return join;
    const own = { document: this.#session.current.id, ...change };
    this.#session.current.spans = withChange(this.#session.current.spans, change);
    const step = this.#history.record([own], { kind, join, what });
    this.#commit([own]);
    return step;
  }

  // Give all spans of a value another label, in all documents; its own label confirms them, null removes them.
  async changeAll({ words, label: having }, label) {
    const key = label === null ? "whatRemoved" : label === having ? "whatConfirmed" : "whatChanged";
    const changes = await this.#session.backend.everywhere(words, label, having);
    if (changes.length) this.#history.record(changes, { what: { key, words, label: label ?? having } });
    await this.#session.open(this.#session.current.id);
    await this.#session.refresh();
    this.#session.tell("said", { key: "saidEverywhere", values: { n: changes.length } });
  }

  async #everywhere(words, label, step) {
    const changes = await this.#session.backend.everywhere(words, label);
    if (!changes.length) return;
    this.#history.record(changes, { join: step });
    await this.#session.open(this.#session.current.id);
    await this.#session.refresh();
    this.#session.tell("said", { key: "saidEverywhere", values: { n: changes.length } });
  }

  #replay(step, said, nothing) {
    if (!step) {
      this.#session.tell("said", { key: nothing });
      return;
    }
    const { changes, what } = step;
    const here = changes.find((change) => change.document === this.#session.current.id);
    this.#session.current.spans = withChange(this.#session.current.spans, here);
    const come = here.add.find((span) => this.#session.current.spans.some((other) => keyOf(other) === keyOf(span)));
    this.#session.selection = come ? { mark: come } : null;
    this.#commit(changes);
    this.#session.tell("selection");
    this.#session.tell("said", { key: said, values: { n: changes.length }, what });
  }

  // A document that changes is no longer reviewed: the backends do the same.
  #commit(changes) {
    this.#justReviewed = null;
    if (this.#session.current.state === "reviewed") {
      this.#session.current.state = "todo";
      this.#session.tell("said", { key: "saidBackToDo", values: { name: this.#session.current.name } });
    }
    this.#session.tell("spans");
    this.#session.recount();
    this.#session.backend.commit(changes).then(() => this.#session.refreshSoon());
  }
}
