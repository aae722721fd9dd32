// The letters that lead to places: as many as possible have one, the others two, and none is the beginning of another.

const LETTERS = "asdfjklghqwertyuiopzxcvbnm"; // those under the fingers first

export function codes(count) {
  const all = LETTERS.length;
  const single = count <= all ? count : Math.max(0, Math.floor((all * all - count) / (all - 1)));
  const firsts = [...LETTERS].slice(single);
  const double = firsts.flatMap((first) => [...LETTERS].map((second) => first + second));
  return [...LETTERS].slice(0, single).concat(double).slice(0, count);
}
