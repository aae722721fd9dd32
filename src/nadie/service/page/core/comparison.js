// Two readings of one document: where they agree, and the places where somebody has to decide.

const same = (one, other) => one.start === other.start && one.end === other.end && one.label === other.label;

// { agreed: spans of both, differences: [{ start, end, first: spans, second: spans }] }, in the order of the text.
export function compared(first, second) {
  const agreed = first.filter((span) => second.some((other) => same(span, other)));
  const left = [
    ...first.filter((span) => !agreed.some((other) => same(span, other))).map((span) => ({ span, side: "first" })),
    ...second.filter((span) => !agreed.some((other) => same(span, other))).map((span) => ({ span, side: "second" })),
  ].sort((one, other) => one.span.start - other.span.start || one.span.end - other.span.end);
  const differences = [];
  for (const { span, side } of left) {
    let last = differences.at(-1);
    // Spans that touch each other are one difference, because not both of them can stand.
    if (!last || span.start >= last.end) {
      last = { start: span.start, end: span.end, first: [], second: [] };
      differences.push(last);
    }
    last.end = Math.max(last.end, span.end);
    last[side].push(span);
  }
  return { agreed, differences };
}

// The spans that stand when each difference has its choice: "first", "second" or "neither".
export function decided({ agreed, differences }, choices) {
  const chosen = differences.flatMap((difference, at) => difference[choices[at]] ?? []);
  return [...agreed, ...chosen].sort((one, other) => one.start - other.start);
}
