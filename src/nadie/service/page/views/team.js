// The team: active users, assignments, second readings and their agreement.

import { byId, element, icon } from "../core/dom.js";
import { labelName, percent, t } from "../core/i18n.js";
import { adjudicate } from "./adjudication.js";
import { ask } from "./dialogs.js";
import { showHistory, showLog } from "./history.js";
import { complain, say } from "./messages.js";

const HEARD_MS = 5000;

// Show the user's actions in the project, and the other users.
export function joinTeam(session, api, me) {
  session.mayTakeOriginals = me.permissions.includes("originals");
  document.body.classList.toggle("for-review", !me.permissions.includes("administer"));
  new TeamView(session, api, me);
}

class TeamView {
  /** @type {import("../core/session.js").Session} */
  #session;
  #api;
  #me;
  #state = { present: [], assignments: {} };
  #people = element("p", { id: "people", class: "people", role: "status" });

  constructor(session, api, me) {
    this.#session = session;
    this.#api = api;
    this.#me = me;
    byId("toolbar").before(this.#people);
    const history = element("button", { id: "history", type: "button", class: "tool", data: { tLabel: "history" }, onclick: () => showHistory(api, session.document).catch(complain) }, icon("i-history"));
    byId("toolbar").append(history);
    if (this.#may("administer") || this.#may("adjudicate")) {
      const open = element("button", { id: "team", type: "button", class: "quiet", data: { t: "team" }, onclick: () => this.#show().catch(complain) });
      byId("language").before(open);
    }
    session.addEventListener("document", () => this.#hear());
    setInterval(() => document.hidden || this.#hear(), HEARD_MS);
    this.#hear();
  }

  #may(permission) {
    return this.#me.permissions.includes(permission);
  }

  async #hear() {
    try {
      const { data } = await this.#api.put("/v1/project/presence", { document: this.#session.document?.id ?? null });
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
      assignments[id] ? t("assignedTo", { name: assignments[id] }) : null,
      here.length ? t("alsoHere", { names: here.join(", "), n: here.length }) : null,
    ];
    const text = parts.filter(Boolean).join(" · ");
    if (this.#people.textContent !== text) this.#people.textContent = text;
  }

  async #show() {
    await this.#hear();
    const content = [];
    if (this.#may("administer")) content.push(this.#assignment(), this.#workload());
    if (this.#may("adjudicate")) content.push(await this.#pairs(), await this.#agreement());
    await ask(t("team"), content, { cancel: "close", wide: true });
  }

  #assignment() {
    const reviewers = element("input", { id: "reviewers", type: "text", placeholder: "ana, luis", autocomplete: "off", spellcheck: "false" });
    const twice = element("input", { id: "twice", type: "number", min: "0", max: "100", step: "1", value: "10" });
    const deal = element("button", { id: "deal", type: "button", class: "primary" }, t("deal"));
    deal.addEventListener("click", () => this.#deal(reviewers.value, Number(twice.value)).catch(complain));
    const { document: open } = this.#session;
    const one = element("input", { id: "reviewer", type: "text", autocomplete: "off", spellcheck: "false", value: this.#state.assignments[open?.id] ?? "" });
    const give = element("button", { id: "give", type: "button", class: "framed" }, t("assignOne"));
    give.addEventListener("click", () => open && this.#give(open.id, one.value.trim()).catch(complain));
    const log = element("button", { id: "log", type: "button", class: "framed" }, t("showLog"));
    log.addEventListener("click", () => showLog(this.#api).catch(complain));
    return element(
      "fieldset",
      {},
      element("legend", {}, t("assignment")),
      element("label", { class: "stacked" }, t("reviewers"), reviewers),
      element("label", { class: "stacked" }, t("twice"), twice),
      element("div", { class: "row" }, deal, log),
      open ? element("label", { class: "stacked" }, t("reviewerOf", { name: open.name }), one) : null,
      open ? element("div", { class: "row" }, give) : null,
    );
  }

  async #deal(names, share) {
    const reviewers = names.split(",").map((name) => name.trim()).filter(Boolean);
    const twice = reviewers.length > 1 ? share / 100 : 0;
    const { data } = await this.#api.post("/v1/project/assignments", { reviewers, twice });
    say(t("dealt", { n: data.assigned, twice: data.twice }));
    await this.#changed();
  }

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
    const rows = new Map();
    for (const { id, state } of this.#session.documents) {
      const name = this.#state.assignments[id] ?? t("nobody");
      const row = rows.get(name) ?? [0, 0];
      rows.set(name, [row[0] + 1, row[1] + (state === "reviewed" ? 1 : 0)]);
    }
    return table("workload", t("workload"), [t("reviewer"), t("documents"), t("stateReviewed")], [...rows].map(([name, counts]) => [name, ...counts]));
  }

  async #pairs() {
    const { data: pairs } = await this.#api.get("/v1/project/pairs");
    const rows = pairs.map((pair) => [pair.name, pair.first, pair.second, this.#decision(pair)]);
    return table("pairs", t("pairs"), [t("document"), t("firstReading"), t("secondReading"), t("decision")], rows);
  }

  #decision({ document: id, name, ready, adjudicator }) {
    if (adjudicator) return t("decidedBy", { name: adjudicator });
    if (!ready) return t("notReady");
    const button = element("button", { type: "button", class: "framed", "aria-label": `${t("decide")}: ${name}` }, t("decide"));
    button.addEventListener("click", () => this.#decide(id).catch(complain));
    return button;
  }

  async #decide(id) {
    if (!(await adjudicate(this.#api, id))) return;
    say(t("saidDecided"));
    await this.#session.refresh();
    document.querySelector("#pairs")?.replaceWith(await this.#pairs());
    document.querySelector("#agreement")?.replaceWith(await this.#agreement());
  }

  async #agreement() {
    const { data } = await this.#api.get("/v1/project/agreement");
    const row = (name, { f1, both, first_only, second_only }) => [name, percent(f1), both, first_only, second_only];
    const rows = data.documents ? [row(t("everyLabel"), data.overall), ...data.labels.map((each) => row(labelName(each.label), each))] : [];
    return table("agreement", t("agreement", { n: data.documents }), [t("label"), "F1", t("inBoth"), t("inFirst"), t("inSecond")], rows);
  }
}

function table(id, caption, heads, rows) {
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map(([first, ...others]) => element("tr", {}, element("th", { scope: "row" }, first), ...others.map((cell) => element("td", {}, typeof cell === "number" ? String(cell) : cell))));
  const empty = rows.length ? null : element("tr", {}, element("td", { colspan: String(heads.length) }, t("nothingYet")));
  return element("table", { id, class: "figures" }, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body, empty));
}
