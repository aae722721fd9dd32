// The sample next to the text: what its review says so far, and the notes of which the model is least sure.

import { byId, element } from "../core/dom.js";
import { currentLanguage, labelName, t } from "../core/i18n.js";
import { Latest } from "../core/latest.js";
import { complain } from "./messages.js";
import { table } from "./table.js";

/**
 * @typedef {{name: string, found: number, of: number, estimate: number, low: number, high: number, at_most: number}} Share
 * @typedef {{open: boolean, unit: string, notes: number, unsure: number, drawn: number, reviewed: number, goal: number, level: number,
 *   bound: number, holds: boolean | null, leaking: number, more: number, shares: Share[], labels: Share[],
 *   types: Share[], languages: Share[], agreement: Agreement | null}} Sample
 * @typedef {{notes: number, kappa: number | null, leaks: number, unseen: number}} Agreement
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
  #notes = 0; // documents with higher numbers are not part of the sample,
  #last = 0; // and up to this one they are those of which the model was least sure
  #request = new Latest();
  #shown = ""; // the figures are rendered again only if they differ

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
    const answer = await this.#request.run((signal) => this.#api.get("/v1/project/sample", { signal }));
    if (!answer) return;
    const { data } = answer.value;
    byId("tab-sample").hidden = !data.open;
    if (!data.open) return;
    [this.#notes, this.#last] = [data.notes, data.notes + data.unsure];
    byId("sample-unsure").hidden = !this.#unsure().length;
    const shown = JSON.stringify([data, currentLanguage()]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const figures = byId("sample-figures");
    const unfolded = [...figures.querySelectorAll("details")].map(({ open }) => open);
    figures.replaceChildren(
      element("p", { id: "sample-statement" }, statement(data)),
      shares("sample-shares", t("sampleTitle"), data.shares, (name) => t(NAMES[name])),
      ...details(data),
    );
    figures.querySelectorAll("details").forEach((each, at) => (each.open = unfolded[at] ?? false));
  }

  // Those of them that are to do, the most doubtful first. Second readings have higher numbers and are none of them.
  #unsure() {
    const left = this.#session.documents.filter(({ id, state }) => this.#notes < id && id <= this.#last && state === "todo");
    return left.sort((a, b) => b.doubtful - a.doubtful);
  }

  async #openUnsure() {
    const [first] = this.#unsure();
    if (first) await this.#session.open(first.id);
  }
}

/**
 * @param {string} id
 * @param {string} title
 * @param {Share[]} some
 * @param {(name: string) => string} called
 */
function shares(id, title, some, called) {
  const heads = [t("sampleShare"), t("sampleFound"), t("sampleEstimate"), t("sampleAtMost")];
  const rows = some.map(({ name, found, of, estimate, at_most: atMost }) => [
    called(name),
    `${found} / ${of}`,
    percent(estimate),
    percent(atMost),
  ]);
  return table(id, title, heads, rows);
}

// What is folded up: each label, each kind of note, and what two reviewers found.
/** @param {Sample} sample */
function details({ labels, types, languages, agreement }) {
  if (!labels.length) return [];
  const kind = (/** @type {string} */ name) => t(/** @type {TextKey} */ (`kind_${name}`));
  const folded = [
    [t("sampleLabels"), shares("sample-labels", t("sampleLabels"), labels, labelName)],
    [t("sampleKinds"), shares("sample-kinds", t("sampleKinds"), [...types, ...languages], kind)],
  ].map(([title, content]) => element("details", {}, element("summary", {}, title), content));
  return agreement ? [...folded, element("p", { id: "sample-twice" }, t("sampleTwice", twice(agreement)))] : folded;
}

/** @param {Agreement} agreement */
function twice({ notes, kappa, leaks, unseen }) {
  return { notes, leaks, kappa: kappa?.toFixed(3) ?? "–", unseen: unseen.toFixed(1) };
}

/** @param {Sample} sample */
function statement({ unit, holds, reviewed, drawn, bound, goal, level, more }) {
  const shares = { bound: percent(bound), goal: percent(goal), level: percent(level, 0) };
  const units = t(/** @type {TextKey} */ (`sampleUnit_${unit}`));
  const values = { ...shares, units, reviewed, drawn, more, needed: reviewed + more };
  if (holds === null) return t("sampleOpen", values);
  return t(holds ? "sampleHolds" : "sampleFails", values);
}
