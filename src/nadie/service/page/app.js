// The page: makes the session and the views, and joins them.

import { Api } from "./core/api.js";
import { MemoryBackend } from "./core/backend_memory.js";
import { ProjectBackend } from "./core/backend_project.js";
import { byId, element, icon } from "./core/dom.js";
import { currentLanguage, labelName, setLanguage, t } from "./core/i18n.js";
import { Preferences } from "./core/preferences.js";
import { Session } from "./core/session.js";
import { askAboutConflict, askForText, askForToken, askToDelete, showHelp } from "./views/dialogs.js";
import { DocumentList } from "./views/documents.js";
import { exportDocuments } from "./views/export_dialog.js";
import { Intake, defaultPasteName } from "./views/files.js";
import { Handles } from "./views/handles.js";
import { Inspector } from "./views/inspector.js";
import { Keyboard } from "./views/keyboard.js";
import { complain, say } from "./views/messages.js";
import { Preview } from "./views/preview.js";
import { TextView } from "./views/text.js";
import { Toolbar } from "./views/toolbar.js";

const POLL_MS = 5000;
const NARROW = matchMedia("(max-width: 1100px)");

const preferences = new Preferences();
setLanguage(preferences.language);

const api = new Api();
let asking = null;
api.onUnauthorized = () => {
  asking ??= askForToken().finally(() => {
    asking = null;
  });
  return asking;
};

async function main() {
  const { data: project } = await api.get("/v1/project");
  const backend = project.open ? new ProjectBackend(api, project) : new MemoryBackend(api);
  const session = new Session(backend, preferences);
  const page = new Page(session);
  const { data: policies } = await api.get("/v1/policies");
  session.policies = policies;
  session.setPolicy(policies.find((policy) => policy.default).name);
  await session.refresh();
  await page.openFirst();
}

class Page {
  #session;
  #saving = "saved";

  constructor(session) {
    this.#session = session;
    const act = this.#actions();
    this.text = new TextView(byId("text"), session);
    new Handles(this.text, session);
    this.inspector = new Inspector(byId("inspector"), session, act);
    this.toolbar = new Toolbar(byId("toolbar"), session, act);
    this.keyboard = new Keyboard(session, this.text, act);
    this.preview = new Preview(session, api, byId("text"));
    this.intake = new Intake(session, api);
    this.list = new DocumentList(session, this.intake, askToDelete);
    this.#listen();
    this.#listenToBackend(session.backend);
    this.#translated();
    this.#showDocuments(!NARROW.matches || session.documents.length === 0);
  }

  // The document that the address names, else the first that is to do, else the first.
  async openFirst() {
    const { documents } = this.#session;
    const named = Number(location.hash.slice(1));
    const first = documents.find(({ id }) => id === named) ?? documents.find(({ state }) => state === "todo") ?? documents[0];
    if (first) await this.#session.open(first.id);
    this.#layout();
  }

  #actions() {
    const session = this.#session;
    const guarded = (work) => (...values) => Promise.resolve(work(...values)).catch(complain);
    return {
      label: guarded((label) => this.#label(label)),
      confirm: guarded(() => this.#confirm()),
      unmark: guarded(() => this.#unmark()),
      border: (edge, direction, byCharacter) => this.keyboard.border(edge, direction, byCharacter),
      pickType: () => session.selection && this.inspector.picker.focus(),
      setScope: (scope) => session.selection && this.inspector.setScope(scope),
      focusText: () => this.#focusText(),
      nextDoubtful: (direction) => this.#nextDoubtful(direction),
      undo: () => this.#undo(),
      redo: () => this.#redo(),
      reviewed: guarded(() => session.document && this.#reviewed()),
      toggleReviewed: guarded(() => (session.document.state === "reviewed" ? session.setState("todo") : this.#reviewed())),
      stepDocument: (direction) => this.list.step(direction),
      help: showHelp,
      togglePreview: () => {
        preferences.preview = !preferences.preview;
        this.#layout();
        this.toolbar.update();
        this.preview.refresh();
      },
      setThreshold: (value) => session.setThreshold(value),
      setTags: (value) => {
        preferences.tags = value;
        this.text.retranslate();
      },
    };
  }

  #listen() {
    const session = this.#session;
    session.addEventListener("document", () => {
      this.#layout();
      if (session.document) history.replaceState(null, "", `#${session.document.id}`);
      if (NARROW.matches && session.document) this.#showDocuments(false);
    });
    session.addEventListener("documents", () => this.#layout());
    session.addEventListener("said", ({ detail }) => say(t(detail.key, detail.values)));
    byId("language").addEventListener("click", () => {
      preferences.language = currentLanguage() === "es" ? "en" : "es";
      this.#translated();
    });
    byId("help").addEventListener("click", showHelp);
    byId("export").addEventListener("click", () => exportDocuments(session));
    byId("paste").addEventListener("click", async () => {
      const pasted = await askForText(defaultPasteName());
      if (pasted) this.intake.addText(pasted.name, pasted.text);
    });
    byId("toggle-documents").addEventListener("click", () =>
      this.#showDocuments(byId("toggle-documents").getAttribute("aria-expanded") !== "true"),
    );
    NARROW.addEventListener("change", () => this.#showDocuments(!NARROW.matches));
    addEventListener("beforeunload", (event) => {
      const unsaved = session.backend.keeps ? session.backend.busy : session.documents.length > 0;
      if (unsaved) event.preventDefault();
    });
  }

  #listenToBackend(backend) {
    if (!backend.keeps) return;
    for (const kind of ["saving", "saved", "offline"]) {
      backend.addEventListener(kind, () => {
        this.#saving = kind;
        this.#showStatus();
      });
    }
    backend.addEventListener("merged", ({ detail }) => {
      this.#session.takeSpans(detail.id, detail.spans);
      say(t("saidMerged"));
    });
    backend.addEventListener("refused", ({ detail }) => this.#refused(detail).catch(complain));
    setInterval(() => document.hidden || this.#poll().catch(() => {}), POLL_MS);
  }

  // What others did meanwhile.
  async #poll() {
    const session = this.#session;
    await session.refresh();
    const entry = session.documents.find(({ id }) => id === session.document?.id);
    if (session.document && !entry) {
      session.close();
      say(t("saidDeleted"));
    }
    if (entry && !session.backend.busy && entry.version > session.backend.versionOf(entry.id)) {
      session.forget(entry.id);
      await session.open(entry.id, { fresh: true });
      say(t("saidReloaded"));
    }
  }

  async #refused({ changes, error }) {
    const session = this.#session;
    try {
      for (const { document: id } of changes) {
        session.forget(id);
        if (session.document?.id === id) await session.open(id, { fresh: true });
        else await session.backend.load(id, { fresh: true });
      }
      if (error.status !== 409) complain(error);
      else if (await askAboutConflict()) session.repeat(changes);
    } finally {
      session.backend.tellSaved();
    }
    this.#focusText();
  }

  async #label(label) {
    const session = this.#session;
    const kind = session.selection?.mark ? "saidChanged" : "saidAdded";
    getSelection().removeAllRanges();
    await session.label(label, this.inspector.scope);
    this.#focusText();
    say(t(kind, { type: labelName(label) }), { silent: true });
  }

  async #confirm() {
    if (!this.#session.selection?.mark) return;
    await this.#session.confirm(this.inspector.scope);
    say(t("saidConfirmed"), { silent: true });
    this.#session.nextDoubtful(1) || say(t("noneDoubtful"));
    this.#focusText();
  }

  async #unmark() {
    if (!this.#session.selection?.mark) return;
    await this.#session.unmark(this.inspector.scope);
    say(t("saidRemoved"), { silent: true });
    this.text.root.focus({ preventScroll: true });
  }

  #nextDoubtful(direction) {
    if (!this.#session.document) return;
    if (this.#session.nextDoubtful(direction)) this.#focusText();
    else say(t("noneDoubtful"));
  }

  #undo() {
    if (!this.#session.canUndo) return;
    this.#session.undo();
    say(t("saidUndone"), { silent: true });
  }

  #redo() {
    if (!this.#session.canRedo) return;
    this.#session.redo();
    say(t("saidRedone"), { silent: true });
  }

  async #reviewed() {
    const session = this.#session;
    const { name } = session.document;
    try {
      await session.setState("reviewed");
    } catch (error) {
      if (error.kind === "conflict") await session.open(session.document.id, { fresh: true });
      throw error;
    }
    const next = this.list.nextTodo();
    if (next) await session.open(next.id);
    say(next ? t("saidReviewed", { name }) : t("allReviewed"));
    this.text.root.focus({ preventScroll: true });
  }

  #focusText() {
    const mark = this.#session.selection?.mark;
    const [piece] = mark ? this.text.elementsOf(mark) : [];
    (piece ?? this.text.root).focus({ preventScroll: true });
  }

  #layout() {
    const { document: open, documents } = this.#session;
    const empty = !open && documents.length === 0;
    byId("empty").hidden = !empty;
    byId("editor").hidden = !open;
    byId("inspector").hidden = !open;
    byId("preview").hidden = !open || !preferences.preview;
    byId("main").className = open && preferences.preview ? "two" : "";
  }

  #showDocuments(shown) {
    document.querySelector(".shell").classList.toggle("wide", !shown);
    byId("toggle-documents").setAttribute("aria-expanded", String(shown));
  }

  #translated() {
    setLanguage(preferences.language);
    const button = byId("language");
    button.textContent = t("switchLanguage");
    button.setAttribute("aria-label", t("switchLanguageLabel"));
    button.lang = currentLanguage() === "es" ? "en" : "es";
    this.list.update();
    this.preview.fillPolicies();
    this.text.retranslate();
    this.inspector.update();
    this.toolbar.update();
    this.#showStatus();
  }

  #showStatus() {
    const { backend } = this.#session;
    const status = byId("status");
    status.classList.toggle("offline", this.#saving === "offline");
    if (!backend.keeps) {
      status.replaceChildren(icon("i-shield"), t("privateTab"));
      return;
    }
    const who = backend.editor === "local" ? "" : ` ${t("asEditor", { name: backend.editor })}`;
    status.replaceChildren(element("span", {}, `${t("project", { name: backend.name })}${who} · ${t(this.#saving)}`));
  }
}

main().catch(complain);
