// Keyboard shortcuts. Single-letter keys work only while the focus is in the text, so that they do not interfere with typing
// or with the keys of a screen reader.

import { labelOfKey } from "../core/labels.js";
import { borderAfter, borderBefore, characterAfter, characterBefore, nextWord, previousWord, trimmed } from "../core/words.js";

/** @type {[import("../core/i18n.js").TextKey, string[]][]} */
export const KEYS = [
  ["keyNextDoubtful", ["D"]],
  ["keySuggestion", [","]],
  ["keyNextMark", ["N", "P"]],
  ["keyWords", ["←", "→", "↑", "↓"]],
  ["keySelect", ["⇧ ←", "⇧ →"]],
  ["keyType", ["↵", "T"]],
  ["keyConfirm", ["A"]],
  ["keyDelete", ["Del", "X"]],
  ["keyStart", ["H", "J"]],
  ["keyEnd", ["K", "L"]],
  ["keyLabel", ["1 … 9", "C", "I", "…"]],
  ["keyScope", ["S"]],
  ["keyReplacement", ["="]],
  ["keyHints", [".", ":"]],
  ["keySearch", ["/"]],
  ["keyComment", [";"]],
  ["keyEscape", ["Esc"]],
  ["keyUndo", ["Ctrl Z", "Ctrl Y"]],
  ["keyReviewed", ["Ctrl ↵"]],
  ["keyAllRight", ["Ctrl ⇧ ↵"]],
  ["keyDocuments", ["Alt ↑", "Alt ↓"]],
  ["keyHelp", ["?"]],
];

export class Keyboard {
  /** @type {import("../core/session.js").Session} */
  #session;
  #view;
  #act; // the actions: pickType, confirm, unmark, nextScope, label, undo, redo, reviewed, stepDocument, nextDoubtful, help
  /** @type {{start: number, end: number} | null} */
  #anchor = null; // the start of a selection by keyboard, UTF-16
  /** @type {{start: number, end: number} | null} */
  #extended = null; // the extended selection

  constructor(session, view, act) {
    this.#session = session;
    this.#view = view;
    this.#act = act;
    view.root.addEventListener("keydown", (event) => this.#inText(event));
    document.addEventListener("keydown", (event) => this.#anywhere(event));
  }

  #anywhere(event) {
    if (document.querySelector("dialog[open]")) return;
    const typing = event.target.matches?.("input, textarea, select");
    const control = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    let action = null;
    if (control && key === "z" && !typing) action = event.shiftKey ? this.#act.redo : this.#act.undo;
    else if (control && key === "y" && !typing) action = this.#act.redo;
    else if (control && key === "enter") action = event.shiftKey ? this.#act.allRight : this.#act.reviewed;
    else if (event.altKey && key === "arrowdown") action = () => this.#act.stepDocument(1);
    else if (event.altKey && key === "arrowup") action = () => this.#act.stepDocument(-1);
    else if (event.key === "?" && !typing) action = this.#act.help;
    if (!action) return;
    event.preventDefault();
    action();
  }

  #inText(event) {
    if (!this.#session.document || event.ctrlKey || event.metaKey || event.altKey) return;
    const action = this.#actionOf(event);
    if (!action) return;
    event.preventDefault();
    action();
  }

  #actionOf(event) {
    const { key, shiftKey: shift } = event;
    const session = this.#session;
    const arrows = { ArrowRight: () => this.#byWord(1, shift), ArrowLeft: () => this.#byWord(-1, shift) };
    const lines = { ArrowDown: () => this.#byLine(1), ArrowUp: () => this.#byLine(-1) };
    const named = {
      ...arrows,
      ...lines,
      Enter: this.#act.pickType,
      "=": this.#act.editReplacement,
      "/": this.#act.search,
      ",": this.#act.nextSuggestion,
      ".": this.#act.hints,
      ":": this.#act.extendByHint,
      ";": this.#act.comment,
      Delete: this.#act.unmark,
      Backspace: this.#act.unmark,
      Escape: () => {
        getSelection()?.removeAllRanges();
        session.select(null);
      },
    };
    const letters = {
      d: () => this.#act.nextDoubtful(shift ? -1 : 1),
      n: () => session.step(1),
      p: () => session.step(-1),
      t: this.#act.pickType,
      a: this.#act.confirm,
      x: this.#act.unmark,
      h: () => this.border("start", -1, shift),
      j: () => this.border("start", 1, shift),
      k: () => this.border("end", -1, shift),
      l: () => this.border("end", 1, shift),
      s: this.#act.nextScope,
    };
    const label = session.selection && labelOfKey(key, shift);
    return named[key] ?? letters[key.toLowerCase()] ?? (label ? () => this.#act.label(label) : undefined);
  }

  // Move a border by a word, or by a character. A neighbour that is in the way is joined.
  border(edge, direction, byCharacter = false) {
    const mark = this.#session.selection?.mark;
    if (!mark) return;
    const neighbour = byCharacter ? null : this.#neighbour(mark, edge, direction);
    if (neighbour) {
      this.#session.edits.join(neighbour);
      return;
    }
    const { text, offsets } = this.#session.current;
    const at = offsets.toUtf16(mark[edge]);
    const words = direction > 0 ? borderAfter : borderBefore;
    const characters = direction > 0 ? characterAfter : characterBefore;
    const place = offsets.toCodePoint(byCharacter ? characters(text, at) : words(text, at, edge));
    this.#session.edits.move(edge === "start" ? place : mark.start, edge === "end" ? place : mark.end);
  }

  // The mark that a border would reach, with only white space between.
  #neighbour(mark, edge, direction) {
    const { spans } = this.#session.current;
    const between = (from, to) => this.#session.textOf({ start: from, end: to }).trim();
    if (edge === "start" && direction < 0) return spans.find(({ end }) => end <= mark.start && !between(end, mark.start));
    if (edge === "end" && direction > 0) return spans.find(({ start }) => start >= mark.end && !between(mark.end, start));
    return null;
  }

  #byWord(direction, extend) {
    const { text, offsets } = this.#session.current;
    const range = this.#session.selectedRange();
    const start = range ? offsets.toUtf16(range.start) : this.#view.firstVisible();
    const end = range ? offsets.toUtf16(range.end) : start;
    if (extend && range) {
      this.#extend(direction, start, end);
      return;
    }
    this.#anchor = null;
    const word = direction > 0 ? nextWord(text, range ? end : start) : previousWord(text, start);
    if (word) this.#selectWord(word);
  }

  // The end that is not the anchor moves by a word.
  #extend(direction, start, end) {
    const { text, offsets } = this.#session.current;
    // A selection made by other means starts a new one.
    if (!this.#anchor || start !== this.#extended?.start || end !== this.#extended?.end) this.#anchor = { start, end };
    const anchor = this.#anchor;
    const growsLeft = start < anchor.start;
    let low = start;
    let high = end;
    if (direction > 0 && growsLeft) low = nextWord(text, nextWord(text, start)?.end ?? start)?.start ?? anchor.start;
    else if (direction > 0) high = nextWord(text, end)?.end ?? end;
    else if (high > anchor.end) high = Math.max(anchor.end, previousWord(text, previousWord(text, end)?.start ?? end)?.end ?? 0);
    else low = previousWord(text, start)?.start ?? start;
    const kept = trimmed(text, Math.min(low, anchor.start), Math.max(high, anchor.end));
    this.#extended = kept;
    if (kept) this.#session.select({ start: offsets.toCodePoint(kept.start), end: offsets.toCodePoint(kept.end) });
  }

  // The word above or below.
  #byLine(direction) {
    const { text, offsets } = this.#session.current;
    const range = this.#session.selectedRange();
    if (!range) {
      this.#byWord(1, false);
      return;
    }
    this.#anchor = null;
    const rect = this.#view.rangeOf(offsets.toUtf16(range.start), offsets.toUtf16(range.end)).getClientRects()[0];
    const height = Number.parseFloat(getComputedStyle(this.#view.root).lineHeight);
    for (let lines = 1; lines < 12; lines++) {
      const y = rect.top + rect.height / 2 + direction * height * lines;
      const found = this.#view.offsetAtPoint(rect.left + 2, y);
      if (found === null) break;
      const word = nextWord(text, previousWord(text, found + 1)?.start ?? found);
      if (word && this.#isAt(word, y, height)) {
        this.#selectWord(word);
        return;
      }
    }
    this.#byWord(direction, false);
  }

  // Whether a word is on the line at a height. On an empty line the nearest word is on another line.
  #isAt(word, y, lineHeight) {
    const rects = [...this.#view.rangeOf(word.start, word.end).getClientRects()];
    return rects.some((rect) => Math.abs(rect.top + rect.height / 2 - y) < lineHeight / 2);
  }

  // A word inside a mark selects the mark.
  #selectWord(word) {
    const { offsets, spans } = this.#session.current;
    const start = offsets.toCodePoint(word.start);
    const end = offsets.toCodePoint(word.end);
    const mark = spans.find((span) => span.start < end && start < span.end);
    getSelection()?.removeAllRanges();
    if (mark) this.#session.selectMark(mark);
    else {
      if (document.activeElement?.closest(".mark")) this.#view.root.focus({ preventScroll: true });
      this.#session.select({ start, end });
    }
  }
}
