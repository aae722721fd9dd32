// Words and characters as the user sees them, for keyboard navigation. Offsets are UTF-16 units.

const WORD = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
const IN_WORD = /[\p{L}\p{N}\p{M}]/u;
const NEAR = 400;
const graphemes = new Intl.Segmenter("es", { granularity: "grapheme" });

// The word that begins at or after a place, or null at the end of the text.
/**
 * @param {string} text
 * @param {number} from
 * @returns {Place | null}
 */
export function nextWord(text, from) {
  WORD.lastIndex = from;
  const match = WORD.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : null;
}

// The last word that begins before a place.
/**
 * @param {string} text
 * @param {number} before
 * @returns {Place | null}
 */
export function previousWord(text, before) {
  for (let reach = NEAR; ; reach *= 8) {
    const low = Math.max(0, before - reach);
    /** @type {Place | null} */
    let found = null;
    WORD.lastIndex = low;
    for (let match; (match = WORD.exec(text)) && match.index < before; ) {
      // A word at the start of the window may be incomplete, unless the window starts with the text.
      if (match.index > low || low === 0) found = { start: match.index, end: match.index + match[0].length };
    }
    if (found || low === 0) return found;
  }
}

// A border moved by one word: a start to the beginning of a word, an end to the end of one. No span starts at a
// sign that belongs to the word before it, as the dot of "Col.", or ends at one that joins two words, as in "B·KL".
/**
 * @param {string} text
 * @param {number} at
 * @param {Edge} edge
 */
export function borderAfter(text, at, edge) {
  let word = nextWord(text, at);
  if (edge === "start") word = word && nextWord(text, word.end);
  while (word && isAttached(text, word, edge)) word = nextWord(text, word.end);
  return word?.[edge] ?? at;
}

/**
 * @param {string} text
 * @param {number} at
 * @param {Edge} edge
 */
export function borderBefore(text, at, edge) {
  let word = previousWord(text, at);
  if (edge === "end") word = word && previousWord(text, word.start);
  while (word && isAttached(text, word, edge)) word = previousWord(text, word.start);
  return word?.[edge] ?? at;
}

/**
 * @param {string} text
 * @param {Place} word
 * @param {Edge} edge
 */
function isAttached(text, word, edge) {
  const isInWord = (/** @type {number} */ place) => IN_WORD.test(text[place] ?? "");
  return !isInWord(word.start) && isInWord(edge === "start" ? word.start - 1 : word.end);
}

// One character, with the marks and joiners that belong to it.
/**
 * @param {string} text
 * @param {number} at
 */
export function characterAfter(text, at) {
  const piece = text.slice(at, at + 64);
  const [first] = graphemes.segment(piece);
  return at + (first ? first.segment.length : 0);
}

/**
 * @param {string} text
 * @param {number} at
 */
export function characterBefore(text, at) {
  const low = Math.max(0, at - 64);
  const segments = [...graphemes.segment(text.slice(low, at))];
  return low + (segments.at(-1)?.index ?? at - low);
}

// A selection extended to the borders of words.
/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Place}
 */
export function snapped(text, start, end) {
  const first = wordAround(text, start);
  const last = wordAround(text, end - 1);
  return { start: first && first.start < start ? first.start : start, end: last && last.end > end ? last.end : end };
}

// The nearer border of the word at an offset; an offset between words is unchanged.
/**
 * @param {string} text
 * @param {number} at
 */
export function nearestBorder(text, at) {
  const word = wordAround(text, at);
  if (!word || word.start === at) return at;
  return at - word.start <= word.end - at ? word.start : word.end;
}

// The word that a place is in, null between words.
/**
 * @param {string} text
 * @param {number} at
 */
function wordAround(text, at) {
  if (!IN_WORD.test(String.fromCodePoint(text.codePointAt(at) ?? 0))) return null;
  const word = previousWord(text, at + 1);
  return word && word.start <= at && at < word.end ? word : null;
}

// A selection without the white space at its ends; null if nothing is left of it.
/**
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Place | null}
 */
export function trimmed(text, start, end) {
  while (start < end && /\s/u.test(text[start])) start++;
  while (end > start && /\s/u.test(text[end - 1])) end--;
  return start < end ? { start, end } : null;
}
