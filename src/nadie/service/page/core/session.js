// What is open, what is selected, and what a person can do with it. The views listen to it and never to each other.

import { History } from "./history.js";
import { marking, occurrences, unmarking } from "./occurrences.js";
import { nextDoubtful, nextMark } from "./navigation.js";
import { Offsets } from "./offsets.js";
import {
  adding,
  countDoubtful,
  decided,
  keyOf,
  moving,
  relabelling,
  removing,
  sameSpan,
  withChange,
} from "./spans.js";

const REFRESH_MS = 500;

// Events: documents, document, spans, selection, policy, threshold, saving, problem, said.
export class Session extends EventTarget {
  documents = []; // the list
  document = null; // the one that is open: { id, name, text, spans, state, version, offsets }
  selection = null; // { mark } or { start, end }, in code points
  policy = null;
  policies = [];
  lastLabel = "NOMBRE_SUJETO_ASISTENCIA";
  #history = new History();
  #refreshing = 0;

  constructor(backend, preferences) {
    super();
    this.backend = backend;
    this.preferences = preferences;
  }

  get threshold() {
    return this.preferences.threshold;
  }

  get canUndo() {
    return this.#history.canUndo;
  }

  get canRedo() {
    return this.#history.canRedo;
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
    await this.refresh();
    return added;
  }

  async open(id, { fresh = false } = {}) {
    const loaded = await this.backend.load(id, { fresh });
    const same = this.document?.id === id && this.document.text === loaded.text;
    this.document = { ...loaded, offsets: same ? this.document.offsets : new Offsets(loaded.text) };
    if (same) {
      this.selection = this.#still(this.selection);
      this.tell("spans");
    } else {
      this.selection = null;
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
    this.#history.forget(id);
    if (this.document?.id === id) this.close();
    await this.refresh();
  }

  async setState(state) {
    const { id } = this.document;
    await this.backend.setState(id, state);
    await this.open(id);
    await this.refresh();
  }

  setThreshold(value) {
    this.preferences.threshold = value;
    this.tell("threshold");
    this.#refreshSoon();
  }

  setPolicy(name) {
    this.policy = name;
    this.tell("policy");
  }

  // Spans that others changed meanwhile.
  takeSpans(id, spans) {
    if (this.document?.id !== id) return;
    this.document.spans = spans;
    this.selection = this.#still(this.selection);
    this.tell("spans");
    this.tell("selection");
  }

  forget(id) {
    this.#history.forget(id);
  }

  select(selection) {
    this.selection = selection;
    this.tell("selection");
  }

  selectMark(span) {
    this.select(span ? { mark: span } : null);
  }

  selectedRange() {
    const { selection } = this;
    return selection?.mark ?? selection;
  }

  selectedText() {
    const range = this.selectedRange();
    if (!range) return "";
    const { text, offsets } = this.document;
    return text.slice(offsets.toUtf16(range.start), offsets.toUtf16(range.end));
  }

  // How often the selected words stand in the open document.
  countHere() {
    const words = this.selectedText();
    return words ? occurrences(this.document.text, words).length : 0;
  }

  // The type that selected text most likely has: that of the same words elsewhere, else the one used last.
  guessedLabel() {
    const { text, spans, offsets } = this.document;
    const words = this.selectedText().toLowerCase();
    const twin = spans.find(
      (span) => text.slice(offsets.toUtf16(span.start), offsets.toUtf16(span.end)).toLowerCase() === words,
    );
    return twin?.label ?? this.lastLabel;
  }

  // Give the selected text or mark that label, here, in the document, or in all documents.
  async label(label, scope = "here") {
    const range = this.selectedRange();
    if (!range) return;
    this.lastLabel = label;
    const { spans, text } = this.document;
    const own = this.selection.mark ? relabelling(this.selection.mark, label) : adding(spans, decided(range.start, range.end, label));
    const words = this.selectedText();
    this.#apply(own);
    if (scope === "document") this.#apply(marking(text, this.document.spans, words, label), { join: true });
    if (scope === "all") await this.#everywhere(words, label);
    this.selectMark(this.document.spans.find((span) => sameSpan(span, { ...range, label })) ?? null);
  }

  confirm(scope = "here") {
    const mark = this.selection?.mark;
    return mark ? this.label(mark.label, scope) : undefined;
  }

  // Make changes again that somebody else's change had kept out, on top of what stands there now.
  repeat(changes) {
    for (const { document: id, remove, add } of changes) {
      if (id !== this.document?.id) continue;
      for (const span of add) this.#apply(adding(this.document.spans, span));
      const inTheWay = this.document.spans.filter(
        (span) => !add.some((own) => sameSpan(own, span)) && remove.some((gone) => gone.start < span.end && span.start < gone.end),
      );
      if (!add.length) this.#apply({ remove: inTheWay, add: [] });
    }
  }

  async unmark(scope = "here") {
    const mark = this.selection?.mark;
    if (!mark) return;
    const words = this.selectedText();
    const { text } = this.document;
    this.#apply(removing(mark));
    if (scope === "document") this.#apply(unmarking(text, this.document.spans, words), { join: true });
    if (scope === "all") await this.#everywhere(words, null);
    this.select(null);
  }

  // Move a border of the selected mark; places are code points.
  move(start, end) {
    const mark = this.selection?.mark;
    if (!mark) return;
    const length = this.document.offsets.toCodePoint(this.document.text.length);
    const change = moving(this.document.spans, mark, start, end, length);
    if (!change) return;
    this.#apply(change, { kind: `move-${this.document.id}-${mark.label}` });
    this.selectMark(change.add[0]);
  }

  undo() {
    this.#replay(this.#history.undo());
  }

  redo() {
    this.#replay(this.#history.redo());
  }

  step(direction) {
    this.selectMark(nextMark(this.document.spans, this.selectedRange(), direction) ?? this.selection?.mark);
  }

  // Whether there was a doubtful mark to go to.
  nextDoubtful(direction = 1) {
    const next = nextDoubtful(this.document.spans, this.threshold, this.selection?.mark, direction);
    if (next) this.selectMark(next);
    return Boolean(next);
  }

  #still(selection) {
    if (!selection?.mark) return selection;
    const mark = this.document.spans.find((span) => sameSpan(span, selection.mark));
    return mark ? { mark } : null;
  }

  #apply(change, { kind = null, join = false } = {}) {
    if (!change.remove.length && !change.add.length) return;
    const own = { document: this.document.id, ...change };
    this.document.spans = withChange(this.document.spans, change);
    this.#history.record([own], { kind, join });
    this.#commit([own]);
  }

  async #everywhere(words, label) {
    const changes = await this.backend.everywhere(words, label);
    if (!changes.length) return;
    this.#history.record(changes, { join: true });
    await this.open(this.document.id);
    await this.refresh();
    this.tell("said", { key: "saidEverywhere", values: { n: changes.length } });
  }

  #replay(changes) {
    if (!changes) return;
    for (const change of changes) {
      if (change.document === this.document?.id) this.document.spans = withChange(this.document.spans, change);
    }
    const here = changes.find((change) => change.document === this.document?.id);
    const come = here?.add.find((span) => this.document.spans.some((other) => keyOf(other) === keyOf(span)));
    this.selection = come ? { mark: come } : null;
    this.#commit(changes);
    this.tell("selection");
  }

  #commit(changes) {
    this.tell("spans");
    this.#recount();
    this.backend.commit(changes).then(() => this.#refreshSoon());
  }

  #refreshSoon() {
    clearTimeout(this.#refreshing);
    this.#refreshing = setTimeout(() => this.refresh().catch(() => {}), REFRESH_MS);
  }

  // The list tells at once what the open document has; the rest of it follows from the backend.
  #recount() {
    const entry = this.documents.find(({ id }) => id === this.document?.id);
    if (!entry) return;
    entry.spans = this.document.spans.length;
    entry.doubtful = countDoubtful(this.document.spans, this.threshold);
    this.tell("documents");
  }
}
