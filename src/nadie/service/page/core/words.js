// Words and characters as a person sees them, for moving through a text by keyboard. Offsets are UTF-16 units.

const WORD = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
const NEAR = 400;
const graphemes = new Intl.Segmenter("es", { granularity: "grapheme" });

// The word that begins at or after a place, or null at the end of the text.
export function nextWord(text, from) {
  WORD.lastIndex = from;
  const match = WORD.exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : null;
}

// The last word that begins before a place.
export function previousWord(text, before) {
  for (let reach = NEAR; ; reach *= 8) {
    const low = Math.max(0, before - reach);
    let found = null;
    WORD.lastIndex = low;
    for (let match; (match = WORD.exec(text)) && match.index < before; ) {
      // A word cut by the beginning of the window is not trusted unless that is the beginning of the text.
      if (match.index > low || low === 0) found = { start: match.index, end: match.index + match[0].length };
    }
    if (found || low === 0) return found;
  }
}

// Where a border goes by one word: a start to the beginning of a word, an end to the end of one.
export function borderAfter(text, at, edge) {
  const word = nextWord(text, at);
  if (edge === "end") return word?.end ?? at;
  return (word && nextWord(text, word.end))?.start ?? at;
}

export function borderBefore(text, at, edge) {
  const word = previousWord(text, at);
  if (edge === "start") return word?.start ?? at;
  return (word && previousWord(text, word.start))?.end ?? at;
}

// One character, with the marks and joiners that belong to it.
export function characterAfter(text, at) {
  const piece = text.slice(at, at + 64);
  const [first] = graphemes.segment(piece);
  return at + (first ? first.segment.length : 0);
}

export function characterBefore(text, at) {
  const low = Math.max(0, at - 64);
  const segments = [...graphemes.segment(text.slice(low, at))];
  return segments.length ? low + segments.at(-1).index : at;
}

// A selection without the white space at its ends; null if nothing is left of it.
export function trimmed(text, start, end) {
  while (start < end && /\s/u.test(text[start])) start++;
  while (end > start && /\s/u.test(text[end - 1])) end--;
  return start < end ? { start, end } : null;
}
