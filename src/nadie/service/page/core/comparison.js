// Comparison of two readings of one document: the agreements, and the differences to be adjudicated.

/**
 * @typedef {Place & {first: Span[], second: Span[]}} Difference
 * @typedef {{agreed: Span[], differences: Difference[]}} Comparison
 */

/**
 * @param {Span} one
 * @param {Span} other
 */
const same = (one, other) => one.start === other.start && one.end === other.end && one.label === other.label;

// { agreed: spans of both, differences: [{ start, end, first: spans, second: spans }] }, in text order.
/**
 * @param {Span[]} first
 * @param {Span[]} second
 * @returns {Comparison}
 */
export function compared(first, second) {
  const agreed = first.filter((span) => second.some((other) => same(span, other)));
  /** @type {{span: Span, side: "first" | "second"}[]} */
  const left = [
    ...first.filter((span) => !agreed.some((other) => same(span, other))).map((span) => ({ span, side: /** @type {const} */ ("first") })),
    ...second.filter((span) => !agreed.some((other) => same(span, other))).map((span) => ({ span, side: /** @type {const} */ ("second") })),
  ].sort((one, other) => one.span.start - other.span.start || one.span.end - other.span.end);
  /** @type {Difference[]} */
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

// The final spans, given the spans chosen for each difference.
/**
 * @param {Comparison} comparison
 * @param {Span[][]} chosen
 */
export function decided({ agreed }, chosen) {
  return [...agreed, ...chosen.flat()].sort((one, other) => one.start - other.start);
}
