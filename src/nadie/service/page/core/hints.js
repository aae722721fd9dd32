// The letter codes of places. No code is a prefix of another, and the first places have one letter.

const LETTERS = "asdfjklghqwertyuiopzxcvbnm"; // the home row first
const SINGLE = 20;

// The codes of `count` places: one letter, then two, and three only if there are very many.
/** @param {number} count */
export function codes(count) {
  const letters = [...LETTERS];
  if (count <= letters.length) return letters.slice(0, count);
  const single = Math.max(SINGLE, Math.floor((letters.length ** 2 - count) / (letters.length - 1)));
  const pairs = letters.slice(single).flatMap((first) => letters.map((second) => first + second));
  const missing = Math.max(0, count - single - pairs.length);
  // Each pair that is continued gives way to as many codes as there are letters.
  const continued = Math.ceil(missing / (letters.length - 1));
  const short = pairs.slice(0, pairs.length - continued);
  const long = pairs.slice(pairs.length - continued).flatMap((pair) => letters.map((third) => pair + third));
  return [...letters.slice(0, single), ...short, ...long].slice(0, count);
}
