// The page: creates the session and the views, and connects them.

import { Api } from "./core/api.js";
import { MemoryBackend } from "./core/backend_memory.js";
import { ProjectBackend } from "./core/backend_project.js";
import { byId, element, icon } from "./core/dom.js";
import { currentLanguage, labelName, setLanguage, t } from "./core/i18n.js";
import { storedPreferences } from "./core/preferences.js";
import { Session } from "./core/session.js";
import { signOn } from "./views/account.js";
import { CommentsPanel } from "./views/comments.js";
import { Decisions } from "./views/decisions.js";
import { askAboutConflict, askAboutMany, askForText, askToDelete, showHelp } from "./views/dialogs.js";
import { DocumentList } from "./views/documents.js";
import { Drawer } from "./views/drawer.js";
import { exportDocuments } from "./views/export_dialog.js";
import { Intake, defaultPasteName } from "./views/files.js";
import { GuidelinesPanel } from "./views/guidelines.js";
import { Handles } from "./views/handles.js";
import { Hints } from "./views/hints.js";
import { Inspector } from "./views/inspector.js";
import { Keyboard } from "./views/keyboard.js";
import { complain, say } from "./views/messages.js";
import { PatientButton } from "./views/patients.js";
import { Preview } from "./views/preview.js";
import { keepUndo, keepUnsent } from "./views/recovery.js";
import { editReplacement } from "./views/replacement.js";
import { SamplePanel } from "./views/sample.js";
import { ScanView } from "./views/scan_page.js";
import { SearchBar } from "./views/search.js";
import { Tabs } from "./views/tabs.js";
import { joinTeam } from "./views/team.js";
import { TextView } from "./views/text.js";
import { Toolbar } from "./views/toolbar.js";
import { ValuesPanel } from "./views/values.js";

const POLL_MS = 5000;
const LONGEST_WORDS = 40;
/** @type {Record<Scope, TextKey>} */
const SCOPES = { here: "scopeHere", document: "scopeDocument", all: "scopeAll" };

const preferences = storedPreferences();
setLanguage(preferences.language);
const api = new Api();

async function main() {
  const me = await signOn(api);
  const { data: project } = await api.get("/v1/project");
  const backend = project.open ? new ProjectBackend(api, project) : new MemoryBackend(api);
  const session = new Session(backend, preferences, api);
  const page = new Page(session);
  if (project.open) joinTeam(session, api, me);
  setLanguage(preferences.language);
  const { data: policies } = await api.get("/v1/policies");
  session.policies = policies;
  const named = (/** @type {Policy} */ policy) => policy.name === preferences.policy;
  session.setPolicy((policies.find(named) ?? policies.find((/** @type {Policy} */ policy) => policy.default)).name);
  await session.refresh();
  if (backend instanceof ProjectBackend) {
    keepUndo(session);
    await keepUnsent(session, backend);
  }
  await page.openFirst();
}

class Page {
  #session;
  /** @type {TextKey} */
  #saving = "saved";

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    const act = this.#actions();
    this.text = new TextView(byId("text"), session);
    new Handles(this.text, session);
    this.inspector = new Inspector(byId("inspector"), session, act);
    this.toolbar = new Toolbar(byId("toolbar"), session, act);
    this.keyboard = new Keyboard(session, this.text, act);
    this.preview = new Preview(session, byId("text"));
    this.patient = new PatientButton(session);
    this.search = new SearchBar(session, this.text);
    this.hints = new Hints(session, this.text, act.label);
    this.values = new ValuesPanel(session, act);
    this.comments = new CommentsPanel(session);
    new GuidelinesPanel(session, api);
    new SamplePanel(session, api);
    new ScanView(session, api);
    this.tabs = new Tabs(session);
    new Drawer(session);
    this.intake = new Intake(session, api);
    this.list = new DocumentList(session, this.intake, askToDelete);
    this.decisions = new Decisions(session, { view: this.text, inspector: this.inspector, list: this.list });
    this.#listen();
    this.#listenToBackend(session.backend);
    this.#showLetters();
    this.#translated();
  }

  // The document in the URL, else the first that is to do, else the first.
  async openFirst() {
    const { documents } = this.#session;
    const named = Number(location.hash.slice(1));
    const first = documents.find(({ id }) => id === named) ?? documents.find(({ state }) => state === "todo") ?? documents[0];
    if (first) await this.#session.open(first.id);
    this.#layout();
  }

  // The actions, by the names of the commands in core/commands.js; those of the selection are in the keyboard.
  #actions() {
    const session = this.#session;
    // While another document is being opened, nothing is decided on the one that is still shown.
    const guarded = (/** @type {(...values: any[]) => any} */ work) => async (/** @type {any[]} */ ...values) => {
      if (!session.isMoving) await Promise.resolve(work(...values)).catch(complain);
    };
    return {
      label: guarded((label) => (session.selection ? this.decisions.label(label) : this.hints.show({ label }))),
      confirm: guarded(() => this.decisions.confirm()),
      unmark: guarded(() => this.decisions.unmark()),
      border: guarded((edge, direction, byCharacter) => this.keyboard.border(edge, direction, byCharacter)),
      pickType: () => session.selection && this.inspector.picker.focus(),
      nextScope: () => session.selection && say(t(SCOPES[this.inspector.nextScope()], { n: session.countHere() }), { silent: true }),
      focusText: () => this.decisions.focusText(),
      nextDoubtful: () => this.decisions.nextDoubtful(1),
      previousDoubtful: () => this.decisions.nextDoubtful(-1),
      nextSuggestion: () => this.decisions.nextSuggestion(1),
      previousSuggestion: () => this.decisions.nextSuggestion(-1),
      undo: guarded(() => session.edits.undo()),
      redo: guarded(() => session.edits.redo()),
      reviewed: guarded(() => session.document && this.decisions.review()),
      allRight: guarded(() => session.document && this.decisions.review({ isAllRight: true })),
      toggleReviewed: guarded(() => (session.current.state === "reviewed" ? session.setState("todo") : this.decisions.review())),
      flag: guarded(() => session.document && this.decisions.flag()),
      previousDocument: () => this.list.step(-1),
      nextDocument: () => this.list.step(1),
      search: () => this.search.open(),
      hints: () => this.hints.show(),
      extendByHint: () => this.hints.show({ isExtending: true }),
      comment: () => this.#showTab("comments", this.comments),
      editReplacement: guarded(() => editReplacement(session, this.preview).finally(() => this.decisions.focusText())),
      changeAll: guarded((value, label) => session.edits.changeAll(value, label)),
      clearFilter: () => session.setFilter({ label: "", isDoubtful: false }),
      help: showHelp,
      togglePreview: () => {
        preferences.preview = !preferences.preview;
        this.#layout();
        this.toolbar.update();
        this.preview.refresh();
      },
      setThreshold: (/** @type {number} */ value) => session.setThreshold(value),
      setTags: (/** @type {string} */ value) => {
        preferences.tags = value;
        this.text.retranslate();
      },
      setPreference: (/** @type {"size" | "isFixed" | "isKept"} */ name, /** @type {never} */ value) => {
        preferences[name] = value;
        this.#showLetters();
      },
    };
  }

  #listen() {
    const session = this.#session;
    session.addEventListener("document", () => {
      this.#layout();
      if (session.document) history.replaceState(null, "", `#${session.document.id}`);
      // Focus the text, so that the keys work at once, unless the user is typing or in a dialog.
      const isBusy = document.querySelector("dialog[open]") || document.activeElement?.matches("input, textarea, select");
      if (session.document && !isBusy) this.text.root.focus({ preventScroll: true });
    });
    session.addEventListener("documents", () => this.#layout());
    session.addEventListener("moving", () => byId("text").setAttribute("aria-busy", String(session.isMoving)));
    session.edits.askAboutMany = askAboutMany;
    // Chosen in the list, even if it is already open.
    session.addEventListener("chosen", () => this.decisions.start());
    session.addEventListener("said", (/** @type {any} */ { detail }) => say(t(detail.key, { ...detail.values, what: described(detail.what) }), { bad: detail.bad }));
    session.addEventListener("policy", () => {
      preferences.policy = session.policy ?? "";
    });
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
    addEventListener("beforeunload", (event) => {
      const unsaved = session.backend.keeps ? session.backend.busy : session.documents.length > 0;
      if (unsaved) event.preventDefault();
    });
  }

  /** @param {Backend} backend */
  #listenToBackend(backend) {
    if (!backend.keeps) return;
    for (const kind of /** @type {const} */ (["saving", "saved", "offline", "full", "waiting"])) {
      backend.addEventListener(kind, () => {
        this.#saving = kind;
        this.#showStatus();
      });
    }
    backend.addEventListener("merged", (/** @type {any} */ { detail }) => {
      this.#session.takeSpans(detail.id, detail.spans);
      say(t("saidMerged"));
    });
    backend.addEventListener("refused", (/** @type {any} */ { detail }) => this.#refused(detail).catch(complain));
    const poll = async () => {
      if (!document.hidden) await this.#poll().catch(() => {});
      setTimeout(poll, POLL_MS); // after the answer: a slow one is not overtaken by the next
    };
    setTimeout(poll, POLL_MS);
  }

  // Changes by others in the meantime.
  async #poll() {
    const session = this.#session;
    await session.refresh();
    const entry = session.documents.find(({ id }) => id === session.document?.id);
    if (session.document && !entry) {
      session.close();
      say(t("saidDeleted"));
    }
    if (entry && !session.backend.busy && entry.version > session.backend.versionOf(entry.id)) {
      session.edits.forget(entry.id);
      await session.reload(entry.id, { fresh: true });
      say(t("saidReloaded"));
    }
  }

  /** @param {{changes: Change[], error: ApiError}} refused */
  async #refused({ changes, error }) {
    const session = this.#session;
    try {
      for (const { document: id } of changes) {
        session.edits.forget(id);
        await session.reload(id, { fresh: true });
      }
      if (error.status !== 409) complain(error);
      else if (await askAboutConflict(error.problem.changes, session.document?.text)) session.edits.repeat(changes);
    } finally {
      session.backend.tellSaved();
    }
    this.decisions.focusText();
  }

  /**
   * @param {string} name
   * @param {{focus: () => void}} panel
   */
  #showTab(name, panel) {
    if (!this.#session.preferences.preview) this.toolbar.togglePreview();
    this.tabs.show(name);
    panel.focus();
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

  #showLetters() {
    byId("main").style.setProperty("--letters", `${preferences.size / 100}`);
    document.body.classList.toggle("fixed-width", preferences.isFixed);
  }

  #translated() {
    setLanguage(preferences.language);
    const button = byId("language");
    button.textContent = t("switchLanguage");
    button.title = t("switchLanguageLabel");
    button.lang = currentLanguage() === "es" ? "en" : "es";
    this.list.update();
    this.patient.update();
    this.preview.fillPolicies();
    this.text.retranslate();
    this.inspector.update();
    this.toolbar.update();
    this.values.translate();
    this.comments.update();
    this.#showStatus();
  }

  #showStatus() {
    const { backend } = this.#session;
    const status = byId("status");
    status.classList.toggle("offline", ["offline", "full", "waiting"].includes(this.#saving));
    if (!backend.keeps) {
      status.replaceChildren(icon("i-shield"), t("privateTab"));
      return;
    }
    const who = backend.editor === "local" ? "" : ` ${t("asEditor", { name: backend.editor })}`;
    status.replaceChildren(element("span", {}, `${t("project", { name: backend.name })}${who} · ${t(this.#saving)}`));
  }
}

// A step of the history in words.
/** @param {{key: TextKey, words?: string, label?: string, n?: number} | null} what */
function described(what) {
  if (!what) return "";
  const { key, words = "", label, n } = what;
  const shown = words.replace(/\s+/gu, " ");
  const short = shown.length > LONGEST_WORDS ? `${shown.slice(0, LONGEST_WORDS)}…` : shown;
  return t(key, { n, words: short, type: label ? labelName(label) : "" });
}

main().catch(complain).finally(() => byId("main").removeAttribute("aria-busy"));
