// A text split into blocks for rendering: its lines, and parts of very long lines, because a browser lays out a whole
// line again for every change in it.

const LONGEST_BLOCK = 4000;
const LONG_TEXT = 30_000;

// Whether a text is so long that the browser should not render blocks outside the viewport.
/** @param {string} text */
export const isLong = (text) => text.length > LONG_TEXT;

// Each line includes its line break.
/**
 * @param {string} text
 * @returns {Generator<[number, number]>}
 */
export function* blockBounds(text) {
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found + 1;
    yield* pieceBounds(text, start, end);
    start = end;
  }
}

// A part ends after a sentence, else after a space, if possible, so that a change before it does not move it.
/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Generator<[number, number]>}
 */
function* pieceBounds(text, start, end) {
  while (end - start > LONGEST_BLOCK) {
    const limit = start + LONGEST_BLOCK;
    const sentence = text.lastIndexOf(". ", limit - 2);
    const space = text.lastIndexOf(" ", limit - 1);
    let cut = sentence > start + LONGEST_BLOCK / 2 ? sentence + 2 : space > start ? space + 1 : limit;
    const unit = text.charCodeAt(cut);
    if (unit >= 0xdc00 && unit <= 0xdfff) cut++;
    yield [start, cut];
    start = cut;
  }
  if (start < end) yield [start, end];
}
