// Files, pasted text and the example → documents. Each file is on its own: one that fails harms no other.

import { byId } from "../core/dom.js";
import { Gate } from "../core/gate.js";
import { t } from "../core/i18n.js";

const AT_ONCE = 3;
const CHUNK = 0x8000;

// An invented note: nobody in it exists.
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

export class Intake extends EventTarget {
  #session;
  #api;
  #gate = new Gate(AT_ONCE);
  #order = Promise.resolve();
  #added = 0;
  items = []; // files that are being worked on, or failed: { name, status, error, read }

  constructor(session, api) {
    super();
    this.#session = session;
    this.#api = api;
    const input = byId("file-input");
    for (const id of ["add-files", "empty-choose"]) byId(id).addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      this.addFiles([...input.files]);
      input.value = "";
    });
    byId("empty-example").addEventListener("click", () => this.addText("ejemplo.txt", EXAMPLE));
    this.#listenForDrops();
  }

  addText(name, text) {
    this.#enqueue(name, async () => [{ name, text, spans: null }]);
  }

  // A text and the .ann file of the same name go together.
  addFiles(files) {
    const annotations = new Map(files.filter(({ name }) => name.endsWith(".ann")).map((file) => [stem(file.name), file]));
    for (const file of files) {
      if (file.name.endsWith(".ann")) continue;
      const beside = file.name.endsWith(".txt") ? annotations.get(stem(file.name)) : undefined;
      this.#enqueue(file.name, (encoding) => this.#opened(file, beside, encoding));
    }
  }

  dismiss(item) {
    this.items = this.items.filter((other) => other !== item);
    this.#changed();
  }

  retry(item, encoding = "utf-8") {
    this.dismiss(item);
    this.#enqueue(item.name, item.read, encoding);
  }

  async #opened(file, beside, encoding) {
    const body = { name: file.name.slice(-200), content: await base64(file), encoding };
    if (beside) body.annotations = await base64(beside);
    return (await this.#api.post("/v1/open", body)).data;
  }

  #enqueue(name, read, encoding = "utf-8") {
    const item = { name, status: "working", read };
    this.items.push(item);
    this.#changed();
    // Some are prepared at the same time, but all come into the list in the order they were given.
    const prepared = this.#gate.pass(() => this.#prepared(item, encoding));
    prepared.catch(() => {}); // its turn to be told of comes in #take
    this.#order = this.#order.then(() => this.#take(item, prepared, encoding));
  }

  // The documents of a file, with what the model finds in them.
  async #prepared(item, encoding) {
    const sources = await item.read(encoding);
    for (const source of sources) {
      source.spans ??= (await this.#api.post("/v1/annotate", { text: source.text })).data.spans;
    }
    return sources;
  }

  async #take(item, prepared, encoding) {
    try {
      for (const source of await prepared) {
        const added = await this.#session.add(source);
        this.#added++;
        if (!this.#session.document) await this.#session.open(added.id);
      }
      this.items = this.items.filter((other) => other !== item);
    } catch (error) {
      item.status = "failed";
      item.error = error;
      item.unreadable = error.kind === "invalid" && item.name.endsWith(".txt") && encoding === "utf-8";
    }
    this.#changed();
    if (!this.items.some(({ status }) => status === "working")) this.#finished();
  }

  #finished() {
    if (this.#added > 1) this.#session.tell("said", { key: "saidAddedDocuments", values: { n: this.#added } });
    this.#added = 0;
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }

  #listenForDrops() {
    const drop = byId("drop");
    let depth = 0;
    const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
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
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth = 0;
      drop.hidden = true;
      this.addFiles(await droppedFiles(event.dataTransfer));
    });
  }
}

const stem = (name) => name.replace(/\.[^.]*$/, "");

async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
}

// The files that were dropped, and those of folders that were dropped.
async function droppedFiles(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) return [...transfer.files];
  const found = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry, found) {
  if (entry.isFile) {
    if (!entry.name.startsWith(".")) found.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    const batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!batch.length) return;
    for (const child of batch) await collect(child, found);
  }
}

export const defaultPasteName = () => `${t("pasteDefault")}.txt`;
