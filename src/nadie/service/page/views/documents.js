// The list of documents: state, counts, progress, and files that are being processed or failed.

import { byId, debounced, element, fieldById, icon, targetOf } from "../core/dom.js";
import { currentLanguage, t } from "../core/i18n.js";
import { Failures } from "./failures.js";
import { Latest } from "../core/latest.js";
import { complain } from "./messages.js";
import { VirtualList } from "./virtual_list.js";

const LONGEST_NAME = 64;
const SEARCH_PAUSE_MS = 250;
const LEAST_SEARCHED = 2;
const collator = new Intl.Collator("es", { numeric: true });
/** @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
/** @type {Record<string, (a: Entry, b: Entry) => number>} */
const ORDERS = {
  name: (a, b) => collator.compare(a.name, b.name),
  doubtful: (a, b) => b.doubtful - a.doubtful,
  // Documents with an unknown patient are last.
  patient: (a, b) => Number(!a.patient) - Number(!b.patient) || collator.compare(a.patient, b.patient) || a.id - b.id,
};

/**
 * @param {string} id
 * @param {number} done
 * @param {number} all
 */
function setBar(id, done, all) {
  const bar = /** @type {HTMLProgressElement} */ (byId(id));
  bar.max = Math.max(1, all);
  bar.value = done;
}

/** @type {Record<string, TextKey>} */
const FILTERS = { all: "filterAll", todo: "filterTodo", reviewed: "filterReviewed", flagged: "filterFlagged" };

/**
 * @param {Entry} entry
 * @param {string} filter
 */
const fits = ({ state, flagged }, filter) => filter === "all" || (filter === "flagged" ? Boolean(flagged) : state === filter);

export class DocumentList {
  /** @type {Session} */
  #session;
  #intake;
  #filter = "all";
  #search = "";
  #searching = new Latest();
  /** @type {Map<number, number>} */
  #hits = new Map(); // id → number of matches of the searched words in the text
  #sort = "added";
  /** @type {Map<number, {node: HTMLElement, signature: string}>} */
  #rows = new Map(); // id → { node, signature }: a row is rendered again only if it differs
  #failures;
  #confirmDelete;
  /** @type {VirtualList<Entry>} */
  #list;
  #folder = ""; // the common folder of all documents, which is omitted

  /**
   * @param {Session} session
   * @param {import("./files.js").Intake} intake
   * @param {(name: string) => Promise<any>} confirmDelete
   */
  constructor(session, intake, confirmDelete) {
    this.#session = session;
    this.#intake = intake;
    this.#confirmDelete = confirmDelete;
    this.#failures = new Failures(intake);
    this.#list = new VirtualList(byId("document-list"), (entry, at, all) => this.#row(entry, at, all));
    session.addEventListener("document", () => {
      this.update();
      if (session.document) this.#list.reveal(session.document.id);
    });
    session.addEventListener("documents", (/** @type {any} */ { detail }) => (detail.only ? this.#updateOne(detail.only) : this.update()));
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
      (entry) => fits(entry, this.#filter) && (!wanted || plain(entry.name).includes(wanted) || this.#hits.has(entry.id)),
    );
  }

  async #searchTexts() {
    const words = this.#search.trim();
    const { backend } = this.#session;
    const answer = await this.#searching.run(async () => (words.length < LEAST_SEARCHED ? [] : backend.search(words)));
    if (!answer) return;
    this.#hits = new Map(answer.value.map(({ document, count }) => [document, count]));
    this.update();
  }

  #sorted() {
    const { documents } = this.#session;
    const order = ORDERS[this.#sort];
    return order ? [...documents].sort(order) : documents;
  }

  /** @param {number} direction */
  step(direction) {
    const shown = this.shown();
    if (!shown.length) return;
    const at = shown.findIndex(({ id }) => id === this.#session.document?.id);
    const next = shown[Math.max(0, Math.min(shown.length - 1, at + direction))];
    if (next.id !== this.#session.document?.id) this.#open(next.id);
  }

  // The first document after the open one that is still to do, or before it if there is none after; those that were
  // flagged, and so left for later, come last.
  nextTodo() {
    const all = this.#sorted();
    const at = all.findIndex(({ id }) => id === this.#session.document?.id);
    const others = [...all.slice(at + 1), ...all.slice(0, at)].filter(({ state }) => state === "todo");
    return others.find(({ flagged }) => !flagged) ?? others[0] ?? null;
  }

  update() {
    const { documents } = this.#session;
    this.#updateProgress(documents);
    this.#updateFilter(documents);
    this.#folder = commonFolder(documents);
    this.#list.show(this.shown(), this.#failures.rows());
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
  /** @param {Entry} entry */
  #updateOne(entry) {
    this.#updateProgress(this.#session.documents);
    if (this.#rows.has(entry.id)) this.#row(entry);
  }

  /** @param {Entry[]} documents */
  #updateProgress(documents) {
    const done = documents.filter(({ state }) => state === "reviewed").length;
    byId("progress").hidden = documents.length === 0;
    setBar("progress-bar", done, documents.length);
    byId("progress-text").textContent = t("progress", { done, n: documents.length });
  }

  /** @param {Entry[]} documents */
  #updateFilter(documents) {
    const filter = byId("filter");
    byId("find").hidden = filter.hidden = documents.length < 2;
    fieldById("search-documents").placeholder = t("searchDocuments");
    if (filter.children.length === 0) {
      for (const name of Object.keys(FILTERS)) filter.append(element("button", { type: "button", data: { filter: name } }));
    }
    const hasFlags = documents.some(({ flagged }) => flagged);
    if (!hasFlags && this.#filter === "flagged") this.#filter = "all";
    for (const button of filter.querySelectorAll("button")) {
      button.textContent = t(FILTERS[String(button.dataset.filter)]);
      button.hidden = button.dataset.filter === "flagged" && !hasFlags;
      button.setAttribute("aria-pressed", String(button.dataset.filter === this.#filter));
    }
  }

  /**
   * @param {Entry} entry
   * @param {number} at
   * @param {number} all
   */
  #row(entry, at = -1, all = 0) {
    const row = this.#rows.get(entry.id) ?? { node: this.#newRow(entry.id), signature: "" };
    this.#rows.set(entry.id, row);
    const isOpen = entry.id === this.#session.document?.id;
    const { name, state, spans, doubtful, patient, comments, flagged, undecided } = entry;
    const hits = this.#hits.get(entry.id);
    const shown = [name, state, spans, doubtful, patient, comments, flagged, undecided, hits, isOpen, this.#folder, currentLanguage()];
    const signature = JSON.stringify(shown);
    if (row.signature !== signature) {
      row.signature = signature;
      this.#fill(row.node, entry, isOpen);
    }
    if (at >= 0) {
      row.node.setAttribute("aria-posinset", String(at + 1));
      row.node.setAttribute("aria-setsize", String(all));
    }
    return row.node;
  }

  /**
   * @param {HTMLElement} row
   * @param {Entry} entry
   * @param {boolean} isOpen
   */
  #fill(row, entry, isOpen) {
    const [button, remove] = /** @type {HTMLElement[]} */ ([...row.children]);
    const [state, name, counts, patient] = /** @type {HTMLElement[]} */ ([...button.children]);
    const isReviewed = entry.state === "reviewed";
    button.setAttribute("aria-current", String(isOpen));
    state.className = `entry-state${isReviewed ? " reviewed" : entry.flagged ? " flagged" : ""}`;
    state.replaceChildren(...(isReviewed ? [icon("i-check")] : entry.flagged ? [icon("i-flag")] : []));
    name.textContent = shortened(entry.name.slice(this.#folder.length));
    name.title = entry.name;
    const doubts = entry.doubtful
      ? element("span", { class: "some" }, t("doubts", { n: entry.doubtful }))
      : element("span", {}, t("noDoubts"));
    const spoken = element("span", { class: "visually-hidden" }, `, ${t(isReviewed ? "stateReviewed" : "stateTodo")}`);
    const hits = this.#hits.get(entry.id);
    const more = [
      hits && t("hits", { n: hits }),
      entry.comments && t("commentCount", { n: entry.comments }),
      entry.flagged && t("flagged"),
      entry.undecided && t("undecided"),
    ].filter(Boolean);
    counts.replaceChildren(t("found", { n: entry.spans }), " · ", doubts, ...more.flatMap((text) => [" · ", String(text)]), spoken);
    patient.textContent = entry.patient ? `${t("patient")} ${entry.patient}` : "";
    remove.setAttribute("aria-label", `${t("deleteDocument")}: ${entry.name}`);
    remove.title = t("deleteDocument");
  }

  /** @param {number} id */
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

  /** @param {number} id */
  async #open(id) {
    try {
      if ((await this.#session.open(id)) !== "opened") return;
      this.#session.tell("chosen");
      if (this.#hits.has(id)) this.#session.tell("search", { words: this.#search.trim() });
    } catch (error) {
      complain(error);
    }
  }

  /** @param {number} id */
  async #remove(id) {
    const entry = this.#session.documents.find((candidate) => candidate.id === id);
    if (!entry || !(await this.#confirmDelete(entry.name))) return;
    const next = this.nextTodo();
    await this.#session.remove(id).catch(complain);
    this.#rows.delete(id);
    if (!this.#session.document && next && next.id !== id) this.#open(next.id);
  }
}

// The common folder of all documents, which is omitted.
/** @param {Entry[]} documents */
function commonFolder(documents) {
  /** @type {string | null} */
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
/** @param {string} name */
function shortened(name) {
  if (name.length <= LONGEST_NAME) return name;
  return `${name.slice(0, LONGEST_NAME / 3)}…${name.slice((-2 * LONGEST_NAME) / 3)}`;
}
