// The open document, the selection, and the user's actions. The views listen to the session and never to each other.

import { Edits } from "./edits.js";
import { Latest } from "./latest.js";
import { occurrences } from "./occurrences.js";
import { Offsets } from "./offsets.js";
import { originals } from "./originals.js";
import { Seconds } from "./seconds.js";
import { countDoubtful, nextDoubtful, nextMark, sameSpan } from "./spans.js";
import { Suggestions } from "./suggestions.js";

const REFRESH_MS = 500;

// Events: documents, document, moving, spans, suggestions, seconds, selection, policy, threshold, saving, problem, said.
export class Session extends EventTarget {
  /** @type {Entry[]} */
  documents = []; // the list
  /** @type {OpenDocument | null} */
  document = null; // the open one
  /** @type {Chosen | null} */
  selection = null;
  /** @type {string | null} */
  policy = null;
  /** @type {Policy[]} */
  policies = [];
  mayTakeOriginals = true;
  mayAdminister = true;
  lastLabel = "NOMBRE_SUJETO_ASISTENCIA";
  tab = "preview"; // the visible tab next to the text
  filter = { label: "", isDoubtful: false }; // the marks included in navigation; the others are dimmed
  #moving = new Latest(); // navigation has one owner: whoever asked last
  #listing = new Latest();
  #listed = Promise.resolve();
  /** @type {Span | null} */
  #lastDoubtful = null; // the doubtful mark of the open document that was selected last
  #refreshing = 0;
  #isRefreshing = false;
  #isListDue = false; // whether something was added after the last request for the list

  /**
   * @param {Backend} backend
   * @param {import("./preferences.js").Preferences} preferences
   * @param {Api} api
   */
  constructor(backend, preferences, api) {
    super();
    this.backend = backend;
    this.preferences = preferences;
    this.edits = new Edits(this);
    this.suggestions = new Suggestions(this, api);
    this.seconds = new Seconds(this, api);
  }

  // The open document, for what is possible only if there is one.
  get current() {
    if (!this.document) throw new Error("no document is open");
    return this.document;
  }

  get threshold() {
    return this.preferences.threshold;
  }

  /**
   * @param {string} kind
   * @param {Record<string, any>} detail
   */
  tell(kind, detail = {}) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }

  // Fetch the list. An older request that is still running waits for the newest one and drops its own answer.
  async refresh() {
    let own = this.#listing.run(() => this.backend.entries(this.threshold)).then((answer) => {
      if (!answer) return;
      this.documents = answer.value;
      this.tell("documents");
    });
    this.#listed = own;
    await own;
    while (this.#listed !== own) await (own = this.#listed);
  }

  /** @param {Source & {spans: Span[]}} source */
  async add(source) {
    const added = await this.backend.add(source);
    const file = originals.added(added.id, source);
    if (file && this.backend.keeps) await this.#keep(file);
    this.#refreshNow();
    return added;
  }

  /** @param {OpenedFile} file */
  #keep(file) {
    const complain = () => this.tell("said", { key: "saidFileNotKept", values: { name: file.body.name }, bad: true });
    file.stored = this.backend.keepFile(file).then(() => true, () => {
      complain();
      return false;
    });
    return file.stored;
  }

  // Immediately, and then at most every so often: many documents may be added one after the other.
  #refreshNow() {
    this.#isListDue = true;
    if (this.#isRefreshing) return;
    this.#isListDue = false;
    this.#isRefreshing = true;
    const again = () => {
      this.#isRefreshing = false;
      if (this.#isListDue) this.#refreshNow();
    };
    this.refresh().catch(() => {}).finally(() => setTimeout(again, REFRESH_MS));
  }

  // Whether another document is about to be opened: until then nothing can be decided on the one that is shown.
  get isMoving() {
    return this.#moving.isRunning;
  }

  /**
   * @param {number} id
   * @param {{fresh?: boolean}} options
   */
  open(id, options = {}) {
    return this.go(async () => id, options);
  }

  // Open the document that `find` resolves to, if any. If something else is opened meanwhile, or the user wants to
  // stay, the answer is dropped: only the last wish counts.
  /**
   * @param {() => Promise<number | null>} find
   * @param {{fresh?: boolean}} options
   * @returns {Promise<"opened" | "nothing" | "dropped">}
   */
  async go(find, { fresh = false } = {}) {
    const going = this.#moving.run(async () => {
      const id = await find();
      return id === null ? null : this.backend.load(id, { fresh });
    });
    this.tell("moving");
    try {
      const answer = await going;
      if (!answer) return "dropped";
      if (!answer.value) return "nothing";
      this.#show(answer.value);
      return "opened";
    } finally {
      this.tell("moving");
    }
  }

  // Stay at the open document.
  stay() {
    this.#moving.drop();
    this.tell("moving");
  }

  // Show the document as it is now, if it is still open. This never opens another one.
  /**
   * @param {number} id
   * @param {{fresh?: boolean}} options
   */
  async reload(id, options = {}) {
    const loaded = await this.backend.load(id, options);
    if (this.document?.id === id) this.#show(loaded);
  }

  /** @param {Stored} loaded */
  #show(loaded) {
    const before = this.document;
    if (before?.id !== loaded.id) this.edits.left();
    const isSame = before?.id === loaded.id && before?.text === loaded.text;
    this.document = { ...loaded, offsets: before && isSame ? before.offsets : new Offsets(loaded.text) };
    if (isSame) {
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

  /** @param {number} id */
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

  /**
   * @param {number[]} ids
   * @param {string} patient
   */
  async setPatient(ids, patient) {
    await this.backend.setPatient(ids, patient);
    await this.refresh();
  }

  /** @param {string} rule */
  async setPatientRule(rule) {
    await this.backend.setPatientRule(rule);
    await this.refresh();
  }

  /**
   * @param {State} state
   * @param {number} id
   */
  async setState(state, id = this.current.id) {
    await this.backend.setState(id, state);
    await this.reload(id);
    await this.refresh();
  }

  // The boxes on the pages of a document have changed: if it was reviewed, it is to be reviewed again.
  /** @param {number} id */
  async repainted(id) {
    if (this.document?.id !== id || this.document.state !== "reviewed") return;
    const { name } = this.document;
    await this.backend.repainted(id);
    await this.reload(id);
    await this.refresh();
    this.tell("said", { key: "saidBackToDo", values: { name } });
  }

  /**
   * @param {boolean} flagged
   * @param {string} reason
   */
  async setFlag(flagged, reason = "") {
    const { id } = this.current;
    await this.backend.setFlag(id, flagged, reason);
    await this.reload(id);
    await this.refresh();
  }

  /** @param {number} value */
  setThreshold(value) {
    this.preferences.threshold = value;
    this.tell("threshold");
    this.refreshSoon();
  }

  /** @param {string} name */
  setPolicy(name) {
    this.policy = name;
    this.tell("policy");
  }

  // Spans changed by others in the meantime.
  /**
   * @param {number} id
   * @param {Span[]} spans
   */
  takeSpans(id, spans) {
    if (this.document?.id !== id) return;
    this.current.spans = spans;
    this.selection = this.#still(this.selection);
    this.tell("spans");
    this.tell("selection");
  }

  /** @param {Chosen | null} selection */
  select(selection) {
    this.selection = selection;
    if (selection?.mark && selection.mark.score < this.threshold) this.#lastDoubtful = selection.mark;
    this.tell("selection");
  }

  /** @param {Span | null | undefined} span */
  selectMark(span) {
    this.select(span ? { mark: span } : null);
  }

  /** @returns {Place | null} */
  selectedRange() {
    const { selection } = this;
    return selection?.mark ?? /** @type {Place | null} */ (selection);
  }

  selectedText() {
    const range = this.selectedRange();
    return range ? this.textOf(range) : "";
  }

  /** @param {Place} place */
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

  /** @param {Partial<{label: string, isDoubtful: boolean}>} filter */
  setFilter(filter) {
    this.filter = { ...this.filter, ...filter };
    this.tell("filter");
  }

  /** @param {Span} span */
  passes({ label, score }) {
    return (!this.filter.label || this.filter.label === label) && (!this.filter.isDoubtful || score < this.threshold);
  }

  get #filtered() {
    return this.current.spans.filter((span) => this.passes(span));
  }

  /** @param {{text: string, start: number | null, end: number | null}} comment */
  async comment(comment) {
    this.current.comments = await this.backend.comment(this.current.id, comment);
    this.tell("comments");
    await this.refresh();
  }

  /** @param {number} comment */
  async removeComment(comment) {
    this.current.comments = await this.backend.removeComment(this.current.id, comment);
    this.tell("comments");
    await this.refresh();
  }

  /**
   * @param {Place} place
   * @param {string | null} text the replacement of the mark; null leaves it to the policy
   */
  async choose({ start, end }, text) {
    const { id } = this.current;
    await this.backend.choose(id, { start, end, text });
    await this.reload(id);
    await this.refresh();
  }

  /** @param {Place} span */
  chosenFor(span) {
    return this.current.replacements?.find(({ start, end }) => start === span.start && end === span.end);
  }

  /** @param {number} direction */
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
  nextSuggestion(direction = 1) {
    const next = this.suggestions.next(direction);
    if (next) this.select({ start: next.start, end: next.end, suggestion: next, isNext: true });
    return Boolean(next);
  }

  /**
   * @param {Chosen | null} selection
   * @returns {Chosen | null}
   */
  #still(selection) {
    const before = selection?.mark;
    if (!before) return selection;
    const mark = this.current.spans.find((span) => sameSpan(span, before));
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
