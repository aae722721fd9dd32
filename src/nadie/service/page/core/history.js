// Undo and redo, per document. A step is a list of changes, each with its document; a step
// that changed several documents is undone in all of them, except those changed since.

import { combined, inverse } from "./spans.js";

/**
 * @typedef {{key: string, label?: string, n?: number}} What
 * @typedef {{changes: Change[], kind?: string | null, at: number, what: What | null}} Step
 */

const TOGETHER_MS = 1200;

/**
 * @param {Step} step
 * @param {number | undefined} id
 */
const touches = (step, id) => step.changes.some((change) => change.document === id);

export class History {
  /** @type {Step[]} */
  #done = [];
  /** @type {Step[]} */
  #undone = [];
  /** @type {() => void} */
  #changed;

  /** @param {() => void} changed what to do after every change of the history */
  constructor(changed = () => {}) {
    this.#changed = changed;
  }

  // All steps, as plain values; `restored` takes them back.
  get steps() {
    return { done: this.#done, undone: this.#undone };
  }

  /** @param {{done: Step[], undone: Step[]}} steps */
  restored({ done, undone }) {
    this.#done = done;
    this.#undone = undone;
  }

  /** @param {number | undefined} id */
  canUndo(id) {
    return this.#done.some((step) => touches(step, id));
  }

  /** @param {number | undefined} id */
  canRedo(id) {
    return this.#undone.some((step) => touches(step, id));
  }

  // Consecutive steps of the same `kind`, such as moving a border by many characters, are merged.
  // A change can join the previous step, such as the same words elsewhere. `what` describes the step for the user, without text of the document.
  /**
   * @param {Change[]} changes
   * @param {{kind?: string | null, join?: Step | null, what?: What | null}} options
   * @returns {Step}
   */
  record(changes, { kind = null, join = null, what = null } = {}) {
    for (const { document } of changes) this.#undone = without(this.#undone, document);
    const now = performance.now();
    const last = join ?? this.#done.at(-1);
    if (last && (join || (kind && last.kind === kind && now - last.at < TOGETHER_MS))) {
      last.changes = combined([...last.changes, ...changes]);
      last.at = now;
      this.#changed();
      return last;
    }
    const step = { changes, kind, at: now, what };
    this.#done.push(step);
    this.#changed();
    return step;
  }

  // The changes that undo the document's last step, and the description of the step; null if there is none.
  /** @param {number | undefined} id */
  undo(id) {
    const step = taken(this.#done, id);
    if (!step) return null;
    this.#undone.push({ ...step, kind: null });
    this.#changed();
    return { what: step.what, changes: step.changes.map(inverse) };
  }

  /** @param {number | undefined} id */
  redo(id) {
    const step = taken(this.#undone, id);
    if (!step) return null;
    this.#done.push(step);
    this.#changed();
    return { what: step.what, changes: step.changes };
  }

  // A document was removed or fetched again from the service: its steps no longer apply.
  /** @param {number} id */
  forget(id) {
    this.#done = without(this.#done, id);
    this.#undone = without(this.#undone, id);
    this.#changed();
  }
}

/**
 * @param {Step[]} steps
 * @param {number} id
 */
function without(steps, id) {
  return steps
    .map((step) => (touches(step, id) ? { ...step, changes: step.changes.filter(({ document }) => document !== id) } : step))
    .filter(({ changes }) => changes.length);
}

// Remove the last step of a document from the list. Its changes of documents with a later step are kept.
/**
 * @param {Step[]} steps
 * @param {number | undefined} id
 * @returns {Step | null}
 */
function taken(steps, id) {
  const at = steps.findLastIndex((step) => touches(step, id));
  if (at < 0) return null;
  const later = steps.slice(at + 1);
  const covered = (/** @type {Change} */ { document }) => later.some((step) => touches(step, document));
  const step = steps[at];
  const left = step.changes.filter(covered);
  steps.splice(at, 1, ...(left.length ? [{ ...step, changes: left }] : []));
  return { ...step, changes: step.changes.filter((change) => !covered(change)) };
}
