// The open document, the selection, and the user's actions. The views listen to the session and never to each other.

import { Edits } from "./edits.js";
import { nextDoubtful, nextMark } from "./navigation.js";
import { occurrences } from "./occurrences.js";
import { Offsets } from "./offsets.js";
import { originals } from "./originals.js";
import { countDoubtful, sameSpan } from "./spans.js";
import { Suggestions } from "./suggestions.js";

const REFRESH_MS = 500;

/**
 * @typedef {{start: number, end: number, label: string, score: number, source: string}} Span
 * @typedef {{id: number, name: string, text: string, spans: Span[], state: string, version: number, offsets: Offsets,
 *   comments?: any[], replacements?: any[]}} OpenDocument
 * @typedef {{mark?: Span, start?: number, end?: number, suggestion?: Span, isNext?: boolean}} Selection
 */

// Events: documents, document, spans, suggestions, selection, policy, threshold, saving, problem, said.
export class Session extends EventTarget {
  /** @type {any[]} */
  documents = []; // the list
  /** @type {OpenDocument | null} */
  document = null; // the open one
  /** @type {Selection | null} */
  selection = null; // { mark } or { start, end }, in code points; `isNext`: reached by going through the doubtful marks
  /** @type {string | null} */
  policy = null;
  policies = [];
  mayTakeOriginals = true;
  lastLabel = "NOMBRE_SUJETO_ASISTENCIA";
  tab = "preview"; // the visible tab next to the text
  filter = { label: "", isDoubtful: false }; // the marks included in navigation; the others are dimmed
  /** @type {Span | null} */
  #lastDoubtful = null; // the doubtful mark of the open document that was selected last
  #refreshing = 0;
  #isRefreshing = false;

  constructor(backend, preferences, api) {
    super();
    this.backend = backend;
    this.preferences = preferences;
    this.edits = new Edits(this);
    this.suggestions = new Suggestions(this, api);
  }

  // The open document, for what is possible only if there is one.
  get current() {
    if (!this.document) throw new Error("no document is open");
    return this.document;
  }

  get threshold() {
    return this.preferences.threshold;
  }

  tell(kind, detail = {}) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  async refresh() {
    this.documents = await this.backend.entries(this.threshold);
    this.tell("documents");
  }

  async add(source) {
    const added = await this.backend.add(source);
    const file = originals.added(added.id, source);
    if (file && this.backend.keeps) await this.#keep(file);
    this.#refreshNow();
    return added;
  }

  async #keep(file) {
    try {
      await this.backend.keepFile(file);
    } catch {
      this.tell("said", { key: "saidFileNotKept", values: { name: file.body.name }, bad: true });
    }
  }

  // Immediately, and then throttled: many documents may be added one after the other.
  #refreshNow() {
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    const again = () => {
      this.#isRefreshing = false;
    };
    this.refresh().catch(() => {}).finally(() => setTimeout(again, REFRESH_MS));
  }

  async open(id, { fresh = false } = {}) {
    if (this.document?.id !== id) this.edits.left();
    const loaded = await this.backend.load(id, { fresh });
    const before = this.document;
    const same = before?.id === id && before?.text === loaded.text;
    this.document = { ...loaded, offsets: before && same ? before.offsets : new Offsets(loaded.text) };
    if (same) {
      this.selection = this.#still(this.selection);
      this.tell("spans");
    } else {
      this.selection = null;
      this.#lastDoubtful = null;
      this.tell("document");
    }
    this.tell("selection");
  }

  close() {
    this.document = null;
    this.selection = null;
    this.tell("document");
    this.tell("selection");
  }

  async remove(id) {
    await this.backend.remove(id);
    this.edits.forget(id);
    if (this.document?.id === id) this.close();
    await this.refresh();
  }

  // The entry of the open document in the list.
  get entry() {
    return this.documents.find(({ id }) => id === this.document?.id);
  }

  async setPatient(ids, patient) {
    await this.backend.setPatient(ids, patient);
    await this.refresh();
  }

  async setPatientRule(rule) {
    await this.backend.setPatientRule(rule);
    await this.refresh();
  }

  async setState(state) {
    const { id } = this.current;
    await this.backend.setState(id, state);
    await this.open(id);
    await this.refresh();
  }

  setThreshold(value) {
    this.preferences.threshold = value;
    this.tell("threshold");
    this.refreshSoon();
  }

  setPolicy(name) {
    this.policy = name;
    this.tell("policy");
  }

  // Spans changed by others in the meantime.
  takeSpans(id, spans) {
    if (this.document?.id !== id) return;
    this.current.spans = spans;
    this.selection = this.#still(this.selection);
    this.tell("spans");
    this.tell("selection");
  }

  select(selection) {
    this.selection = selection;
    if (selection?.mark?.score < this.threshold) this.#lastDoubtful = selection.mark;
    this.tell("selection");
  }

  selectMark(span) {
    this.select(span ? { mark: span } : null);
  }

  /** @returns {any} */
  selectedRange() {
    const { selection } = this;
    return selection?.mark ?? selection;
  }

  selectedText() {
    const range = this.selectedRange();
    return range ? this.textOf(range) : "";
  }

  textOf({ start, end }) {
    const { text, offsets } = this.current;
    return text.slice(offsets.toUtf16(start), offsets.toUtf16(end));
  }

  // The number of occurrences of the selected words in the open document.
  countHere() {
    const words = this.selectedText();
    return words ? occurrences(this.current.text, words).length : 0;
  }

  // The proposed label for selected text: the suggested one, that of the same words elsewhere, else the last one used.
  guessedLabel() {
    if (this.selection?.suggestion) return this.selection.suggestion.label;
    const words = this.selectedText().toLowerCase();
    const twin = this.current.spans.find((span) => this.textOf(span).toLowerCase() === words);
    return twin?.label ?? this.lastLabel;
  }

  setFilter(filter) {
    this.filter = { ...this.filter, ...filter };
    this.tell("filter");
  }

  passes({ label, score }) {
    return (!this.filter.label || this.filter.label === label) && (!this.filter.isDoubtful || score < this.threshold);
  }

  get #filtered() {
    return this.current.spans.filter((span) => this.passes(span));
  }

  async comment(comment) {
    this.current.comments = await this.backend.comment(this.current.id, comment);
    this.tell("comments");
    await this.refresh();
  }

  async removeComment(comment) {
    this.current.comments = await this.backend.removeComment(this.current.id, comment);
    this.tell("comments");
    await this.refresh();
  }

  // Set the replacement of the mark; null leaves it to the policy.
  async choose({ start, end }, text) {
    await this.backend.choose(this.current.id, { start, end, text });
    await this.open(this.current.id);
    await this.refresh();
  }

  chosenFor(span) {
    return this.current.replacements?.find(({ start, end }) => start === span.start && end === span.end);
  }

  step(direction) {
    this.selectMark(nextMark(this.#filtered, this.selectedRange(), direction) ?? this.selection?.mark);
  }

  // Whether there was a doubtful mark to go to.
  nextDoubtful(direction = 1) {
    const next = nextDoubtful(this.#filtered, this.threshold, this.#lastDoubtful, direction);
    if (next) this.select({ mark: next, isNext: true });
    return Boolean(next);
  }

  // Whether there was a suggestion to go to.
  nextSuggestion() {
    const next = this.suggestions.next();
    if (next) this.select({ start: next.start, end: next.end, suggestion: next, isNext: true });
    return Boolean(next);
  }

  #still(selection) {
    if (!selection?.mark) return selection;
    const mark = this.current.spans.find((span) => sameSpan(span, selection.mark));
    return mark ? { ...selection, mark } : null;
  }

  refreshSoon() {
    clearTimeout(this.#refreshing);
    this.#refreshing = setTimeout(() => this.refresh().catch(() => {}), REFRESH_MS);
  }

  // Update the list with the open document at once; the rest follows from the backend.
  recount() {
    const { entry } = this;
    if (!entry) return;
    entry.state = this.current.state;
    entry.spans = this.current.spans.length;
    entry.doubtful = countDoubtful(this.current.spans, this.threshold);
    this.tell("documents", { only: entry });
  }
}
