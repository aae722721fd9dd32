// Spans of one document, in code points, sorted and disjoint; and changes of them: removed spans, added spans.

export const keyOf = (span) => `${span.start}-${span.end}-${span.label}`;

export const sameSpan = (a, b) => a.start === b.start && a.end === b.end && a.label === b.label;

export const decided = (start, end, label) => ({ start, end, label, score: 1, source: "person" });

export const inverse = (change) => ({ ...change, remove: change.add, add: change.remove });

export function withChange(spans, change) {
  const gone = new Set(change.remove.map(keyOf));
  const come = new Set(change.add.map(keyOf));
  const kept = spans.filter((span) => !gone.has(keyOf(span)) && !come.has(keyOf(span)));
  return [...kept, ...change.add].sort((a, b) => a.start - b.start || a.end - b.end);
}

// Consecutive changes → one equivalent change for each document.
export function combined(changes) {
  const byDocument = new Map();
  for (const { document, remove, add } of changes) {
    if (!byDocument.has(document)) byDocument.set(document, { remove: new Map(), add: new Map() });
    const net = byDocument.get(document);
    for (const span of remove) if (!net.add.delete(keyOf(span))) net.remove.set(keyOf(span), span);
    for (const span of add) net.add.set(keyOf(span), span);
  }
  return [...byDocument].map(([document, { remove, add }]) => ({
    document,
    remove: [...remove.values()],
    add: [...add.values()],
  }));
}

// Insert a new span. The rest of overlapping spans stays covered, because it may be somebody's name.
export function adding(spans, span) {
  const touching = spans.filter((other) => other.start < span.end && span.start < other.end);
  const rest = [];
  for (const other of touching) {
    if (other.start < span.start) rest.push({ ...other, end: span.start });
    if (span.end < other.end) rest.push({ ...other, start: span.end });
  }
  return { remove: touching, add: [span, ...rest] };
}

export const relabelling = (span, label) => ({ remove: [span], add: [decided(span.start, span.end, label)] });

export const removing = (span) => ({ remove: [span], add: [] });

// A border moves at most up to the neighbour, and a span keeps at least one character.
export function moving(spans, span, start, end, length) {
  const before = spans.filter((other) => other.end <= span.start).at(-1)?.end ?? 0;
  const after = spans.find((other) => other.start >= span.end)?.start ?? length;
  const newStart = Math.max(before, Math.min(start, span.end - 1));
  const newEnd = Math.min(after, Math.max(end, newStart + 1));
  if (newStart === span.start && newEnd === span.end) return null;
  return { remove: [span], add: [decided(newStart, newEnd, span.label)] };
}

// A neighbour becomes part of the span.
export function joining(span, other) {
  const joined = decided(Math.min(span.start, other.start), Math.max(span.end, other.end), span.label);
  return { remove: [span, other], add: [joined] };
}

// The least certain first.
export const byDoubt = (a, b) => a.score - b.score || a.start - b.start;

export function doubtful(spans, threshold) {
  return spans.filter((span) => span.score < threshold).sort(byDoubt);
}

export const countDoubtful = (spans, threshold) =>
  spans.reduce((count, span) => count + (span.score < threshold ? 1 : 0), 0);
