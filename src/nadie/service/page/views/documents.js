// The list of documents: state, counts, progress, and files that are being processed or failed.

import { byId, debounced, element, fieldById, icon, targetOf } from "../core/dom.js";
import { currentLanguage, t } from "../core/i18n.js";
import { Failures } from "./failures.js";
import { complain } from "./messages.js";

const LONGEST_NAME = 64;
const SEARCH_PAUSE_MS = 250;
const LEAST_SEARCHED = 2;
const collator = new Intl.Collator("es", { numeric: true });
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const ORDERS = {
  name: (a, b) => collator.compare(a.name, b.name),
  doubtful: (a, b) => b.doubtful - a.doubtful,
  // Documents with an unknown patient are last.
  patient: (a, b) => Number(!a.patient) - Number(!b.patient) || collator.compare(a.patient, b.patient) || a.id - b.id,
};

function setBar(id, done, all) {
  const bar = /** @type {HTMLProgressElement} */ (byId(id));
  bar.max = Math.max(1, all);
  bar.value = done;
}

const FILTERS = { all: "filterAll", todo: "filterTodo", reviewed: "filterReviewed" };

export class DocumentList {
  /** @type {import("../core/session.js").Session} */
  #session;
  #intake;
  #filter = "all";
  #search = "";
  #hits = new Map(); // id → number of matches of the searched words in the text
  #sort = "added";
  #rows = new Map(); // id → { node, signature }: a row is rendered again only if it differs
  #failures;
  #confirmDelete;

  constructor(session, intake, confirmDelete) {
    this.#session = session;
    this.#intake = intake;
    this.#confirmDelete = confirmDelete;
    this.#failures = new Failures(intake);
    session.addEventListener("document", () => this.update());
    session.addEventListener("documents", ({ detail }) => (detail.only ? this.#updateOne(detail.only) : this.update()));
    intake.addEventListener("change", () => this.update());
    const searchLater = debounced(() => this.#searchTexts().catch(complain), SEARCH_PAUSE_MS);
    byId("search-documents").addEventListener("input", (event) => {
      this.#search = targetOf(event).value;
      this.#hits = new Map();
      this.update();
      searchLater();
    });
    byId("sort-documents").addEventListener("change", (event) => {
      this.#sort = targetOf(event).value;
      this.update();
    });
    byId("filter").addEventListener("click", (event) => {
      const { filter } = targetOf(event).closest("button")?.dataset ?? {};
      if (filter) {
        this.#filter = filter;
        this.update();
      }
    });
  }

  // The documents shown in the list, in order.
  shown() {
    const wanted = plain(this.#search.trim());
    return this.#sorted().filter(
      ({ id, state, name }) =>
        (this.#filter === "all" || state === this.#filter) && (!wanted || plain(name).includes(wanted) || this.#hits.has(id)),
    );
  }

  async #searchTexts() {
    const words = this.#search.trim();
    const found = words.length < LEAST_SEARCHED ? [] : await this.#session.backend.search(words);
    if (words !== this.#search.trim()) return;
    this.#hits = new Map(found.map(({ document, count }) => [document, count]));
    this.update();
  }

  #sorted() {
    const { documents } = this.#session;
    const order = ORDERS[this.#sort];
    return order ? [...documents].sort(order) : documents;
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
    const all = this.#sorted();
    const at = all.findIndex(({ id }) => id === this.#session.document?.id);
    return [...all.slice(at + 1), ...all.slice(0, at + 1)].find(({ state }) => state === "todo") ?? null;
  }

  update() {
    const { documents } = this.#session;
    this.#updateProgress(documents);
    this.#updateFilter(documents);
    const folder = commonFolder(documents);
    const rows = this.shown().map((entry) => this.#row(entry, folder));
    const list = byId("document-list");
    const wanted = [...this.#failures.rows(), ...rows];
    // Only rows in the wrong place are moved, so that the focus stays in its row.
    wanted.forEach((row, at) => {
      if (list.children[at] !== row) list.insertBefore(row, list.children[at] ?? null);
    });
    while (list.children.length > wanted.length) list.lastElementChild?.remove();
    fieldById("export").disabled = documents.length === 0;
    this.#updateLoading();
  }

  // One line for all files that are being processed.
  #updateLoading() {
    const { done, all } = this.#intake.progress;
    byId("loading").hidden = all === 0;
    setBar("loading-bar", done, all);
    byId("loading-text").textContent = t("loading", { done, n: all });
  }

  // Only one of thousands of documents differs; it may move when the list is rendered again.
  #updateOne(entry) {
    this.#updateProgress(this.#session.documents);
    if (this.#rows.has(entry.id)) this.#row(entry, commonFolder(this.#session.documents));
  }

  #updateProgress(documents) {
    const done = documents.filter(({ state }) => state === "reviewed").length;
    byId("progress").hidden = documents.length === 0;
    setBar("progress-bar", done, documents.length);
    byId("progress-text").textContent = t("progress", { done, n: documents.length });
  }

  #updateFilter(documents) {
    const filter = byId("filter");
    byId("find").hidden = filter.hidden = documents.length < 2;
    fieldById("search-documents").placeholder = t("searchDocuments");
    if (filter.children.length === 0) {
      for (const name of Object.keys(FILTERS)) filter.append(element("button", { type: "button", data: { filter: name } }));
    }
    for (const button of filter.querySelectorAll("button")) {
      button.textContent = t(FILTERS[button.dataset.filter]);
      button.setAttribute("aria-pressed", String(button.dataset.filter === this.#filter));
    }
  }

  #row(entry, folder) {
    let row = this.#rows.get(entry.id);
    if (!row) {
      row = { node: this.#newRow(entry.id), signature: "" };
      this.#rows.set(entry.id, row);
    }
    const isOpen = entry.id === this.#session.document?.id;
    const { name, state, spans, doubtful, patient, comments } = entry;
    const hits = this.#hits.get(entry.id);
    const signature = JSON.stringify([name, state, spans, doubtful, patient, comments, hits, isOpen, folder, currentLanguage()]);
    if (row.signature !== signature) {
      row.signature = signature;
      this.#fill(row.node, entry, folder, isOpen);
    }
    return row.node;
  }

  #fill(row, entry, folder, isOpen) {
    const [button, remove] = row.children;
    const [state, name, counts, patient] = button.children;
    const reviewed = entry.state === "reviewed";
    button.setAttribute("aria-current", String(isOpen));
    state.className = `entry-state${reviewed ? " reviewed" : ""}`;
    state.replaceChildren(...(reviewed ? [icon("i-check")] : []));
    name.textContent = shortened(entry.name.slice(folder.length));
    name.title = entry.name;
    const doubts = entry.doubtful
      ? element("span", { class: "some" }, t("doubts", { n: entry.doubtful }))
      : element("span", {}, t("noDoubts"));
    const spoken = element("span", { class: "visually-hidden" }, `, ${t(reviewed ? "stateReviewed" : "stateTodo")}`);
    const hits = this.#hits.get(entry.id);
    const more = [hits && t("hits", { n: hits }), entry.comments && t("commentCount", { n: entry.comments })].filter(Boolean);
    counts.replaceChildren(t("found", { n: entry.spans }), " · ", doubts, ...more.flatMap((text) => [" · ", text]), spoken);
    patient.textContent = entry.patient ? `${t("patient")} ${entry.patient}` : "";
    remove.setAttribute("aria-label", `${t("deleteDocument")}: ${entry.name}`);
    remove.title = t("deleteDocument");
  }

  #newRow(id) {
    const button = element(
      "button",
      { type: "button", class: "entry", onclick: () => this.#open(id) },
      element("span", { "aria-hidden": "true" }),
      element("span", { class: "entry-name" }),
      element("span", { class: "entry-counts" }),
      element("span", { class: "entry-patient" }),
    );
    const remove = element(
      "button",
      { type: "button", class: "tool entry-delete", onclick: () => this.#remove(id) },
      icon("i-trash"),
    );
    return element("li", {}, button, remove);
  }

  async #open(id) {
    try {
      await this.#session.open(id);
      this.#session.tell("chosen");
      if (this.#hits.has(id)) this.#session.tell("search", { words: this.#search.trim() });
    } catch (error) {
      complain(error);
    }
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

// The common folder of all documents, which is omitted.
function commonFolder(documents) {
  let common = null;
  for (const { name } of documents) {
    const folder = name.slice(0, name.lastIndexOf("/") + 1);
    common ??= folder;
    while (!folder.startsWith(common)) common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
    if (!common) return "";
  }
  return common ?? "";
}

// A long name without its middle, because names usually differ at their ends.
function shortened(name) {
  if (name.length <= LONGEST_NAME) return name;
  return `${name.slice(0, LONGEST_NAME / 3)}…${name.slice((-2 * LONGEST_NAME) / 3)}`;
}
