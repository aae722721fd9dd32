// Keyboard shortcuts: the commands of core/commands.js. Single-letter keys work only while the focus is in the text, so
// that they do not interfere with typing or with the keys of a screen reader.

import { commandOf } from "../core/commands.js";
import { targetOf } from "../core/dom.js";
import { borderAfter, borderBefore, characterAfter, characterBefore, nextWord, previousWord, trimmed } from "../core/words.js";

const TYPING = "input, textarea, select";
const CHOICE = "[type=radio], [type=checkbox]";
// What a held key may do again and again outside a text field: nothing else is repeated, in no part of the page.
const REPEATED = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End", "Tab"]);
// While another document is being opened, only commands that lead elsewhere are accepted.
const LEADING = new Set(["previousDocument", "nextDocument", "help"]);

export class Keyboard {
  /** @type {Session} */
  #session;
  /** @type {import("./text.js").TextView} */
  #view;
  /** @type {Record<string, (...values: any[]) => any>} */
  #act;
  /** @type {Place | null} */
  #anchor = null; // the start of a selection by keyboard, UTF-16
  /** @type {Place | null} */
  #extended = null; // the extended selection

  /**
   * @param {Session} session
   * @param {import("./text.js").TextView} view
   * @param {Record<string, (...values: any[]) => any>} act the actions, by the names of the commands
   */
  constructor(session, view, act) {
    this.#session = session;
    this.#view = view;
    this.#act = { ...act, ...this.#moves() };
    document.addEventListener("keydown", (event) => this.#held(event), { capture: true });
    document.addEventListener("keydown", (event) => this.#pressed(event));
  }

  // A held key must not decide: one long press would confirm, remove or review what nobody has read.
  /** @param {KeyboardEvent} event */
  #held(event) {
    if (!event.repeat || REPEATED.has(event.key)) return;
    const isField = targetOf(event).matches?.(TYPING) && !targetOf(event).matches(CHOICE);
    const isTyping = isField && event.key !== "Enter" && !event.altKey;
    const isLine = targetOf(event).matches?.("textarea") && !event.ctrlKey && !event.metaKey;
    const command = commandOf(event);
    const isMove = command && !command.decides && command.where === "text" && this.#isInText(event);
    if (isTyping || isLine || isMove) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const command = commandOf(event);
    if (command?.name === "unselect" && this.#session.isMoving) {
      this.#session.stay();
      return;
    }
    if (!command || (command.where === "text" && !this.#isInText(event))) return;
    const isTyping = targetOf(event).matches?.(TYPING);
    if (isTyping && !event.altKey && !(event.key === "Enter" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    if (!this.#session.isMoving || LEADING.has(command.name)) this.#act[command.name](command.label);
  }

  /** @param {KeyboardEvent} event */
  #isInText(event) {
    return Boolean(this.#session.document) && this.#view.root.contains(targetOf(event));
  }

  // The commands that move the selection or a border.
  #moves() {
    const session = this.#session;
    return {
      nextMark: () => session.step(1),
      previousMark: () => session.step(-1),
      wordBack: () => this.#byWord(-1, false),
      wordForward: () => this.#byWord(1, false),
      extendBack: () => this.#byWord(-1, true),
      extendForward: () => this.#byWord(1, true),
      lineUp: () => this.#byLine(-1),
      lineDown: () => this.#byLine(1),
      startBack: () => this.border("start", -1),
      startForward: () => this.border("start", 1),
      endBack: () => this.border("end", -1),
      endForward: () => this.border("end", 1),
      startBackLetter: () => this.border("start", -1, true),
      startForwardLetter: () => this.border("start", 1, true),
      endBackLetter: () => this.border("end", -1, true),
      endForwardLetter: () => this.border("end", 1, true),
      unselect: () => {
        getSelection()?.removeAllRanges();
        session.select(null);
      },
    };
  }

  // Move a border by a word, or by a character. A neighbour that is in the way is joined.
  /**
   * @param {Edge} edge
   * @param {number} direction
   * @param {boolean} byCharacter
   */
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
  /**
   * @param {Span} mark
   * @param {Edge} edge
   * @param {number} direction
   */
  #neighbour(mark, edge, direction) {
    const { spans } = this.#session.current;
    const between = (/** @type {number} */ from, /** @type {number} */ to) => this.#session.textOf({ start: from, end: to }).trim();
    if (edge === "start" && direction < 0) return spans.find(({ end }) => end <= mark.start && !between(end, mark.start));
    if (edge === "end" && direction > 0) return spans.find(({ start }) => start >= mark.end && !between(mark.end, start));
    return null;
  }

  /**
   * @param {number} direction
   * @param {boolean} extend
   */
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
  /**
   * @param {number} direction
   * @param {number} start
   * @param {number} end
   */
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
  /** @param {number} direction */
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
  /**
   * @param {Place} word
   * @param {number} y
   * @param {number} lineHeight
   */
  #isAt(word, y, lineHeight) {
    const rects = [...this.#view.rangeOf(word.start, word.end).getClientRects()];
    return rects.some((rect) => Math.abs(rect.top + rect.height / 2 - y) < lineHeight / 2);
  }

  // A word inside a mark selects the mark.
  /** @param {Place} word */
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
