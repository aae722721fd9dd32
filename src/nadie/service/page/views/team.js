// The team: active users, assignments, second readings and their agreement, time per note.

import { byId, element, icon } from "../core/dom.js";
import { labelName, percent, t } from "../core/i18n.js";
import { adjudicate } from "./adjudication.js";
import { ask } from "./dialogs.js";
import { showHistory, showLog } from "./history.js";
import { showImplied } from "./implied.js";
import { complain, say } from "./messages.js";
import { showPeople } from "./people.js";
import { table } from "./table.js";

const HEARD_MS = 5000;
const IDLE_MS = 60_000;
const SIGNS_OF_LIFE = ["keydown", "pointerdown", "pointermove", "wheel", "touchstart"];

/**
 * @typedef {{name: string, documents: number, reviewed: number}} Reviewer
 * @typedef {{document: number, name: string, first: string, second: string, ready: boolean, own?: boolean, adjudicator: string}} Pair
 * @typedef {{f1: number, kappa?: number | null, both: number, first_only: number, second_only: number}} Agreement
 */

// Show the user's actions in the project, and the other users.
/**
 * @param {Session} session
 * @param {Api} api
 * @param {Me} me
 */
export function joinTeam(session, api, me) {
  session.mayTakeOriginals = me.permissions.includes("originals");
  session.mayAdminister = me.permissions.includes("administer");
  document.body.classList.toggle("for-review", !session.mayAdminister);
  new TeamView(session, api, me);
}

class TeamView {
  #session;
  #api;
  #me;
  /** @type {{present: {editor: string, document: number | null}[], assignments: Record<number, string>}} */
  #state = { present: [], assignments: {} };
  /** @type {Reviewer[]} */
  #reviewers = [];
  #lastSign = performance.now();
  #people = element("p", { id: "people", class: "people", role: "status" });

  /**
   * @param {Session} session
   * @param {Api} api
   * @param {Me} me
   */
  constructor(session, api, me) {
    this.#session = session;
    this.#api = api;
    this.#me = me;
    byId("toolbar").before(this.#people);
    const history = element("button", { id: "history", type: "button", class: "tool", data: { tLabel: "history" }, onclick: () => showHistory(session, api).catch(complain) }, icon("i-history"));
    byId("document-state").prepend(history);
    if (this.#may("administer") || this.#may("adjudicate")) this.#addButton("team", () => this.#show());
    if (this.#may("administer")) this.#addButton("implied", () => showImplied(api), "show-implied");
    if (this.#may("administer") && me.sign_on !== "none") this.#addButton("people", () => showPeople(api), "show-people");
    for (const kind of SIGNS_OF_LIFE) addEventListener(kind, () => (this.#lastSign = performance.now()), { passive: true, capture: true });
    session.addEventListener("document", () => this.#hear());
    setInterval(() => document.hidden || this.#hear(), HEARD_MS);
    this.#hear();
  }

  /**
   * @param {TextKey} text
   * @param {() => Promise<void>} work
   * @param {string} id
   */
  #addButton(text, work, id = text) {
    byId("language").before(element("button", { id, type: "button", class: "quiet", data: { t: text }, onclick: () => work().catch(complain) }));
  }

  /** @param {string} permission */
  #may(permission) {
    return this.#me.permissions.includes(permission);
  }

  // The time on a document counts only while somebody works on it.
  async #hear() {
    const active = performance.now() - this.#lastSign < IDLE_MS;
    try {
      const { data } = await this.#api.put("/v1/project/presence", { document: this.#session.document?.id ?? null, active });
      this.#state = data;
      this.update();
    } catch {
      // Presence is requested again in a moment; connection problems are reported elsewhere.
    }
  }

  update() {
    const { present, assignments } = this.#state;
    const id = this.#session.document?.id;
    const here = present.filter(({ document }) => document === id && id !== undefined).map(({ editor }) => editor);
    const parts = [
      id !== undefined && assignments[id] ? t("assignedTo", { name: assignments[id] }) : null,
      here.length ? t("alsoHere", { names: here.join(", "), n: here.length }) : null,
    ];
    const text = parts.filter(Boolean).join(" · ");
    if (this.#people.textContent !== text) this.#people.textContent = text;
  }

  async #show() {
    await this.#hear();
    const content = [];
    if (this.#may("administer")) {
      this.#reviewers = (await this.#api.get("/v1/project/people")).data;
      content.push(this.#assignment(), this.#workload());
    }
    if (this.#may("adjudicate")) content.push(await this.#pairs(), await this.#agreement());
    content.push(await this.#times());
    await ask(t("team"), content, { cancel: "close", wide: true });
  }

  // Reviewers are chosen from a list: a mistyped name would hide a note from everybody.
  #assignment() {
    const boxes = this.#reviewers.map(({ name }) =>
      element("label", {}, element("input", { type: "checkbox", name: "reviewer", value: name }), element("span", {}, name)),
    );
    const reviewers = element("div", { id: "reviewers", class: "roles", role: "group", "aria-label": t("reviewers") }, ...boxes);
    const twice = element("input", { id: "twice", type: "number", min: "0", max: "100", step: "1", value: "10" });
    const deal = element("button", { id: "deal", type: "button", class: "primary" }, t("deal"));
    const chosen = () => [...reviewers.querySelectorAll("input")].filter(({ checked }) => checked).map(({ value }) => value);
    deal.addEventListener("click", () => this.#deal(chosen(), Number(twice.value)).catch(complain));
    const log = element("button", { id: "log", type: "button", class: "framed" }, t("showLog"));
    log.addEventListener("click", () => showLog(this.#api).catch(complain));
    return element(
      "fieldset",
      {},
      element("legend", {}, t("assignment")),
      element("p", { class: "remark" }, t("reviewers")),
      reviewers,
      element("label", { class: "stacked" }, t("twice"), twice),
      element("div", { class: "row" }, deal, log),
      ...this.#assignmentOfOne(),
    );
  }

  #assignmentOfOne() {
    const { document: open } = this.#session;
    if (!open) return [];
    const now = this.#state.assignments[open.id] ?? "";
    const names = [...new Set(["", ...this.#reviewers.map(({ name }) => name), now])];
    const one = element("select", { id: "reviewer" }, ...names.map((name) => element("option", { value: name, selected: name === now }, name || t("nobody"))));
    const give = element("button", { id: "give", type: "button", class: "framed" }, t("assignOne"));
    give.addEventListener("click", () => this.#give(open.id, one.value).catch(complain));
    return [element("label", { class: "stacked" }, t("reviewerOf", { name: open.name }), one), element("div", { class: "row" }, give)];
  }

  /**
   * @param {string[]} reviewers
   * @param {number} share
   */
  async #deal(reviewers, share) {
    if (!reviewers.length) {
      say(t("chooseReviewers"), { bad: true });
      return;
    }
    const twice = reviewers.length > 1 ? share / 100 : 0;
    const { data } = await this.#api.post("/v1/project/assignments", { reviewers, twice });
    say(t("dealt", { n: data.assigned, twice: data.twice }));
    await this.#changed();
  }

  /**
   * @param {number} id
   * @param {string} reviewer
   */
  async #give(id, reviewer) {
    await this.#api.put("/v1/project/assignments", { documents: [id], reviewer });
    say(reviewer ? t("assignedTo", { name: reviewer }) : t("assignedToNobody"));
    await this.#changed();
  }

  async #changed() {
    await this.#session.refresh();
    await this.#hear();
    document.querySelector("#workload")?.replaceWith(this.#workload());
  }

  #workload() {
    /** @type {Map<string, [number, number]>} */
    const rows = new Map();
    for (const { id, state } of this.#session.documents) {
      const name = this.#state.assignments[id] ?? t("nobody");
      const [all, reviewed] = rows.get(name) ?? [0, 0];
      rows.set(name, [all + 1, reviewed + (state === "reviewed" ? 1 : 0)]);
    }
    return table("workload", t("workload"), [t("reviewer"), t("documents"), t("stateReviewed")], [...rows].map(([name, counts]) => [name, ...counts]));
  }

  async #times() {
    const { data } = await this.#api.get("/v1/project/times");
    /** @type {Map<string, number[]>} */
    const byPerson = new Map();
    for (const { editor, seconds } of data) byPerson.set(editor, [...(byPerson.get(editor) ?? []), seconds]);
    const rows = [...byPerson].map(([name, all]) => {
      const sum = all.reduce((one, other) => one + other, 0);
      return [name, all.length, duration(sum), duration(sum / all.length)];
    });
    return table("times", t("times"), [t("reviewer"), t("documents"), t("timeAll"), t("timeEach")], rows);
  }

  async #pairs() {
    const { data } = await this.#api.get("/v1/project/pairs");
    const rows = data.map((/** @type {Pair} */ pair) => [pair.name, pair.first, pair.second, this.#decision(pair)]);
    return table("pairs", t("pairs"), [t("document"), t("firstReading"), t("secondReading"), t("decision")], rows);
  }

  /** @param {Pair} pair */
  #decision({ document: id, name, ready, own, adjudicator }) {
    if (adjudicator) return t("decidedBy", { name: adjudicator });
    if (!ready) return t("notReady");
    if (own) return t("ownReading");
    const button = element("button", { type: "button", class: "framed", "aria-label": `${t("decide")}: ${name}` }, t("decide"));
    button.addEventListener("click", () => this.#decide(id).catch(complain));
    return button;
  }

  /** @param {number} id */
  async #decide(id) {
    if (!(await adjudicate(this.#api, id))) return;
    say(t("saidDecided"));
    await this.#session.refresh();
    document.querySelector("#pairs")?.replaceWith(await this.#pairs());
    document.querySelector("#agreement")?.replaceWith(await this.#agreement());
  }

  async #agreement() {
    const { data } = await this.#api.get("/v1/project/agreement");
    const kappaOf = (/** @type {number | null | undefined} */ kappa) => (kappa === null || kappa === undefined ? "–" : kappa.toFixed(2).replace(".", t("decimalSign")));
    const row = (/** @type {string} */ name, /** @type {Agreement} */ { f1, kappa, both, first_only, second_only }) => [name, percent(f1), kappaOf(kappa), both, first_only, second_only];
    const each = data.labels.map((/** @type {Agreement & {label: string}} */ found) => row(labelName(found.label), found));
    const rows = data.documents ? [row(t("everyLabel"), data.overall), ...each] : [];
    return table("agreement", t("agreement", { n: data.documents }), [t("label"), "F1", "κ", t("inBoth"), t("inFirst"), t("inSecond")], rows);
  }
}

// 3:05 or 1:03:05.
/** @param {number} seconds */
function duration(seconds) {
  const whole = Math.round(seconds);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
