// The original text with its marks. It is rendered once, in blocks; after a change only the blocks that differ
// are rendered again, so that a long note stays responsive.

import { blockBounds, isLong } from "../core/blocks.js";
import { cells } from "../core/cells.js";
import { element, targetOf } from "../core/dom.js";
import { labelName, labelTag, percent, t } from "../core/i18n.js";
import { classOf } from "../core/labels.js";
import { keyOf } from "../core/spans.js";
import { snapped, trimmed } from "../core/words.js";

const PENDING = "pending";
const ALSO = "also";
const NEARLY = "nearly";
const SCROLLS = 12;

export class TextView {
  #root;
  /** @type {Session} */
  #session;
  #lines = element("div", { class: "lines" });
  /** @type {(Place & {node: HTMLElement, signature: string | null})[]} */
  #blocks = []; // { start, end, node, signature }, UTF-16
  /** @type {Map<string, HTMLElement[]>} */
  #marks = new Map(); // key → elements
  /** @type {Place[]} */
  #also = []; // text that is replaced without a mark
  #byLetter = false; // whether Alt is held, with which a selection may end inside a word

  /**
   * @param {HTMLElement} root
   * @param {Session} session
   */
  constructor(root, session) {
    this.#root = root;
    this.#session = session;
    root.replaceChildren(this.#lines);
    session.addEventListener("document", () => this.#renderDocument());
    session.addEventListener("spans", () => this.update());
    for (const kind of ["threshold", "filter"]) session.addEventListener(kind, () => this.update());
    session.addEventListener("selection", () => this.#showSelection());
    session.addEventListener("suggestions", () => this.#showSuggestions());
    session.addEventListener("also", (/** @type {any} */ { detail }) => {
      this.#also = detail.spans;
      this.#showAlso();
    });
    root.addEventListener("click", (event) => this.#clicked(event));
    for (const kind of /** @type {const} */ (["pointerdown", "pointermove", "pointerup"])) {
      root.addEventListener(kind, ({ altKey }) => {
        this.#byLetter = altKey;
      });
    }
    document.addEventListener("selectionchange", () => this.#selected());
  }

  get root() {
    return this.#root;
  }

  // Render everything again, because the language or the type of tags changed.
  retranslate() {
    for (const block of this.#blocks) block.signature = null;
    this.update();
  }

  update() {
    if (!this.#session.document) return;
    performance.mark("spans-start");
    const spans = this.#spansInUnits();
    const focused = document.activeElement?.closest?.(".mark")?.hasAttribute("data-key");
    let first = 0;
    for (const block of this.#blocks) {
      while (first < spans.length && spans[first].to <= block.start) first++;
      const inside = [];
      for (let at = first; at < spans.length && spans[at].from < block.end; at++) inside.push(spans[at]);
      this.#renderBlock(block, inside);
    }
    this.#showSelection({ scroll: false });
    this.#showAlso();
    this.#showSuggestions();
    if (focused && !this.#root.contains(document.activeElement)) this.#root.focus({ preventScroll: true });
    performance.measure("spans", "spans-start");
  }

  // The UTF-16 offset of a position in the DOM; null outside the text.
  /**
   * @param {Node} node
   * @param {number} offset
   */
  offsetOf(node, offset) {
    if (!this.#lines.contains(node)) return null;
    const range = document.createRange();
    const block = this.#blocks.find((candidate) => candidate.node.contains(node));
    range.setStart(block ? block.node : this.#lines, 0);
    range.setEnd(node, offset);
    return (block ? block.start : 0) + range.toString().length;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  offsetAtPoint(x, y) {
    if (document.caretPositionFromPoint) {
      const position = document.caretPositionFromPoint(x, y);
      return position ? this.offsetOf(position.offsetNode, position.offset) : null;
    }
    const range = document.caretRangeFromPoint(x, y);
    return range ? this.offsetOf(range.startContainer, range.startOffset) : null;
  }

  // The DOM range of a range of the text, in UTF-16 units.
  /**
   * @param {number} start
   * @param {number} end
   */
  rangeOf(start, end) {
    const range = document.createRange();
    range.setStart(...this.#placeOf(start, false));
    range.setEnd(...this.#placeOf(end, true));
    return range;
  }

  // The elements that show a mark: one, or one for each of its lines.
  /**
   * @param {Span} span
   * @returns {HTMLElement[]}
   */
  elementsOf(span) {
    return this.#marks.get(keyOf(span)) ?? [];
  }

  // Show a range that is not a mark as a selection that stays when the focus moves.
  /**
   * @param {number} start
   * @param {number} end
   */
  highlight(start, end) {
    CSS.highlights?.set(PENDING, new Highlight(this.rangeOf(start, end)));
  }

  // Words that are not a mark but are also replaced, because a mark elsewhere has the same words.
  #showAlso() {
    CSS.highlights?.set(ALSO, this.#highlightOf(this.#also));
  }

  // The suggestions.
  #showSuggestions() {
    CSS.highlights?.set(NEARLY, this.#highlightOf(this.#session.suggestions.open));
  }

  /** @param {Place[]} spans */
  #highlightOf(spans) {
    const { offsets } = this.#session.current;
    return new Highlight(...spans.map((span) => this.rangeOf(offsets.toUtf16(span.start), offsets.toUtf16(span.end))));
  }

  // The visible part of the text, in UTF-16 units.
  inSight() {
    const { top, bottom } = this.#root.getBoundingClientRect();
    const seen = this.#blocks.filter(({ node }) => {
      const box = node.getBoundingClientRect();
      return box.bottom > Math.max(0, top) && box.top < Math.min(innerHeight, bottom);
    });
    return seen.length ? [seen[0].start, seen[seen.length - 1].end] : [0, 0];
  }

  // The first visible position of the text.
  firstVisible() {
    const top = this.#root.getBoundingClientRect().top;
    return this.#blocks.find(({ node }) => node.getBoundingClientRect().bottom > top)?.start ?? 0;
  }

  #renderDocument() {
    const { document: open } = this.#session;
    this.#marks.clear();
    this.#blocks = [];
    this.#also = [];
    for (const name of [PENDING, ALSO, NEARLY]) CSS.highlights?.delete(name);
    this.#root.scrollTop = 0;
    if (!open) {
      this.#lines.replaceChildren();
      return;
    }
    for (const [start, end] of blockBounds(open.text)) {
      this.#blocks.push({ start, end, node: element("div", { class: "paragraph" }), signature: null });
    }
    this.#lines.classList.toggle("long", isLong(open.text));
    this.#lines.replaceChildren(...this.#blocks.map(({ node }) => node));
    this.update();
  }

  #spansInUnits() {
    const { spans, offsets } = this.#session.current;
    return spans.map((span) => ({ span, from: offsets.toUtf16(span.start), to: offsets.toUtf16(span.end) }));
  }

  /**
   * @param {Place & {node: HTMLElement, signature: string | null}} block
   * @param {{span: Span, from: number, to: number}[]} inside
   */
  #renderBlock(block, inside) {
    const signature = inside.map(({ span, from, to }) => `${from}-${to}-${span.label}-${span.score}-${this.#session.passes(span)}-${this.#session.chosenFor(span)?.text}`).join();
    const wanted = `${signature}|${this.#session.threshold}`;
    if (block.signature === wanted) return;
    block.signature = wanted;
    for (const mark of block.node.querySelectorAll(".mark")) this.#forget(/** @type {HTMLElement} */ (mark));
    const { text } = this.#session.current;
    const children = [];
    let at = block.start;
    for (const { span, from, to } of inside) {
      const start = Math.max(from, block.start);
      const end = Math.min(to, block.end);
      if (at < start) children.push(...cells(text.slice(at, start)));
      children.push(this.#mark(span, text.slice(start, end), to <= block.end));
      at = end;
    }
    if (at < block.end) children.push(...cells(text.slice(at, block.end)));
    block.node.replaceChildren(...children);
  }

  /**
   * @param {Span} span
   * @param {string} text
   * @param {boolean} last
   */
  #mark(span, text, last) {
    const isDoubtful = span.score < this.#session.threshold;
    const isDecided = span.source === "person";
    const type = labelName(span.label);
    const description = isDecided ? t("markPerson", { type }) : t("markDescription", { type, score: percent(span.score) });
    const mark = element(
      "span",
      {
        class: `mark is-${classOf(span.label)}${isDoubtful ? " doubtful" : ""}${this.#session.passes(span) ? "" : " dimmed"}`,
        role: "button",
        tabindex: "-1",
        "aria-label": `${text.trim()}: ${description}`,
        title: description,
        data: { key: keyOf(span) },
      },
      element("span", { class: "words" }, text),
    );
    const tag = this.#tag(span, isDoubtful, isDecided);
    if (last && tag) mark.dataset.tag = tag;
    const known = this.#marks.get(keyOf(span)) ?? [];
    this.#marks.set(keyOf(span), [...known, mark]);
    return mark;
  }

  /**
   * @param {Span} span
   * @param {boolean} isDoubtful
   * @param {boolean} isDecided
   */
  #tag(span, isDoubtful, isDecided) {
    const { tags } = this.#session.preferences;
    if (tags === "none") return isDoubtful ? "?" : "";
    const chosen = this.#session.chosenFor(span);
    const parts = [labelTag(span.label)];
    if (isDecided) parts.push("✓");
    else if (isDoubtful) parts.push("?", percent(span.score));
    else if (tags === "all") parts.push(percent(span.score));
    if (chosen) parts.push("✎");
    return parts.join(" ").replace(/\s/gu, "\u00a0"); // no line break inside
  }

  /** @param {HTMLElement} mark */
  #forget(mark) {
    const key = String(mark.dataset.key);
    const left = (this.#marks.get(key) ?? []).filter((other) => other !== mark);
    if (left.length) this.#marks.set(key, left);
    else this.#marks.delete(key);
  }

  #showSelection({ scroll = true } = {}) {
    for (const mark of this.#lines.querySelectorAll(".mark.selected")) mark.classList.remove("selected");
    CSS.highlights?.delete(PENDING);
    const { selection, document: open } = this.#session;
    if (!selection || !open) return;
    if (selection.mark) {
      const pieces = this.elementsOf(selection.mark);
      for (const piece of pieces) piece.classList.add("selected");
      if (scroll) pieces[0]?.scrollIntoView({ block: "nearest" });
      if (scroll && this.#root.contains(document.activeElement)) pieces[0]?.focus({ preventScroll: true });
      return;
    }
    const place = /** @type {Place} */ (selection);
    const start = open.offsets.toUtf16(place.start);
    const end = open.offsets.toUtf16(place.end);
    this.highlight(start, end);
    if (scroll) this.#scrollTo(this.rangeOf(start, end));
  }

  // Lines that were never visible have an estimated height and get the real one some frames later, so the position is
  // checked again in each of the next frames, even if it seems to be visible.
  /**
   * @param {Range} range
   * @param {number} again
   */
  #scrollTo(range, again = SCROLLS) {
    const rect = range.getBoundingClientRect();
    if (!rect.height) return; // no longer in the page
    // On a small screen the page scrolls as a whole, with the inspector at the bottom.
    const isWhole = getComputedStyle(this.#root).overflowY === "visible";
    const scroller = (isWhole && document.scrollingElement) || this.#root;
    const box = isWhole ? { top: 0, bottom: innerHeight * 0.6 } : this.#root.getBoundingClientRect();
    if (rect.top < box.top + 40) scroller.scrollTop += rect.top - box.top - 40;
    else if (rect.bottom > box.bottom - 40) scroller.scrollTop += rect.bottom - box.bottom + 40;
    if (again > 1) requestAnimationFrame(() => this.#scrollTo(range, again - 1));
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    /** @type {HTMLElement | null} */
    const mark = targetOf(event).closest(".mark");
    if (!getSelection()?.isCollapsed || targetOf(event).closest(".handle")) return; // the end of a drag, not a click
    if (!mark) {
      const suggestion = this.#suggestionAt(event.clientX, event.clientY);
      if (suggestion || this.#session.selection) this.#session.select(suggestion);
      return;
    }
    const span = this.#session.current.spans.find((candidate) => keyOf(candidate) === mark.dataset.key);
    this.#session.selectMark(span);
    mark.focus({ preventScroll: true });
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #suggestionAt(x, y) {
    const place = this.offsetAtPoint(x, y);
    if (place === null) return null;
    const at = this.#session.current.offsets.toCodePoint(place);
    const found = this.#session.suggestions.open.find(({ start, end }) => start <= at && at <= end);
    return found ? { start: found.start, end: found.end, suggestion: found } : null;
  }

  // Text selected with the mouse, by touch or by the browser's own keys.
  #selected() {
    const selection = getSelection();
    const { document: open } = this.#session;
    if (!open || !selection?.rangeCount || selection.isCollapsed) return;
    const range = selection.getRangeAt(0);
    const start = this.offsetOf(range.startContainer, range.startOffset);
    const end = this.offsetOf(range.endContainer, range.endOffset);
    if (start === null || end === null) return;
    const bare = trimmed(open.text, start, end);
    if (!bare) return;
    const kept = this.#byLetter ? bare : snapped(open.text, bare.start, bare.end);
    const wanted = { start: open.offsets.toCodePoint(kept.start), end: open.offsets.toCodePoint(kept.end) };
    const now = this.#session.selection;
    if (now && !now.mark && now.start === wanted.start && now.end === wanted.end) return;
    this.#session.select(wanted);
  }

  /**
   * @param {number} offset
   * @param {boolean} isEnd
   * @returns {[Node, number]}
   */
  #placeOf(offset, isEnd) {
    const blocks = this.#blocks;
    let low = 0;
    let high = blocks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (isEnd ? blocks[middle].start < offset : blocks[middle].start <= offset) low = middle;
      else high = middle - 1;
    }
    const walker = document.createTreeWalker(blocks[low].node, NodeFilter.SHOW_TEXT);
    let left = offset - blocks[low].start;
    let node = /** @type {Text | null} */ (walker.nextNode());
    while (node && (left > node.length || (!isEnd && left === node.length))) {
      left -= node.length;
      const next = /** @type {Text | null} */ (walker.nextNode());
      if (!next) return [node, node.length];
      node = next;
    }
    return node ? [node, left] : [blocks[low].node, 0];
  }
}
