import assert from "node:assert/strict";
import { test } from "node:test";

import { compared, decided as finalSpans } from "../../../src/nadie/service/page/core/comparison.js";
import { History } from "../../../src/nadie/service/page/core/history.js";
import { adding, combined, decided, inverse, isConfirmation, moving, nextDoubtful, nextMark, relabelling, removing, stateAfter } from "../../../src/nadie/service/page/core/spans.js";

const span = (start, end, label = "FECHAS", score = 0.5) => ({ start, end, label, score, source: "probe" });
const places = (spans) => spans.map(({ start, end }) => [start, end]);

test("a new span leaves the rest of older ones covered", () => {
  const older = [span(0, 10), span(20, 30)];
  const change = adding(older, span(5, 22, "CALLE"));
  assert.deepEqual(change.remove, older);
  assert.deepEqual(places(change.add), [[5, 22], [0, 5], [22, 30]]);
});

test("a border stops at its neighbours", () => {
  const cases = [
    [11, 20, [11, 20]],
    [5, 20, [10, 20]],
    [12, 40, [12, 30]],
    [25, 20, [19, 20]],
    [12, 3, [12, 13]],
  ];
  const spans = [span(0, 10), span(12, 20), span(30, 40)];
  for (const [start, end, result] of cases) assert.deepEqual(places(moving(spans, spans[1], start, end, 50).add), [result]);
  assert.equal(moving(spans, spans[1], 12, 20, 50), null);
});

test("changes that follow each other are one, with the state before the first", () => {
  const [first, second, third] = [span(0, 5), span(0, 6), span(0, 7)];
  const net = combined([
    { document: 1, remove: [first], add: [second], before: "reviewed" },
    { document: 1, remove: [second], add: [third], before: "todo" },
    { document: 2, remove: [], add: [first], before: "todo" },
  ]);
  assert.deepEqual(net, [
    { document: 1, remove: [first], add: [third], before: "reviewed" },
    { document: 2, remove: [], add: [first], before: "todo" },
  ]);
});

test("confirming is no change, everything else is", () => {
  const old = span(0, 5);
  assert.ok(isConfirmation(relabelling(old, "FECHAS")));
  for (const change of [relabelling(old, "CALLE"), removing(old), { remove: [], add: [old] }, { remove: [old], add: [decided(0, 6, "FECHAS")] }]) {
    assert.ok(!isConfirmation(change));
    assert.equal(stateAfter("reviewed", change), "todo");
  }
  assert.equal(stateAfter("reviewed", relabelling(old, "FECHAS")), "reviewed");
  assert.equal(stateAfter("todo", { ...removing(old), state: "reviewed" }), "reviewed");
});

test("undo restores the state, redo does not", () => {
  const change = { document: 1, before: "reviewed", ...removing(span(0, 5)) };
  assert.deepEqual(inverse(change), { document: 1, remove: [], add: [span(0, 5)], state: "reviewed" });
  const history = new History();
  history.record([change], { what: { key: "whatRemoved" } });
  assert.equal(history.undo(1).changes[0].state, "reviewed");
  assert.equal(history.redo(1).changes[0].state, undefined);
});

test("a step over documents is undone only where nothing was done since", () => {
  const history = new History();
  const change = (document) => ({ document, before: "todo", ...removing(span(0, 5)) });
  history.record([change(1), change(2)], {});
  history.record([change(2)], {});
  assert.deepEqual(history.undo(1).changes.map(({ document }) => document), [1]);
  assert.ok(!history.canUndo(1));
  assert.ok(history.canUndo(2));
});

test("the history survives as plain values, and has no text of a document", () => {
  let kept = null;
  const history = new History(() => {
    kept = JSON.stringify(history.steps);
  });
  history.record([{ document: 1, before: "reviewed", ...removing(span(0, 5)) }], { what: { key: "whatRemoved", label: "FECHAS" } });
  const again = new History();
  again.restored(JSON.parse(kept));
  assert.equal(again.undo(1).changes[0].state, "reviewed");
  assert.deepEqual(Object.keys(JSON.parse(kept).done[0].changes[0].remove[0]).sort(), ["end", "label", "score", "source", "start"]);
});

test("navigation wraps around, and the least certain is first", () => {
  const spans = [span(0, 5, "FECHAS", 0.9), span(10, 15, "CALLE", 0.2), span(20, 25, "PAIS", 0.99)];
  assert.equal(nextMark(spans, { start: 20, end: 25 }, 1), spans[0]);
  assert.equal(nextMark(spans, null, -1), spans[2]);
  assert.equal(nextDoubtful(spans, 0.95, null, 1), spans[1]);
  assert.equal(nextDoubtful(spans, 0.95, spans[1], 1), spans[0]);
  assert.equal(nextDoubtful(spans, 0.95, spans[0], 1), spans[1]);
});

test("overlapping spans of two readings are one difference", () => {
  const [same, left, right] = [span(0, 5), span(10, 20), span(15, 25, "CALLE")];
  const comparison = compared([same, left], [same, right]);
  assert.equal(comparison.differences.length, 1);
  assert.deepEqual(places(comparison.differences), [[10, 25]]);
  const third = decided(12, 18, "PAIS");
  assert.deepEqual(finalSpans(comparison, [[third]]), [same, third]);
});
