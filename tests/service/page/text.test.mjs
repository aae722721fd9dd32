import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { blockBounds } from "../../../src/nadie/service/page/core/blocks.js";
import { occurrences } from "../../../src/nadie/service/page/core/occurrences.js";
import { Offsets } from "../../../src/nadie/service/page/core/offsets.js";
import { folded, places } from "../../../src/nadie/service/page/core/search.js";
import { borderAfter, borderBefore, snapped, trimmed } from "../../../src/nadie/service/page/core/words.js";

const CASES = JSON.parse(readFileSync(new URL("../occurrence_cases.json", import.meta.url), "utf-8"));

for (const { text, words, places: expected } of CASES) {
  test(`occurrences as the service finds them: ${words}`, () => assert.deepEqual(occurrences(text, words), expected));
}

test("offsets there and back", () => {
  for (const text of ["", "abc", "😀", "a😀b😀😀c", "👩‍⚕️x", "\ufeffa\r\n", "𝒜𝒷"]) {
    const offsets = new Offsets(text);
    const characters = Array.from(text);
    for (let at = 0; at <= characters.length; at++) {
      const unit = characters.slice(0, at).join("").length;
      assert.equal(offsets.toUtf16(at), unit);
      assert.equal(offsets.toCodePoint(unit), at);
    }
  }
});

test("folding is the same as in the service", () => {
  const cases = JSON.parse(readFileSync(new URL("../folding_cases.json", import.meta.url), "utf-8"));
  for (const [text, expected] of cases) assert.equal(folded(text), expected);
});

test("a search ignores case and accents and keeps the offsets", () => {
  assert.deepEqual(places("MARÍA y maria", "maría"), [[0, 5], [8, 13]]);
  assert.deepEqual(places("İstanbul ÑU", "ñu"), [[9, 11]]);
  assert.deepEqual(places("abc", " "), []);
});

test("borders are those of words", () => {
  const text = "Col. Niños Héroes, 54 años";
  assert.equal(borderBefore(text, 5, "start"), 0);
  assert.equal(borderAfter(text, 10, "end"), 17);
  assert.deepEqual(snapped(text, 6, 8), { start: 5, end: 10 });
  assert.deepEqual(trimmed(" a ", 0, 3), { start: 1, end: 2 });
  assert.equal(trimmed("   ", 0, 3), null);
});

test("blocks cover a text exactly and are not too long", () => {
  const text = `uno\n${"palabra. ".repeat(2000)}\n\nfin`;
  const blocks = [...blockBounds(text)];
  assert.equal(blocks.map(([start, end]) => text.slice(start, end)).join(""), text);
  assert.ok(blocks.every(([start, end]) => end - start <= 4000));
});
