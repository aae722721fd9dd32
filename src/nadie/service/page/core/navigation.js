// Where to go next among the marks.

import { doubtful, sameSpan } from "./spans.js";

// The next mark in reading order, from a range on; round again at the end.
export function nextMark(spans, range, direction) {
  if (direction > 0) return spans.find((span) => span.start >= (range?.end ?? 0)) ?? spans[0];
  return spans.findLast((span) => span.end <= (range?.start ?? Infinity)) ?? spans.at(-1);
}

// The least certain mark that nobody has decided on; after the last one, the first again.
export function nextDoubtful(spans, threshold, mark, direction) {
  const open = doubtful(spans, threshold);
  const at = mark ? open.findIndex((span) => sameSpan(span, mark)) : -1;
  if (at < 0) return open.at(direction > 0 ? 0 : -1);
  return open[(at + direction + open.length) % open.length];
}
