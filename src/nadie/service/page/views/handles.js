// Two handles at the borders of the selected mark, to be dragged with a mouse or a finger.

import { element } from "../core/dom.js";
import { nearestBorder } from "../core/words.js";

export class Handles {
  #view;
  /** @type {Session} */
  #session;
  #start = element("div", { class: "handle at-start", "aria-hidden": "true" });
  #end = element("div", { class: "handle at-end", "aria-hidden": "true" });

  /**
   * @param {import("./text.js").TextView} view
   * @param {Session} session
   */
  constructor(view, session) {
    this.#view = view;
    this.#session = session;
    for (const edge of /** @type {const} */ (["start", "end"])) {
      const handle = edge === "start" ? this.#start : this.#end;
      handle.hidden = true;
      view.root.append(handle);
      handle.addEventListener("pointerdown", (event) => this.#drag(event, handle, edge));
    }
    for (const kind of ["selection", "spans", "document"]) session.addEventListener(kind, () => this.place());
    new ResizeObserver(() => this.place()).observe(view.root);
  }

  place() {
    const mark = this.#session.selection?.mark;
    const pieces = mark ? this.#view.elementsOf(mark) : [];
    this.#start.hidden = this.#end.hidden = !pieces.length;
    if (!mark || !pieces.length) return;
    const { offsets } = this.#session.current;
    const range = this.#view.rangeOf(offsets.toUtf16(mark.start), offsets.toUtf16(mark.end));
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0);
    if (!rects.length) return;
    this.#put(this.#start, rects[0].left, rects[0]);
    this.#put(this.#end, rects[rects.length - 1].right, rects[rects.length - 1]);
  }

  /**
   * @param {HTMLElement} handle
   * @param {number} x
   * @param {DOMRect} rect
   */
  #put(handle, x, rect) {
    const { root } = this.#view;
    const box = root.getBoundingClientRect();
    handle.style.setProperty("left", `${x - box.left + root.scrollLeft}px`);
    handle.style.setProperty("top", `${rect.top - box.top + root.scrollTop}px`);
    handle.style.setProperty("height", `${rect.height}px`);
  }

  /**
   * @param {PointerEvent} event
   * @param {HTMLElement} handle
   * @param {Edge} edge
   */
  #drag(event, handle, edge) {
    event.preventDefault();
    const mark = this.#session.selection?.mark;
    if (!mark) return;
    const { offsets, text } = this.#session.current;
    const middle = event.clientY - handle.getBoundingClientRect().top - handle.offsetHeight / 2;
    /** @type {number | null} */
    let place = null;
    handle.setPointerCapture(event.pointerId);
    const moved = (/** @type {PointerEvent} */ now) => {
      handle.hidden = true; // so that the text below it is found
      const found = this.#view.offsetAtPoint(now.clientX, now.clientY - middle);
      handle.hidden = false;
      if (found === null) return;
      place = offsets.toCodePoint(now.altKey ? found : nearestBorder(text, found));
      const start = edge === "start" ? Math.min(place, mark.end - 1) : mark.start;
      const end = edge === "end" ? Math.max(place, mark.start + 1) : mark.end;
      this.#view.highlight(offsets.toUtf16(start), offsets.toUtf16(end));
      const rects = [...this.#view.rangeOf(offsets.toUtf16(start), offsets.toUtf16(end)).getClientRects()];
      const rect = edge === "start" ? rects[0] : rects.at(-1);
      if (rect) this.#put(handle, edge === "start" ? rect.left : rect.right, rect);
    };
    const released = () => {
      handle.removeEventListener("pointermove", moved);
      handle.removeEventListener("pointerup", released);
      handle.removeEventListener("pointercancel", released);
      if (place !== null) this.#session.edits.move(edge === "start" ? place : mark.start, edge === "end" ? place : mark.end);
      this.#session.tell("selection");
    };
    handle.addEventListener("pointermove", moved);
    handle.addEventListener("pointerup", released);
    handle.addEventListener("pointercancel", released);
  }
}
