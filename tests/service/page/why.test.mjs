import assert from "node:assert/strict";
import { test } from "node:test";

import { whyOf } from "../../../src/nadie/service/page/core/why.js";

const TEXT = "Ana Pérez Soto. Ingresa PEREZ.";
/** @param {number} start @param {number} end @param {string} source */
const span = (start, end, source) => ({ start, end, label: "NOMBRE_SUJETO_ASISTENCIA", score: 1, source });
const first = span(0, 14, "fast");
/** @param {string} source */
const why = (source) => whyOf(span(24, 29, source), [first, span(24, 29, source)], ({ start, end }) => TEXT.slice(start, end));

test("a span that follows from another one quotes it, whatever its case and accents", () =>
  assert.deepEqual(why("complete:names"), { text: "whyMention", value: "Ana Pérez Soto" }));

for (const [source, text, value] of [
  ["fast", "byModel", "fast"],
  ["field", "whyField", ""],
  ["own:beds", "whyOwnPattern", "beds"],
  ["patterns:dni", "whyPattern", "dni"],
  ["known:nombre", "whyKnown", "nombre"],
  ["deny-list", "whyList", ""],
]) {
  test(`the reason of ${source}`, () => assert.deepEqual(why(source), { text, value }));
}
