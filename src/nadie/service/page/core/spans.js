// Spans of one document, in code points, sorted and disjoint; changes of them; and navigation between them.

/** @param {Span} span */
export const keyOf = (span) => `${span.start}-${span.end}-${span.label}`;

/**
 * @param {Pick<Span, "start" | "end" | "label">} a
 * @param {Pick<Span, "start" | "end" | "label">} b
 */
export const sameSpan = (a, b) => a.start === b.start && a.end === b.end && a.label === b.label;

/**
 * @param {number} start
 * @param {number} end
 * @param {string} label
 * @returns {Span}
 */
export const decided = (start, end, label) => ({ start, end, label, score: 1, source: "person" });

// The change that undoes a change, the state of the document included.
/**
 * @param {Change} change
 * @returns {Change}
 */
export const inverse = ({ document, remove, add, before }) => ({ document, remove: add, add: remove, state: before });

// Whether the same spans remain, decided by a person: that is no change of the document.
/** @param {SpanChange} change */
export const isConfirmation = ({ remove, add }) =>
  remove.length === add.length && add.every((span) => remove.some((old) => sameSpan(old, span)));

// The state of a document after a change: it is no longer what was reviewed.
/**
 * @param {State} state
 * @param {SpanChange & {state?: State}} change
 * @returns {State}
 */
export const stateAfter = (state, change) => change.state ?? (isConfirmation(change) ? state : "todo");

/**
 * @param {Span[]} spans
 * @param {SpanChange} change
 */
export function withChange(spans, change) {
  const gone = new Set(change.remove.map(keyOf));
  const come = new Set(change.add.map(keyOf));
  const kept = spans.filter((span) => !gone.has(keyOf(span)) && !come.has(keyOf(span)));
  return [...kept, ...change.add].sort((a, b) => a.start - b.start || a.end - b.end);
}

// Consecutive changes → one equivalent change for each document.
/**
 * @param {Change[]} changes
 * @returns {Change[]}
 */
export function combined(changes) {
  /** @type {Map<number, {remove: Map<string, Span>, add: Map<string, Span>, before?: State}>} */
  const byDocument = new Map();
  for (const { document, remove, add, before } of changes) {
    const net = byDocument.get(document) ?? { remove: new Map(), add: new Map(), before };
    byDocument.set(document, net);
    for (const span of remove) if (!net.add.delete(keyOf(span))) net.remove.set(keyOf(span), span);
    for (const span of add) net.add.set(keyOf(span), span);
  }
  return [...byDocument].map(([document, { remove, add, before }]) => ({
    document,
    remove: [...remove.values()],
    add: [...add.values()],
    before,
  }));
}

// Insert a new span. The rest of overlapping spans stays covered, because it may be somebody's name.
/**
 * @param {Span[]} spans
 * @param {Span} span
 * @returns {SpanChange}
 */
export function adding(spans, span) {
  const touching = spans.filter((other) => other.start < span.end && span.start < other.end);
  const rest = [];
  for (const other of touching) {
    if (other.start < span.start) rest.push({ ...other, end: span.start });
    if (span.end < other.end) rest.push({ ...other, start: span.end });
  }
  return { remove: touching, add: [span, ...rest] };
}

/**
 * @param {Span} span
 * @param {string} label
 * @returns {SpanChange}
 */
export const relabelling = (span, label) => ({ remove: [span], add: [decided(span.start, span.end, label)] });

/**
 * @param {Span} span
 * @returns {SpanChange}
 */
export const removing = (span) => ({ remove: [span], add: [] });

// A border moves at most up to the neighbour, and a span keeps at least one character.
/**
 * @param {Span[]} spans
 * @param {Span} span
 * @param {number} start
 * @param {number} end
 * @param {number} length
 * @returns {SpanChange | null}
 */
export function moving(spans, span, start, end, length) {
  const before = spans.filter((other) => other.end <= span.start).at(-1)?.end ?? 0;
  const after = spans.find((other) => other.start >= span.end)?.start ?? length;
  const newStart = Math.max(before, Math.min(start, span.end - 1));
  const newEnd = Math.min(after, Math.max(end, newStart + 1));
  if (newStart === span.start && newEnd === span.end) return null;
  return { remove: [span], add: [decided(newStart, newEnd, span.label)] };
}

// A neighbour becomes part of the span.
/**
 * @param {Span} span
 * @param {Span} other
 * @returns {SpanChange}
 */
export function joining(span, other) {
  const joined = decided(Math.min(span.start, other.start), Math.max(span.end, other.end), span.label);
  return { remove: [span, other], add: [joined] };
}

// The least certain first.
/**
 * @param {Span} a
 * @param {Span} b
 */
const byDoubt = (a, b) => a.score - b.score || a.start - b.start;

/**
 * @param {Span[]} spans
 * @param {number} threshold
 */
export const doubtful = (spans, threshold) => spans.filter((span) => span.score < threshold).sort(byDoubt);

/**
 * @param {Span[]} spans
 * @param {number} threshold
 */
export const countDoubtful = (spans, threshold) => spans.reduce((count, span) => count + (span.score < threshold ? 1 : 0), 0);

// The next span in reading order after a place; wraps around at the end.
/**
 * @param {Span[]} spans
 * @param {Place | null} place
 * @param {number} direction
 * @returns {Span | undefined}
 */
export function nextMark(spans, place, direction) {
  if (direction > 0) return spans.find((span) => span.start >= (place?.end ?? 0)) ?? spans[0];
  return spans.findLast((span) => span.end <= (place?.start ?? Infinity)) ?? spans.at(-1);
}

// The next least certain undecided span, after the one that was visited last, even if it was removed;
// wraps around after the last.
/**
 * @param {Span[]} spans
 * @param {number} threshold
 * @param {Span | null} last
 * @param {number} direction
 * @returns {Span | undefined}
 */
export function nextDoubtful(spans, threshold, last, direction) {
  const open = doubtful(spans, threshold).filter((span) => !last || !sameSpan(span, last));
  if (direction > 0) return open.find((span) => last && byDoubt(span, last) > 0) ?? open[0];
  return open.findLast((span) => last && byDoubt(span, last) < 0) ?? open.at(-1);
}
