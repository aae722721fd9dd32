// Other occurrences of the same words. The service has the same rule in occurrences.py; one table of cases tests both.

const SPACE = /[\t\n\v\f\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/u;
const IN_WORD = /[\p{L}\p{N}\p{M}]/u;

// Ranges in code points, of whole words, ignoring case and differences of white space.
/**
 * @param {string} text
 * @param {string} words
 * @returns {[number, number][]}
 */
export function occurrences(text, words) {
  if (!mayHave(text, words)) return [];
  const { characters, searched } = prepared(text);
  const wanted = Array.from(words).map(folded);
  /** @type {[number, number][]} */
  const places = [];
  if (!wanted.some((character) => character !== " ")) return places;
  const last = searched.length - wanted.length;
  for (let start = 0; start <= last; start++) {
    if (searched[start] !== wanted[0] || !matches(searched, wanted, start)) continue;
    const end = start + wanted.length;
    if (!whole(characters, start, end)) continue;
    places.push([start, end]);
    start = end - 1;
  }
  return places;
}

// The removed and added spans if the words get that label everywhere. A span with exactly these words gets
// the label; words inside another span, or across its border, are not changed. With `having`, only spans that have
// that label get the new one.
/**
 * @param {string} text
 * @param {Span[]} spans
 * @param {string} words
 * @param {string} label
 * @param {string | null} having
 * @returns {SpanChange}
 */
export function marking(text, spans, words, label, having = null) {
  /** @type {SpanChange} */
  const { remove, add } = { remove: [], add: [] };
  for (const [start, end] of occurrences(text, words)) {
    const touching = spans.filter((span) => span.start < end && start < span.end);
    const exact = touching.length === 1 && touching[0].start === start && touching[0].end === end;
    if (touching.length && (!exact || (touching[0].label === label && touching[0].score === 1))) continue;
    if (having && touching[0]?.label !== having) continue;
    remove.push(...touching);
    add.push({ start, end, label, score: 1, source: "person" });
  }
  return { remove, add };
}

/**
 * @param {string} text
 * @param {Span[]} spans
 * @param {string} words
 * @param {string | null} having
 * @returns {SpanChange}
 */
export function unmarking(text, spans, words, having = null) {
  const places = new Set(occurrences(text, words).map(([start, end]) => `${start}-${end}`));
  const fits = (/** @type {Span} */ span) => places.has(`${span.start}-${span.end}`) && (!having || span.label === having);
  return { remove: spans.filter(fits), add: [] };
}

// Whether the longest word is in the text at all: a quick test for thousands of documents.
/**
 * @param {string} text
 * @param {string} words
 */
function mayHave(text, words) {
  const longest = words.toLowerCase().split(/\s+/u).reduce((best, word) => (word.length > best.length ? word : best), "");
  return !/^[\w\u00c0-\u024f]+$/u.test(longest) || text.toLowerCase().includes(longest);
}

// The same text is searched repeatedly, so its folded form is cached.
/** @type {{text: string | null, characters: string[], searched: string[]}} */
let last = { text: null, characters: [], searched: [] };

/** @param {string} text */
function prepared(text) {
  if (last.text !== text) {
    const characters = Array.from(text);
    last = { text, characters, searched: characters.map(folded) };
  }
  return last;
}

/** @param {string} character */
function folded(character) {
  if (SPACE.test(character)) return " ";
  const lower = character.toLowerCase();
  return Array.from(lower).length === 1 ? lower : character;
}

/**
 * @param {string[]} searched
 * @param {string[]} wanted
 * @param {number} start
 */
function matches(searched, wanted, start) {
  for (let at = 0; at < wanted.length; at++) if (searched[start + at] !== wanted[at]) return false;
  return true;
}

/**
 * @param {string[]} characters
 * @param {number} start
 * @param {number} end
 */
function whole(characters, start, end) {
  const inWord = (/** @type {number} */ at) => at >= 0 && at < characters.length && IN_WORD.test(characters[at]);
  return !(inWord(start - 1) && inWord(start)) && !(inWord(end - 1) && inWord(end));
}
