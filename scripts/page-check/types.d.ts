// The types of the review page that several modules use.

type TextKey = import("../../src/nadie/service/page/core/i18n.js").TextKey;
type Session = import("../../src/nadie/service/page/core/session.js").Session;
type Offsets = import("../../src/nadie/service/page/core/offsets.js").Offsets;
type Api = import("../../src/nadie/service/page/core/api.js").Api;
type ApiError = import("../../src/nadie/service/page/core/api.js").ApiError;

type State = "todo" | "reviewed";
type Scope = "here" | "document" | "all";
type Edge = "start" | "end";

interface Place {
  start: number;
  end: number;
}

interface Span extends Place {
  label: string;
  score: number;
  source: string;
}

interface SpanChange {
  remove: Span[];
  add: Span[];
}

// `before` is the state of the document before the change; `state` is set together with the change.
interface Change extends SpanChange {
  document: number;
  before?: State;
  state?: State;
}

interface Remark {
  id: number;
  at: string;
  editor: string;
  start: number | null;
  end: number | null;
  text: string;
}

interface Choice extends Place {
  text: string;
}

interface Flag {
  reason: string;
  editor: string;
  at: string;
}

// A document in the list.
interface Entry {
  id: number;
  name: string;
  state: State;
  version: number;
  spans: number;
  doubtful: number;
  patient: string;
  patient_source?: string;
  comments: number;
  file?: number | null;
  scanned?: boolean;
  flagged?: boolean;
  undecided?: boolean;
  adjudicated?: boolean;
}

interface Stored {
  id: number;
  name: string;
  text: string;
  spans: Span[];
  state: State;
  version: number;
  patient: string;
  patient_source?: string;
  comments: Remark[];
  replacements: Choice[];
  flag?: Flag | null;
  field?: string;
  by_hand?: string;
}

interface OpenDocument extends Stored {
  offsets: Offsets;
}

// A mark, or words without one, in code points; `isNext`: reached by going through the doubtful marks.
interface Chosen {
  mark?: Span;
  start?: number;
  end?: number;
  suggestion?: Span;
  isNext?: boolean;
}

// A document that is not in the list yet.
interface Source {
  name: string;
  text: string;
  spans: Span[] | null;
  fields?: unknown[];
  scan?: boolean;
  patient?: string;
  format?: string;
}

interface OpenedFile {
  body: Record<string, any>;
  count: number;
  ids: number[];
  scanned: boolean;
  stored?: Promise<boolean>;
}

interface Anonymized {
  text: string;
  spans: Span[];
  replacements: (Place & { kept: boolean })[];
}

interface ValueGroup {
  words: string;
  label: string;
  count: number;
  documents: number;
  open: number;
  score: number;
  document: number;
}

interface Everywhere {
  words: string;
  label: string | null;
  having?: string | null;
}

interface LogEvent {
  id?: number;
  document: number;
  version: number;
  kind: string;
  at: string;
  editor: string;
  removed: Span[];
  added: Span[];
  detail: Record<string, any>;
}

interface Policy {
  name: string;
  description: string;
  default?: boolean;
}

interface Me {
  name: string;
  permissions: string[];
  sign_on: "none" | "token" | "proxy";
  logout: string;
  idle_seconds: number;
}

interface Download {
  blob: Blob;
  name: string;
  failed: number;
  undecided: number;
}

interface ExportPlan {
  parts: string[];
  policy: string | null;
  names: string;
}

// Where the documents are stored: in a project folder or in this tab.
interface Backend extends EventTarget {
  readonly keeps: boolean;
  readonly busy: boolean;
  readonly name: string;
  readonly editor: string;
  patientRule: string;
  add(source: Source & { spans: Span[] }): Promise<Stored>;
  has(name: string, text: string): Promise<boolean>;
  load(id: number, options?: { fresh?: boolean }): Promise<Stored>;
  entries(threshold: number): Promise<Entry[]>;
  commit(changes: Change[]): Promise<void>;
  search(words: string): Promise<{ document: number; count: number }[]>;
  values(asked: { words: string; label: string | null; below: number }): Promise<ValueGroup[]>;
  comment(id: number, comment: { text: string; start: number | null; end: number | null }): Promise<Remark[]>;
  removeComment(id: number, comment: number): Promise<Remark[]>;
  choose(id: number, choice: Place & { text: string | null }): Promise<void>;
  everywhere(asked: Everywhere): Promise<Change[]>;
  countEverywhere(asked: Everywhere): Promise<{ documents: number; reviewed: number }>;
  preview(open: OpenDocument, policy: string, entry: Entry | undefined, signal: AbortSignal): Promise<Anonymized>;
  setState(id: number, state: State): Promise<void>;
  setFlag(id: number, flagged: boolean, reason?: string): Promise<void>;
  setPatientRule(rule: string): Promise<void>;
  setPatient(ids: number[], patient: string): Promise<void>;
  remove(id: number): Promise<void>;
  repainted(id: number): Promise<void>;
  keepFile(file: OpenedFile): Promise<void>;
  exportFiles(ids: number[], plan: ExportPlan): Promise<Download[]>;
  export(ids: number[], plan: ExportPlan): Promise<Download>;
  versionOf(id: number): number;
  tellSaved(): void;
}
