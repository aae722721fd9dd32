// Boxes on a scanned page, in fractions of its width and height: those of marks, of graphics, and of the reviewer.

/**
 * @typedef {{left: number, top: number, right: number, bottom: number}} Rectangle
 * @typedef {Rectangle & {page: number, kept: boolean}} PageBox
 * @typedef {{number: number, image: string, words: number[][], graphics: number[][]}} ShownPage
 * @typedef {Rectangle & {kind: "mark" | "graphic" | "own", span?: Span, own?: PageBox}} ShownBox
 */

/**
 * @param {number[]} edges
 * @returns {Rectangle}
 */
const rectangle = ([left, top, right, bottom]) => ({ left, top, right, bottom });

/**
 * @param {Rectangle} a
 * @param {Rectangle} b
 */
const isOneLine = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.5 * Math.min(a.bottom - a.top, b.bottom - b.top);

/**
 * @param {Rectangle} a
 * @param {Rectangle} b
 * @returns {Rectangle}
 */
const around = (a, b) => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

// One box for each line of a mark.
/**
 * @param {Span} span
 * @param {number[][]} words
 * @returns {ShownBox[]}
 */
function ofMark(span, words) {
  /** @type {Rectangle[]} */
  const lines = [];
  for (const [start, end, ...edges] of words) {
    if (start >= span.end || end <= span.start) continue;
    const word = rectangle(edges);
    const last = lines.at(-1);
    if (last && isOneLine(last, word)) lines[lines.length - 1] = around(last, word);
    else lines.push(word);
  }
  return lines.map((line) => ({ ...line, kind: "mark", span }));
}

/**
 * @param {Rectangle} box
 * @param {Rectangle} other
 */
function hasMiddle(box, other) {
  const [x, y] = [(other.left + other.right) / 2, (other.top + other.bottom) / 2];
  return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
}

// Everything that will be painted on a page.
/**
 * @param {ShownPage} page
 * @param {Span[]} spans
 * @param {PageBox[]} boxes
 * @returns {ShownBox[]}
 */
export function shownBoxes(page, spans, boxes) {
  const own = boxes.filter((box) => box.page === page.number);
  const kept = own.filter((box) => box.kept);
  const graphics = page.graphics.map(rectangle).filter((graphic) => !kept.some((box) => hasMiddle(box, graphic)));
  return [
    ...spans.flatMap((span) => ofMark(span, page.words)),
    ...graphics.map((box) => ({ ...box, kind: /** @type {const} */ ("graphic") })),
    ...own.filter((box) => !box.kept).map((box) => ({ ...box, kind: /** @type {const} */ ("own"), own: box })),
  ];
}

/** @param {number} value */
const inside = (value) => Math.min(1, Math.max(0, value));

// A box between two points, inside the page.
/**
 * @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b
 * @returns {Rectangle}
 */
export const between = (a, b) => ({
  left: inside(Math.min(a.x, b.x)),
  top: inside(Math.min(a.y, b.y)),
  right: inside(Math.max(a.x, b.x)),
  bottom: inside(Math.max(a.y, b.y)),
});

// A box moved, as far as it stays on the page.
/**
 * @param {Rectangle} box
 * @param {number} x
 * @param {number} y
 * @returns {Rectangle}
 */
export function movedBox(box, x, y) {
  const across = Math.min(Math.max(x, -box.left), 1 - box.right);
  const down = Math.min(Math.max(y, -box.top), 1 - box.bottom);
  return { left: box.left + across, top: box.top + down, right: box.right + across, bottom: box.bottom + down };
}
