// The image of a scanned document with boxes over what its export paints. A box is drawn by dragging over the page,
// moved by dragging it or with the arrow keys, and removed with Delete or its button.

import { byId, element, icon } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { originals } from "../core/originals.js";
import { between, movedBox, shownBoxes } from "../core/page_boxes.js";
import { scannedPages } from "../core/scanned_pages.js";
import { complain } from "./messages.js";

const LEAST = 0.004; // a smaller movement is a click
const STEP = 0.004;
/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };
/** @type {Record<string, TextKey>} */
const KINDS = { mark: "scanMark", graphic: "scanGraphic", own: "scanOwn" };

/**
 * @typedef {import("../core/page_boxes.js").ShownPage} ShownPage
 * @typedef {import("../core/page_boxes.js").ShownBox} ShownBox
 * @typedef {import("../core/page_boxes.js").PageBox} PageBox
 * @typedef {import("../core/page_boxes.js").Rectangle} Rectangle
 * @typedef {import("../core/scanned_pages.js").ScannedPages} ScannedPages
 */

export class ScanView {
  #session;
  #api;
  /** @type {HTMLDialogElement | null} */
  #dialog = null; // shows pages of the open document
  #button = element("button", { id: "show-scan", class: "framed", type: "button", data: { t: "scanShow" }, hidden: true });

  /**
   * @param {Session} session
   * @param {Api} api
   */
  constructor(session, api) {
    this.#session = session;
    this.#api = api;
    byId("document-state").after(this.#button);
    this.#button.addEventListener("click", () => this.#open().catch(complain));
    session.addEventListener("document", () => this.#dialog?.close());
    for (const event of ["document", "documents"]) {
      session.addEventListener(event, () => {
        const id = session.document?.id;
        this.#button.hidden = id === undefined || !(this.#isListed(id) || originals.scanOf(id));
      });
    }
  }

  // Whether the list says that the project stores the file of a document with scanned pages.
  /** @param {number} id */
  #isListed(id) {
    return this.#session.documents.some((entry) => entry.id === id && entry.scanned);
  }

  async #open() {
    const { id } = this.#session.current;
    this.#button.setAttribute("aria-busy", "true");
    try {
      const stored = this.#isListed(id) || (await originals.isStored(id));
      const scanned = await scannedPages(this.#api, id, { stored });
      if (this.#session.document?.id === id) this.#show(scanned);
    } finally {
      this.#button.removeAttribute("aria-busy");
    }
  }

  /** @param {ScannedPages} scanned */
  #show(scanned) {
    const close = element("button", { type: "button", class: "framed", onclick: () => dialog.close() }, t("close"));
    const sheets = scanned.pages.map((page) => new Sheet(this.#session, scanned, page));
    const dialog = element(
      "dialog",
      { class: "wide scan", "aria-labelledby": "scan-title", tabindex: "-1" },
      element("h2", { id: "scan-title" }, t("scanTitle")),
      element("p", { class: "remark" }, t("scanHow")),
      ...sheets.map((sheet) => sheet.surface),
      element("div", { class: "end" }, close),
    );
    dialog.addEventListener("close", () => dialog.remove());
    this.#dialog = dialog;
    document.body.append(dialog);
    dialog.showModal();
    dialog.focus();
  }
}

// One page.
class Sheet {
  #session;
  #scanned;
  #page;

  /**
   * @param {Session} session
   * @param {ScannedPages} scanned
   * @param {ShownPage} page
   */
  constructor(session, scanned, page) {
    this.#session = session;
    this.#scanned = scanned;
    this.#page = page;
    const image = element("canvas", { role: "img", "aria-label": t("scanPage", { n: page.number }) });
    drawn(image, page.image).catch(complain);
    this.surface = element("div", { class: "scan-page" }, image);
    this.surface.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && event.target === image) this.#draw(event);
    });
    this.#render();
  }

  #render() {
    for (const old of this.surface.querySelectorAll(".scan-box")) old.remove();
    for (const box of shownBoxes(this.#page, this.#session.current.spans, this.#scanned.boxes)) this.surface.append(this.#made(box));
  }

  /** @param {ShownBox} box */
  #made(box) {
    const remove = element("button", { type: "button", class: "scan-remove", "aria-label": t("scanRemove"), tabindex: "-1" }, icon("i-close"));
    const made = element("div", { class: `scan-box ${box.kind}`, tabindex: "0", role: "group", "aria-label": t(KINDS[box.kind]) }, remove);
    place(made, box);
    remove.addEventListener("click", () => this.#remove(box).catch(complain));
    made.addEventListener("keydown", (event) => {
      const step = ARROWS[event.key];
      if (step) this.#replace(box, movedBox(box, ...step)).catch(complain);
      else if (event.key === "Delete" || event.key === "Backspace") this.#remove(box).catch(complain);
      else return;
      event.preventDefault();
    });
    made.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && !remove.contains(/** @type {Node} */ (event.target))) this.#drag(event, made, box);
    });
    return made;
  }

  /** @param {PointerEvent} event */
  #draw(event) {
    const start = this.#point(event);
    const made = element("div", { class: "scan-box own" });
    this.surface.append(made);
    this.#follow(event, (now) => place(made, between(start, now)), (end) => {
      const box = between(start, end);
      if (box.right - box.left > LEAST && box.bottom - box.top > LEAST) this.#change([...this.#scanned.boxes, this.#own(box)]).catch(complain);
      else this.#render();
    });
  }

  /**
   * @param {PointerEvent} event
   * @param {HTMLElement} made
   * @param {ShownBox} box
   */
  #drag(event, made, box) {
    const start = this.#point(event);
    const to = (/** @type {{x: number, y: number}} */ now) => movedBox(box, now.x - start.x, now.y - start.y);
    made.focus();
    this.#follow(event, (now) => place(made, to(now)), (end) => {
      const isMoved = Math.hypot(end.x - start.x, end.y - start.y) > LEAST;
      if (isMoved) this.#replace(box, to(end)).catch(complain);
    });
  }

  // Call `move` and at last `done` with the places of the pointer.
  /**
   * @param {PointerEvent} event
   * @param {(point: {x: number, y: number}) => void} move
   * @param {(point: {x: number, y: number}) => void} done
   */
  #follow(event, move, done) {
    event.preventDefault();
    const stop = new AbortController();
    const { signal } = stop;
    window.addEventListener("pointermove", (next) => move(this.#point(next)), { signal });
    for (const kind of /** @type {const} */ (["pointerup", "pointercancel"])) {
      window.addEventListener(kind, (last) => {
        stop.abort();
        done(this.#point(last));
      }, { signal });
    }
  }

  /** @param {PointerEvent} event */
  #point(event) {
    const { left, top, width, height } = this.surface.getBoundingClientRect();
    return { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
  }

  // A box of a reviewer on this page: painted, or keeping the graphic below it.
  /** @param {Rectangle} box */
  #own({ left, top, right, bottom }, kept = false) {
    return { page: this.#page.number, left, top, right, bottom, kept };
  }

  /** @param {PageBox[]} boxes */
  async #change(boxes) {
    const { id } = this.#session.current;
    const before = this.#scanned.boxes;
    this.#scanned.boxes = boxes;
    this.#render();
    try {
      await this.#scanned.keep(boxes);
    } catch (error) {
      if (this.#scanned.boxes === boxes) this.#scanned.boxes = before;
      this.#render();
      throw error;
    }
    await this.#session.repainted(id);
  }

  // The mark is removed as in the text, so it can be undone there; a graphic is kept by a box around it.
  /** @param {ShownBox} box */
  async #remove(box, added = /** @type {PageBox[]} */ ([])) {
    const rest = this.#scanned.boxes.filter((other) => other !== box.own);
    const kept = box.kind === "graphic" ? [this.#own(between({ x: box.left, y: box.top }, { x: box.right, y: box.bottom }), true)] : [];
    if (!box.span || added.length) await this.#change([...rest, ...kept, ...added]);
    if (!box.span) return;
    this.#session.selectMark(box.span);
    await this.#session.edits.unmark();
    this.#render();
  }

  /**
   * @param {ShownBox} box
   * @param {Rectangle} moved
   */
  async #replace(box, moved) {
    const done = this.#remove(box, [this.#own(moved)]);
    const own = this.surface.querySelectorAll(".scan-box.own");
    /** @type {HTMLElement | undefined} */ (own[own.length - 1])?.focus();
    await done;
  }
}

// Draw a JPEG image that is given in base64; the page's policy allows no image from elsewhere.
/**
 * @param {HTMLCanvasElement} canvas
 * @param {string} content
 */
async function drawn(canvas, content) {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
}

/**
 * @param {HTMLElement} made
 * @param {Rectangle} box
 */
function place(made, { left, top, right, bottom }) {
  const sizes = { left, top, width: right - left, height: bottom - top };
  for (const [name, value] of Object.entries(sizes)) made.style.setProperty(name, `${100 * value}%`);
}
