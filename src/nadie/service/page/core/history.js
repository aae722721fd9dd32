// Undo and redo, per document. A step is a list of changes, each with its document; a step
// that changed several documents is undone in all of them, except those changed since.

import { combined, inverse } from "./spans.js";

const TOGETHER_MS = 1200;

const touches = (step, id) => step.changes.some((change) => change.document === id);

export class History {
  #done = [];
  #undone = [];

  canUndo(id) {
    return this.#done.some((step) => touches(step, id));
  }

  canRedo(id) {
    return this.#undone.some((step) => touches(step, id));
  }

  // Consecutive steps of the same `kind`, such as moving a border by many characters, are merged.
  // A change can join the previous step, such as the same words elsewhere. `what` describes the step for the user.
  /**
   * @param {any[]} changes
   * @param {{kind?: string | null, join?: any, what?: any}} options
   */
  record(changes, { kind = null, join = null, what = null } = {}) {
    for (const { document } of changes) this.#undone = without(this.#undone, document);
    const now = performance.now();
    const last = join ?? this.#done.at(-1);
    if (join || (kind && last?.kind === kind && now - last.at < TOGETHER_MS)) {
      last.changes = combined([...last.changes, ...changes]);
      last.at = now;
      return last;
    }
    const step = { changes, kind, at: now, what };
    this.#done.push(step);
    return step;
  }

  // The changes that undo the document's last step, and the description of the step; null if there is none.
  undo(id) {
    const step = taken(this.#done, id);
    if (!step) return null;
    this.#undone.push({ ...step, kind: null });
    return { what: step.what, changes: step.changes.map(inverse) };
  }

  redo(id) {
    const step = taken(this.#undone, id);
    if (!step) return null;
    this.#done.push(step);
    return { what: step.what, changes: step.changes };
  }

  // A document was removed or fetched again from the service: its steps no longer apply.
  forget(id) {
    this.#done = without(this.#done, id);
    this.#undone = without(this.#undone, id);
  }
}

function without(steps, id) {
  return steps
    .map((step) => (touches(step, id) ? { ...step, changes: step.changes.filter(({ document }) => document !== id) } : step))
    .filter(({ changes }) => changes.length);
}

// Remove the last step of a document from the list. Its changes of documents with a later step are kept.
function taken(steps, id) {
  const at = steps.findLastIndex((step) => touches(step, id));
  if (at < 0) return null;
  const later = steps.slice(at + 1);
  const covered = ({ document }) => later.some((step) => touches(step, document));
  const step = steps[at];
  const left = step.changes.filter(covered);
  steps.splice(at, 1, ...(left.length ? [{ ...step, changes: left }] : []));
  return { ...step, changes: step.changes.filter((change) => !covered(change)) };
}
