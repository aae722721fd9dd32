// Comparison of two readings of one document: the agreements, and the differences to be adjudicated.

const same = (one, other) => one.start === other.start && one.end === other.end && one.label === other.label;

// { agreed: spans of both, differences: [{ start, end, first: spans, second: spans }] }, in text order.
export function compared(first, second) {
  const agreed = first.filter((span) => second.some((other) => same(span, other)));
  const left = [
    ...first.filter((span) => !agreed.some((other) => same(span, other))).map((span) => ({ span, side: "first" })),
    ...second.filter((span) => !agreed.some((other) => same(span, other))).map((span) => ({ span, side: "second" })),
  ].sort((one, other) => one.span.start - other.span.start || one.span.end - other.span.end);
  const differences = [];
  for (const { span, side } of left) {
    let last = differences.at(-1);
    // Overlapping spans are one difference, because they cannot both be kept.
    if (!last || span.start >= last.end) {
      last = { start: span.start, end: span.end, first: [], second: [] };
      differences.push(last);
    }
    last.end = Math.max(last.end, span.end);
    last[side].push(span);
  }
  return { agreed, differences };
}

// The final spans, given a choice for each difference: "first", "second" or "neither".
export function decided({ agreed, differences }, choices) {
  const chosen = differences.flatMap((difference, at) => difference[choices[at]] ?? []);
  return [...agreed, ...chosen].sort((one, other) => one.start - other.start);
}
