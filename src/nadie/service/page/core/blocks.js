// A text in the blocks it is rendered by: its lines, and very long lines in pieces, because a browser lays out a whole
// line anew for every change in it.

const LONGEST_BLOCK = 4000;
const LONG_TEXT = 30_000;

// Whether a text is so long that blocks out of sight are better left alone by the browser.
export const isLong = (text) => text.length > LONG_TEXT;

// Each line has its line break at its end.
export function* blockBounds(text) {
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found + 1;
    yield* pieceBounds(text, start, end);
    start = end;
  }
}

// A piece ends after a sentence, else after a space, if there is one: a change before it then leaves it where it is.
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
