// The list of documents: state, counts, progress, and files that are still being worked on or failed.

import { byId, element, icon } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { complain, reasonOf } from "./messages.js";

const FILTERS = { all: "filterAll", todo: "filterTodo", reviewed: "filterReviewed" };

export class DocumentList {
  #session;
  #intake;
  #filter = "all";
  #rows = new Map(); // id → li
  #confirmDelete;

  constructor(session, intake, confirmDelete) {
    this.#session = session;
    this.#intake = intake;
    this.#confirmDelete = confirmDelete;
    for (const kind of ["documents", "document"]) session.addEventListener(kind, () => this.update());
    intake.addEventListener("change", () => this.update());
    byId("filter").addEventListener("click", (event) => {
      const { filter } = event.target.closest("button")?.dataset ?? {};
      if (filter) {
        this.#filter = filter;
        this.update();
      }
    });
  }

  // The documents that the list shows, in its order.
  shown() {
    return this.#session.documents.filter(({ state }) => this.#filter === "all" || state === this.#filter);
  }

  step(direction) {
    const shown = this.shown();
    if (!shown.length) return;
    const at = shown.findIndex(({ id }) => id === this.#session.document?.id);
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + direction))];
    if (next.id !== this.#session.document?.id) this.#open(next.id);
  }

  // The first document after the open one that is still to do, or before it if there is none after.
  nextTodo() {
    const all = this.#session.documents;
    const at = all.findIndex(({ id }) => id === this.#session.document?.id);
    return [...all.slice(at + 1), ...all.slice(0, at + 1)].find(({ state }) => state === "todo") ?? null;
  }

  update() {
    const { documents } = this.#session;
    this.#updateProgress(documents);
    this.#updateFilter(documents);
    const rows = this.shown().map((entry) => this.#row(entry));
    const items = this.#intake.items.map((item) => this.#item(item));
    const list = byId("document-list");
    const wanted = [...rows, ...items];
    // Only what is out of place moves, so that the focus stays in its row.
    wanted.forEach((row, at) => {
      if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null);
    });
    while (list.children.length > wanted.length) list.lastElementChild.remove();
    byId("export").disabled = documents.length === 0;
  }

  #updateProgress(documents) {
    const done = documents.filter(({ state }) => state === "reviewed").length;
    byId("progress").hidden = documents.length === 0;
    byId("progress-bar").max = Math.max(1, documents.length);
    byId("progress-bar").value = done;
    byId("progress-text").textContent = t("progress", { done, n: documents.length });
  }

  #updateFilter(documents) {
    const filter = byId("filter");
    filter.hidden = documents.length < 2;
    if (filter.children.length === 0) {
      for (const name of Object.keys(FILTERS)) filter.append(element("button", { type: "button", data: { filter: name } }));
    }
    for (const button of filter.children) {
      button.textContent = t(FILTERS[button.dataset.filter]);
      button.setAttribute("aria-pressed", String(button.dataset.filter === this.#filter));
    }
  }

  #row(entry) {
    let row = this.#rows.get(entry.id);
    if (!row) {
      row = this.#newRow(entry.id);
      this.#rows.set(entry.id, row);
    }
    const [button, remove] = row.children;
    const [state, name, counts] = button.children;
    const reviewed = entry.state === "reviewed";
    button.setAttribute("aria-current", String(entry.id === this.#session.document?.id));
    state.className = `entry-state${reviewed ? " reviewed" : ""}`;
    state.replaceChildren(...(reviewed ? [icon("i-check")] : []));
    name.textContent = entry.name;
    name.title = entry.name;
    const doubts = entry.doubtful
      ? element("span", { class: "some" }, t("doubts", { n: entry.doubtful }))
      : element("span", {}, t("noDoubts"));
    const spoken = element("span", { class: "visually-hidden" }, `, ${t(reviewed ? "stateReviewed" : "stateTodo")}`);
    counts.replaceChildren(t("found", { n: entry.spans }), " · ", doubts, spoken);
    remove.setAttribute("aria-label", `${t("deleteDocument")}: ${entry.name}`);
    remove.title = t("deleteDocument");
    return row;
  }

  #newRow(id) {
    const button = element(
      "button",
      { type: "button", class: "entry", onclick: () => this.#open(id) },
      element("span", { "aria-hidden": "true" }),
      element("span", { class: "entry-name" }),
      element("span", { class: "entry-counts" }),
    );
    const remove = element(
      "button",
      { type: "button", class: "tool entry-delete", onclick: () => this.#remove(id) },
      icon("i-trash"),
    );
    return element("li", {}, button, remove);
  }

  #item(item) {
    const failed = item.status === "failed";
    const state = element("span", { class: `entry-state ${item.status}`, "aria-hidden": "true" }, failed ? icon("i-alert") : null);
    const line = element(
      "div",
      { class: "entry" },
      state,
      element("span", { class: "entry-name", title: item.name }, item.name),
      element("span", { class: "entry-counts" }, t(failed ? "failed" : "working")),
    );
    if (!failed) return element("li", {}, line);
    const button = (text, work) => element("button", { type: "button", onclick: work }, t(text));
    const actions = element(
      "div",
      { class: "failure" },
      element("p", {}, reasonOf(item.error)),
      item.unreadable ? button("openAsLatin1", () => this.#intake.retry(item, "windows-1252")) : null,
      button("retry", () => this.#intake.retry(item)),
      button("dismiss", () => this.#intake.dismiss(item)),
    );
    return element("li", {}, line, actions);
  }

  #open(id) {
    this.#session.open(id).catch(complain);
  }

  async #remove(id) {
    const entry = this.#session.documents.find((candidate) => candidate.id === id);
    if (!(await this.#confirmDelete(entry.name))) return;
    const next = this.nextTodo();
    await this.#session.remove(id).catch(complain);
    this.#rows.delete(id);
    if (!this.#session.document && next && next.id !== id) this.#open(next.id);
  }
}
