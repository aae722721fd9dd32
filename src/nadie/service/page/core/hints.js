// The letter codes of places: as many as possible have one letter, the others two, and no code is a prefix of another.

const LETTERS = "asdfjklghqwertyuiopzxcvbnm"; // the home row first

export function codes(count) {
  const all = LETTERS.length;
  const single = count <= all ? count : Math.max(0, Math.floor((all * all - count) / (all - 1)));
  const firsts = [...LETTERS].slice(single);
  const double = firsts.flatMap((first) => [...LETTERS].map((second) => first + second));
  return [...LETTERS].slice(0, single).concat(double).slice(0, count);
}
