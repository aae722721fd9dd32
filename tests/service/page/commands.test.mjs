import assert from "node:assert/strict";
import { test } from "node:test";

import { COMMANDS, commandOf, keyOf } from "../../../src/nadie/service/page/core/commands.js";
import { codes } from "../../../src/nadie/service/page/core/hints.js";
import { KEY_OF, LABELS } from "../../../src/nadie/service/page/core/labels.js";
import { Latest } from "../../../src/nadie/service/page/core/latest.js";
import { english } from "../../../src/nadie/service/page/strings/en.js";
import { spanish } from "../../../src/nadie/service/page/strings/es.js";
import { teamEnglish } from "../../../src/nadie/service/page/strings/team_en.js";
import { teamSpanish } from "../../../src/nadie/service/page/strings/team_es.js";

const pressed = (key, held = "") => ({
  key,
  shiftKey: held.includes("s"),
  ctrlKey: held.includes("c"),
  altKey: held.includes("a"),
  metaKey: held.includes("m"),
});

test("no key has two commands", () => {
  const keys = COMMANDS.flatMap((row) => Object.keys(row.keys));
  assert.deepEqual(keys.filter((key, at) => keys.indexOf(key) !== at), []);
});

test("every label has a key of its own, and its key gives it", () => {
  assert.deepEqual(Object.keys(KEY_OF).sort(), [...LABELS].sort());
  for (const [label, key] of Object.entries(KEY_OF)) {
    const letter = key.replace("⇧ ", "");
    for (const typed of [letter, letter.toLowerCase()]) {
      const command = commandOf(pressed(typed, key.startsWith("⇧") ? "s" : ""));
      assert.equal(command.label, label);
      assert.ok(command.decides);
    }
  }
});

test("keys with modifiers", () => {
  const cases = [
    [["d"], "nextDoubtful"],
    [["D", "s"], "previousDoubtful"],
    [["X", "s"], "unmark"],
    [["ArrowRight", "s"], "extendForward"],
    [["z", "c"], "undo"],
    [["Z", "cs"], "redo"],
    [["z", "m"], "undo"],
    [["Enter", "c"], "reviewed"],
    [["Enter", "cs"], "allRight"],
    [["ArrowDown", "a"], "nextDocument"],
    [["?", "s"], "help"],
    [[":", "s"], "extendByHint"],
    [["!", "s"], "flag"],
  ];
  for (const [event, name] of cases) assert.equal(commandOf(pressed(...event))?.name, name, event.join(" "));
  for (const event of [["c", "c"], ["d", "a"], ["C", "s"], ["Delete", "s"], ["ñ"], ["Shift", "s"]]) {
    assert.equal(commandOf(pressed(...event)), undefined, event.join(" "));
  }
});

test("what changes a document or its state decides; what moves the selection does not", () => {
  const deciding = (name) => COMMANDS.filter(({ keys }) => Object.values(keys).includes(name)).every(({ decides }) => decides);
  for (const name of ["confirm", "unmark", "undo", "redo", "reviewed", "allRight", "flag", "editReplacement"]) assert.ok(deciding(name), name);
  for (const name of ["nextDoubtful", "nextMark", "wordForward", "endForward", "nextDocument"]) assert.ok(!deciding(name), name);
});

test("tooltips name the key of the table", () => {
  assert.equal(keyOf("reviewed"), "Ctrl ↵");
  assert.equal(keyOf("nothing"), "");
});

test("codes are different, none is the beginning of another, and the first are short", () => {
  for (const count of [0, 1, 26, 27, 100, 300, 676, 900, 2000]) {
    const made = codes(count);
    assert.equal(new Set(made).size, count);
    const all = new Set(made);
    for (const code of made) for (let end = 1; end < code.length; end++) assert.ok(!all.has(code.slice(0, end)), `${count}: ${code}`);
    assert.ok(made.slice(0, Math.min(count, 20)).every((code) => code.length === 1));
    assert.deepEqual([...made].sort((a, b) => a.length - b.length).map(({ length }) => length), made.map(({ length }) => length));
  }
});

test("both languages have the same texts, with the same values and plurals", () => {
  const shape = (texts) => Object.entries(texts).map(([key, text]) => [key, Array.isArray(text), [...String(text).matchAll(/\{\w+\}/g)].map(String).sort().join()]);
  assert.deepEqual(shape(spanish.texts), shape(english.texts));
  assert.deepEqual(shape(teamSpanish), shape(teamEnglish));
  for (const part of ["labels", "classes", "formats", "policies"]) assert.deepEqual(Object.keys(spanish[part]).sort(), Object.keys(english[part]).sort());
  for (const { text } of COMMANDS) assert.ok(spanish.texts[text] ?? teamSpanish[text], text);
});

test("of each owner only the last request counts", async () => {
  const owner = new Latest();
  let finish = () => {};
  const first = owner.run((signal) => new Promise((resolve) => (finish = () => resolve(signal.aborted))));
  assert.ok(owner.isRunning);
  const second = owner.run(async () => "second");
  finish();
  assert.equal(await first, null, "the late answer is dropped");
  assert.deepEqual(await second, { value: "second" });
  assert.ok(!owner.isRunning);
});

test("the error of a request that is no longer wanted is dropped, another is not", async () => {
  const owner = new Latest();
  let fail = () => {};
  const first = owner.run(() => new Promise((_, reject) => (fail = reject)));
  owner.drop();
  fail(new Error("late"));
  assert.equal(await first, null);
  await assert.rejects(owner.run(async () => { throw new Error("now"); }), /now/);
});
