// A text in the blocks it is rendered by.

const LONGEST_BLOCK = 1200;

// Lines with the line break at their end.
export function* lineBounds(text) {
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found + 1;
    yield [start, end];
    start = end;
  }
}

// A very long line in pieces that end after a space, if there is one.
export function* pieceBounds(text, start, end) {
  while (end - start > LONGEST_BLOCK) {
    const space = text.lastIndexOf(" ", start + LONGEST_BLOCK);
    let cut = space > start ? space + 1 : start + LONGEST_BLOCK;
    const unit = text.charCodeAt(cut);
    if (unit >= 0xdc00 && unit <= 0xdfff) cut++;
    yield [start, cut];
    start = cut;
  }
  yield [start, end];
}
