import assert from "node:assert/strict";
import { test } from "node:test";

import { linesOf } from "../../../src/nadie/service/page/core/events.js";

test("no entry of the history is in English on the Spanish page", () => {
  for (const kind of ["changed", "commented", "uncommented", "deleted", "patient", "patients", "flagged", "unflagged", "something new"]) {
    const [line] = linesOf({ document: 1, version: 2, kind, at: "", editor: "ana", removed: [], added: [], detail: {} });
    assert.notEqual(line, kind);
    assert.match(line, /^\p{Lu}/u);
  }
});
