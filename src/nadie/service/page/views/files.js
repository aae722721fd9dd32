// Files, pasted text and the example → documents. A file that fails does not affect the others.

import { ApiError } from "../core/api.js";
import { byId, fieldById } from "../core/dom.js";
import { Gate } from "../core/gate.js";
import { t } from "../core/i18n.js";
import { originals } from "../core/originals.js";
import { fieldOf } from "../core/patients.js";

const AT_ONCE = 6;
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 10_000;
const BUSY = ["overloaded", "too-many-requests", "starting"];
const CHUNK = 0x8000;
const TEXTUAL = ["json", "xml", "html", "fhir", "fhir-xml", "fhir-ndjson", "cda", "hl7", "jsonl-table", "mislabelled"]; // can be opened as plain text

// An invented note.
const EXAMPLE = `Informe de alta

Datos del paciente
Nombre: Rosalía Iturbe Cantero. DNI: 45982137G. NHC: 7712904.
Fecha de nacimiento: 14/02/1961 (63 años). Sexo: mujer.
Domicilio: C/ Molino Viejo, 18, 3.º B, 16004 Cuenca. Teléfono: 612 345 678.
Médico responsable: Dr. Anselmo Quiroga Paz, colegiado 28 16 44091.

Motivo de ingreso
Mujer de 63 años, maestra jubilada, natural de Cuenca, que ingresa el 03/01/2024 en el Hospital General Santa Marta por disnea de cinco días de evolución. Su hermana, que la acompaña, refiere que vive sola desde 2019.

Evolución
La Dra. Inés Montoya valora a la paciente el 5 de enero. Rosalía evoluciona bien con tratamiento y se acuerda revisión en el Centro de Salud Las Eras. Ante cualquier duda puede escribir a consultas.neumo@hsantamarta.example.
`;

/**
 * @typedef {{encoding?: string, as_text?: boolean}} Way how to read a file; by default the service recognises it
 * @typedef {{name: string, read: (way: Way) => Promise<Source[]>, way: Way, isWanted: boolean, error?: any,
 *   unreadable?: boolean, isText?: boolean}} Item
 * @typedef {{file: File, path: string}} Given
 */

export class Intake extends EventTarget {
  /** @type {Session} */
  #session;
  /** @type {Api} */
  #api;
  #gate = new Gate(AT_ONCE);
  #order = Promise.resolve();
  #working = 0; // files being processed
  #all = 0; // files since the last time that none was being processed
  #added = 0;
  #failures = 0;
  #isTold = 0;
  /** @type {Item[]} */
  failed = []; // files that could not be opened: { name, read, error, unreadable }

  /**
   * @param {Session} session
   * @param {Api} api
   */
  constructor(session, api) {
    super();
    this.#session = session;
    this.#api = api;
    const input = fieldById("file-input");
    for (const id of ["add-files", "empty-choose"]) byId(id).addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      this.addFiles([...(input.files ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name })));
      input.value = "";
    });
    byId("empty-example").addEventListener("click", () => this.addText("ejemplo.txt", EXAMPLE));
    this.#listenForDrops();
  }

  /**
   * @param {string} name
   * @param {string} text
   */
  addText(name, text) {
    this.#enqueue(name, async () => [{ name, text, spans: null }]);
  }

  // A text and the .ann file with the same name in the same folder belong together. Files are { file, path }.
  /** @param {Given[]} files */
  addFiles(files) {
    const seen = files.filter(({ path }) => !path.split("/").some((part) => part.startsWith(".")));
    const annotations = new Map(seen.filter(({ path }) => isAnnotation(path)).map(({ file, path }) => [stem(path), file]));
    for (const { file, path } of seen) {
      if (isAnnotation(path)) continue;
      const beside = /\.txt$/i.test(path) ? annotations.get(stem(path)) : undefined;
      if (beside) annotations.delete(stem(path));
      this.#enqueue(path, (way) => this.#opened(path, file, beside, way));
    }
    for (const { path } of seen.filter(({ path }) => isAnnotation(path) && annotations.has(stem(path)))) {
      this.#enqueue(path, async () => {
        throw new ApiError(0, { type: "lone-annotations" });
      });
    }
  }

  // The number of finished files of this round; nothing if none is being processed.
  get progress() {
    return { done: this.#all - this.#working, all: this.#working ? this.#all : 0 };
  }

  /** @param {Item} item */
  dismiss(item) {
    this.dismissAll([item]);
  }

  /** @param {Item[]} items */
  dismissAll(items) {
    this.failed = this.failed.filter((other) => !items.includes(other));
    this.#changed();
  }

  /**
   * @param {Item} item
   * @param {Way} way
   */
  retry(item, way = {}) {
    this.retryAll([item], way);
  }

  /**
   * @param {Item[]} items
   * @param {Way} way
   */
  retryAll(items, way = {}) {
    this.dismissAll(items);
    for (const { name, read, error } of items) {
      this.#enqueue(name, read, { way, isWanted: error.kind === "already-there" });
    }
  }

  /**
   * @param {string} path
   * @param {File} file
   * @param {File | undefined} beside
   * @param {Way} way
   */
  async #opened(path, file, beside, way) {
    const patient_field = fieldOf(this.#session.backend.patientRule);
    /** @type {Record<string, any>} */
    const body = { name: path.slice(-200), content: await base64(file), patient_field, ...way };
    if (beside) body.annotations = await base64(beside);
    return originals.opened(body, (await this.#asked("/v1/open", body)).data);
  }

  // A response of the service; the request is repeated while the service is too busy.
  /**
   * @param {string} path
   * @param {unknown} body
   */
  async #asked(path, body) {
    for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
      try {
        return await this.#api.post(path, body);
      } catch (error) {
        if (!BUSY.includes(/** @type {ApiError} */ (error).kind) || pause > LONGEST_PAUSE_MS) throw error;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  /**
   * @param {string} name
   * @param {(way: Way) => Promise<Source[]>} read
   * @param {{way?: Way, isWanted?: boolean}} options
   */
  #enqueue(name, read, { way = {}, isWanted = false } = {}) {
    const item = { name, read, way, isWanted };
    this.#working++;
    this.#all++;
    this.#changed();
    // Some are prepared in parallel, but all are added to the list in the given order.
    const prepared = this.#gate.pass(() => this.#prepared(item));
    prepared.catch(() => {}); // reported in #take, in order
    this.#order = this.#order.then(() => this.#take(item, prepared));
  }

  // The documents of a file, with the spans of the model.
  /** @param {Item} item */
  async #prepared(item) {
    const sources = await item.read(item.way);
    for (const source of sources) {
      const { text, fields = [], scan = false } = source;
      source.spans ??= (await this.#asked("/v1/annotate", { text, fields, scan })).data.spans;
    }
    return sources;
  }

  /**
   * @param {Item} item
   * @param {Promise<Source[]>} prepared
   */
  async #take(item, prepared) {
    try {
      for (const source of await prepared) {
        if (!item.isWanted && (await this.#session.backend.has(source.name, source.text))) {
          throw new ApiError(0, { type: "already-there" });
        }
        const added = await this.#session.add(/** @type {Source & {spans: Span[]}} */ (source));
        this.#added++;
        if (!this.#session.document) await this.#session.open(added.id);
      }
    } catch (error) {
      item.error = error;
      const { kind, problem } = /** @type {ApiError} */ (error);
      item.unreadable = kind === "wrong-encoding" && !item.way.encoding;
      item.isText = ["unsupported-format", "invalid"].includes(kind) && TEXTUAL.includes(problem.format) && !item.way.as_text;
      this.failed.push(item);
      this.#failures++;
    }
    this.#working--;
    if (!this.#working) this.#finished().catch(() => {});
    this.#changed();
  }

  async #finished() {
    const [added, failures] = [this.#added, this.#failures];
    this.#all = this.#added = this.#failures = 0;
    if (added) await this.#session.refresh();
    if (added > 1) this.#session.tell("said", { key: "saidAddedDocuments", values: { n: added } });
    if (failures) this.#session.tell("said", { key: "saidFailed", values: { n: failures }, bad: true });
  }

  // The list is updated at most once per frame.
  #changed() {
    this.#isTold ||= requestAnimationFrame(() => {
      this.#isTold = 0;
      this.dispatchEvent(new Event("change"));
    });
  }

  #listenForDrops() {
    const drop = byId("drop");
    let depth = 0;
    const carriesFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
    addEventListener("dragenter", (event) => {
      if (carriesFiles(event)) drop.hidden = ++depth === 0;
    });
    addEventListener("dragleave", (event) => {
      if (carriesFiles(event) && --depth <= 0) drop.hidden = true;
    });
    addEventListener("dragover", (event) => {
      if (carriesFiles(event)) event.preventDefault();
    });
    addEventListener("drop", async (event) => {
      if (!carriesFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      depth = 0;
      drop.hidden = true;
      this.addFiles(await droppedFiles(event.dataTransfer));
    });
  }
}

/** @param {string} path */
const stem = (path) => path.replace(/\.[^./]*$/, "");
/** @param {string} path */
const isAnnotation = (path) => /\.ann$/i.test(path);

/** @param {File} file */
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

// The dropped files, and those in dropped folders, each with its path.
/** @param {DataTransfer} transfer */
async function droppedFiles(transfer) {
  const files = [...transfer.files];
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => entry !== null && entry !== undefined);
  if (!entries.some((entry) => entry.isDirectory)) return files.map((file) => ({ file, path: file.name }));
  /** @type {Given[]} */
  const found = [];
  for (const entry of entries) await collect(entry, entry.name, found);
  return found;
}

// Names that begin with a dot are skipped, as in the formats.
/**
 * @param {any} entry
 * @param {string} path
 * @param {Given[]} found
 */
async function collect(entry, path, found) {
  if (entry.name.startsWith(".")) return;
  if (entry.isFile) {
    found.push({ path, file: await new Promise((resolve, reject) => entry.file(resolve, reject)) });
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!batch.length) return;
    for (const child of batch) await collect(child, `${path}/${child.name}`, found);
  }
}

export const defaultPasteName = () => `${t("pasteDefault")}.txt`;
