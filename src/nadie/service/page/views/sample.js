// The sample next to the text: what its review says so far, and the notes of which the model is least sure.

import { byId, element } from "../core/dom.js";
import { currentLanguage, t } from "../core/i18n.js";
import { complain } from "./messages.js";
import { table } from "./table.js";

/**
 * @typedef {{name: string, found: number, of: number, estimate: number, low: number, high: number, at_most: number}} Share
 * @typedef {{open: boolean, unit: string, notes: number, drawn: number, reviewed: number, goal: number, level: number,
 *   bound: number, holds: boolean | null, leaking: number, more: number, shares: Share[]}} Sample
 */

/** @type {Record<string, TextKey>} */
const NAMES = {
  notes_direct: "sampleNotesDirect",
  notes_any: "sampleNotesAny",
  identifiers: "sampleIdentifiers",
  direct: "sampleDirect",
  quasi: "sampleQuasi",
  false_alarms: "sampleFalseAlarms",
};

/**
 * @param {number} share
 * @param {number} digits
 */
function percent(share, digits = 2) {
  return new Intl.NumberFormat(currentLanguage(), { style: "percent", maximumFractionDigits: digits }).format(share);
}

export class SamplePanel {
  #session;
  #api;
  #notes = 0; // documents with higher numbers are not part of the sample

  /**
   * @param {Session} session
   * @param {Api} api
   */
  constructor(session, api) {
    this.#session = session;
    this.#api = api;
    byId("sample-unsure").addEventListener("click", () => this.#openUnsure().catch(complain));
    session.addEventListener("tab", () => session.tab === "sample" && this.#load().catch(complain));
    session.addEventListener("documents", () => session.tab === "sample" && this.#load().catch(complain));
    if (session.backend.keeps) this.#load().catch(complain);
  }

  async #load() {
    const { data } = await this.#api.get("/v1/project/sample");
    byId("tab-sample").hidden = !data.open;
    if (!data.open) return;
    this.#notes = data.notes;
    byId("sample-unsure").hidden = !this.#unsure().length;
    byId("sample-figures").replaceChildren(element("p", { id: "sample-statement" }, statement(data)), this.#table(data));
  }

  /** @param {Sample} sample */
  #table({ shares }) {
    const heads = [t("sampleShare"), t("sampleFound"), t("sampleEstimate"), t("sampleAtMost")];
    const rows = shares.map((/** @type {Share} */ { name, found, of, estimate, at_most: atMost }) => [
      t(NAMES[name]),
      `${found} / ${of}`,
      percent(estimate),
      percent(atMost),
    ]);
    return table("sample-shares", t("sampleTitle"), heads, rows);
  }

  // The documents outside the sample that are to do, the most doubtful first.
  #unsure() {
    const left = this.#session.documents.filter(({ id, state }) => id > this.#notes && state === "todo");
    return left.sort((a, b) => b.doubtful - a.doubtful);
  }

  async #openUnsure() {
    const [first] = this.#unsure();
    if (first) await this.#session.open(first.id);
  }
}

/** @param {Sample} sample */
function statement({ holds, reviewed, drawn, bound, goal, level, more }) {
  const values = { reviewed, drawn, bound: percent(bound), goal: percent(goal), level: percent(level, 0), more };
  if (holds === null) return t("sampleOpen", values);
  return t(holds ? "sampleHolds" : "sampleFails", values);
}
