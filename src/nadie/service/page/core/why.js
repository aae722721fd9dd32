// Why a span was found: the words that the inspector shows, and the value in them. The service says the same in
// nadie/run/explaining.py.

import { folded } from "./search.js";

/** @type {Record<string, TextKey>} */
const FIXED = {
  field: "whyField",
  "unknown field": "whyField",
  doubtful: "whyDoubtful",
  threshold: "whyThreshold",
  "deny-list": "whyList",
};
/** @type {[string, TextKey][]} */
const NAMED = [
  ["own:", "whyOwnPattern"],
  ["patterns:", "whyPattern"],
  ["known:", "whyKnown"],
];
const COMPLETED = "complete:";

/**
 * @param {Span} span
 * @param {Span[]} spans of the same document
 * @param {(span: Span) => string} textOf
 * @returns {{text: TextKey, value: string}}
 */
export function whyOf(span, spans, textOf) {
  if (span.source in FIXED) return { text: FIXED[span.source], value: "" };
  for (const [beginning, text] of NAMED) {
    if (span.source.startsWith(beginning)) return { text, value: span.source.slice(beginning.length) };
  }
  if (!span.source.startsWith(COMPLETED)) return { text: "byModel", value: span.source };
  const words = wordsOf(textOf(span));
  const first = spans.find((other) => !other.source.startsWith(COMPLETED) && wordsOf(textOf(other)).some((word) => words.includes(word)));
  return first ? { text: "whyMention", value: textOf(first) } : { text: "whyCompleted", value: "" };
}

/**
 * @param {string} text
 * @returns {string[]}
 */
function wordsOf(text) {
  return folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
