// Navigation between marks.

import { byDoubt, doubtful, sameSpan } from "./spans.js";

// The next mark in reading order after a range; wraps around at the end.
export function nextMark(spans, range, direction) {
  if (direction > 0) return spans.find((span) => span.start >= (range?.end ?? 0)) ?? spans[0];
  return spans.findLast((span) => span.end <= (range?.start ?? Infinity)) ?? spans.at(-1);
}

// The next least certain undecided mark, after the one that was visited last, even if it was removed;
// wraps around after the last.
export function nextDoubtful(spans, threshold, last, direction) {
  const open = doubtful(spans, threshold).filter((span) => !last || !sameSpan(span, last));
  if (direction > 0) return open.find((span) => last && byDoubt(span, last) > 0) ?? open[0];
  return open.findLast((span) => last && byDoubt(span, last) < 0) ?? open.at(-1);
}
