import assert from "node:assert/strict";
import test from "node:test";

import { between, movedBox, shownBoxes } from "../../../src/nadie/service/page/core/page_boxes.js";

const page = {
  number: 2,
  image: "",
  words: [[0, 3, 0.1, 0.1, 0.2, 0.12], [4, 9, 0.21, 0.1, 0.4, 0.12], [10, 14, 0.1, 0.2, 0.3, 0.22]],
  graphics: [[0.6, 0.6, 0.8, 0.8]],
};
const span = { start: 0, end: 14, label: "CALLE", score: 1, source: "" };

test("a mark has one box for each of its lines", () => {
  const boxes = shownBoxes(page, [span], []).filter(({ kind }) => kind === "mark");
  assert.deepEqual(boxes.map(({ left, right, top }) => [left, right, top]), [[0.1, 0.4, 0.1], [0.1, 0.3, 0.2]]);
});

test("a graphic goes when a kept box is around its middle, on this page only", () => {
  const kept = { page: 2, left: 0.6, top: 0.6, right: 0.8, bottom: 0.8, kept: true };
  assert.equal(shownBoxes(page, [], [kept]).length, 0);
  assert.equal(shownBoxes(page, [], [{ ...kept, page: 1 }]).length, 1);
});

test("boxes stay on the page", () => {
  assert.deepEqual(between({ x: 0.5, y: 1.2 }, { x: -1, y: 0.5 }), { left: 0, top: 0.5, right: 0.5, bottom: 1 });
  assert.deepEqual(movedBox({ left: 0.5, top: 0.5, right: 1, bottom: 1 }, 0.3, -0.5), { left: 0.5, top: 0, right: 1, bottom: 0.5 });
});
