// Undo and redo over all documents. A step is a list of changes, each with the document it belongs to.

import { combined, inverse } from "./spans.js";

const TOGETHER_MS = 1200;

export class History {
  #done = [];
  #undone = [];

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  // Steps of the same `kind` that follow each other at once, such as moving a border by many characters, are one.
  // A step that joins is part of what was just done, such as the same words elsewhere.
  record(changes, { kind = null, join = false } = {}) {
    const last = this.#done.at(-1);
    const now = performance.now();
    if (join && last) {
      last.changes = combined([...last.changes, ...changes]);
    } else if (kind && last?.kind === kind && now - last.at < TOGETHER_MS) {
      last.changes = combined([...last.changes, ...changes]);
      last.at = now;
    } else {
      this.#done.push({ changes, kind, at: now });
    }
    this.#undone = [];
  }

  undo() {
    const step = this.#done.pop();
    if (!step) return null;
    this.#undone.push(step);
    return step.changes.map(inverse);
  }

  redo() {
    const step = this.#undone.pop();
    if (!step) return null;
    this.#done.push({ ...step, kind: null });
    return step.changes;
  }

  // A document is gone or was taken anew from the service: steps on it no longer fit.
  forget(id) {
    const others = (step) => step.changes.every((change) => change.document !== id);
    this.#done = this.#done.filter(others);
    this.#undone = this.#undone.filter(others);
  }
}
