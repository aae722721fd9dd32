// Search for words in a text, ignoring case and accents. Offsets are UTF-16 units of the original text. The service has
// the same rule in searching.py.

const ACCENTS = new Map(Object.entries({ á: "a", é: "e", í: "i", ó: "o", ú: "u", ü: "u", à: "a", è: "e", ì: "i", ò: "o", ù: "u", â: "a", ê: "e", î: "i", ô: "o", û: "u", ä: "a", ë: "e", ï: "i", ö: "o", ñ: "n", ç: "c" }));
const ACCENTED = new RegExp(`[${[...ACCENTS.keys()].join("")}]`, "gu");

/** @param {string} text */
export function folded(text) {
  let lower = text.toLowerCase();
  if (lower.length !== text.length) {
    lower = Array.from(text, (character) => (character.toLowerCase().length === character.length ? character.toLowerCase() : character)).join("");
  }
  return lower.replace(ACCENTED, (letter) => ACCENTS.get(letter) ?? letter).replace(/\s/gu, " ");
}

/**
 * @param {string} text
 * @param {string} words
 */
export function places(text, words) {
  const wanted = folded(words);
  /** @type {[number, number][]} */
  const found = [];
  if (!wanted.trim()) return found;
  const searched = folded(text);
  for (let at = searched.indexOf(wanted); at >= 0; at = searched.indexOf(wanted, at + wanted.length)) {
    found.push([at, at + wanted.length]);
  }
  return found;
}
