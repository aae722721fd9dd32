// Dialogs: each is created on demand, resolves a promise, and is then removed.

import { element } from "../core/dom.js";
import { linesOf, timeOf } from "../core/events.js";
import { COMMANDS, shownKeys } from "../core/commands.js";
import { className, t } from "../core/i18n.js";
import { CLASSES } from "../core/labels.js";

// Show a dialog; resolves to the result of `answer` when its form is submitted, or to null when it is closed otherwise.
/**
 * @param {string} title
 * @param {any[]} content
 * @param {{go?: string | null, answer?: (form: HTMLFormElement) => any, cancel?: TextKey, kind?: string, wide?: boolean,
 *   sure?: boolean, must?: boolean}} options with `must`, Escape is no answer
 * @returns {Promise<any>}
 */
export function ask(title, content, { go = null, answer = () => true, cancel = "cancel", kind = "primary", wide = false, sure = false, must = false } = {}) {
  return new Promise((resolve) => {
    const heading = element("h2", { id: "dialog-title" }, title);
    const close = element("button", { type: "button", class: "framed", onclick: () => dialog.close() }, t(cancel));
    const send = go ? element("button", { type: "submit", class: kind, autofocus: sure }, go) : null;
    const form = element("form", { method: "dialog" }, ...content.filter(Boolean), element("div", { class: "end" }, close, send));
    const dialog = element("dialog", { "aria-labelledby": "dialog-title", class: wide ? "wide" : null, tabindex: wide ? "-1" : null }, heading, form);
    /** @type {any} */
    let given = null;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      given = answer(form);
      dialog.close();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(given);
    });
    if (must) for (const kind of ["cancel", "keydown"]) dialog.addEventListener(kind, refuseEscape);
    document.body.append(dialog);
    dialog.showModal();
    if (!wide) return;
    dialog.focus(); // a long text is read from its beginning, not from the button at its end
    dialog.scrollTop = 0;
  });
}

/** @param {Event} event a key, or the `cancel` of a dialog */
export function refuseEscape(event) {
  if (event.type === "cancel" || /** @type {KeyboardEvent} */ (event).key === "Escape") event.preventDefault();
}

/** @param {string} defaultName */
export function askForText(defaultName) {
  const name = element("input", { type: "text", name: "name", value: defaultName, maxlength: "200", required: true });
  const text = element("textarea", { name: "text", required: true, autofocus: true, spellcheck: "false", lang: "es" });
  return ask(
    t("pasteTitle"),
    [
      element("label", { class: "stacked" }, t("pasteText"), text),
      element("label", { class: "stacked" }, t("pasteName"), name),
    ],
    { go: t("pasteGo"), answer: () => ({ name: name.value, text: text.value }) },
  );
}

/** @type {Record<string, TextKey>} */
const TOKEN_PROBLEMS = { wrong: "loginWrong", expired: "loginExpired" };

/** @param {{reason?: string}} problem */
export function askForToken({ reason } = {}) {
  const problem = reason && TOKEN_PROBLEMS[reason];
  const told = problem ? element("p", { class: "warning", role: "alert" }, t(problem)) : null;
  const token = element("input", { type: "password", autocomplete: "off", required: true, autofocus: true });
  return ask(
    t("loginTitle"),
    [told, element("p", {}, t("loginText")), element("label", { class: "stacked" }, t("loginToken"), token)].filter(Boolean),
    { go: t("loginGo"), answer: () => token.value.trim() },
  );
}

/** @param {string} name */
export function askToDelete(name) {
  return ask(t("deleteDocument"), [element("p", {}, t("deleteQuestion", { name }))], {
    go: t("deleteDocument"),
    kind: "framed danger",
  });
}

/** @param {number} n */
export function askAboutDoubts(n) {
  return ask(t("doubtsTitle"), [element("p", {}, t("doubtsQuestion", { n }))], { go: t("markReviewed"), sure: true });
}

// One key may change many documents.
/** @param {{documents: number, reviewed: number}} count */
export function askAboutMany({ documents, reviewed }) {
  const told = reviewed ? t("manyReviewed", { n: reviewed }) : t("manyNotReviewed");
  const content = [element("p", {}, t("manyQuestion", { n: documents })), element("p", { class: reviewed ? "warning" : "remark" }, told)];
  return ask(t("manyTitle"), content, { go: t("manyGo", { n: documents }), sure: true });
}

// `changes` are those of others in the meantime, with offsets in `text`.
/**
 * @param {LogEvent[]} changes
 * @param {string} text
 */
export function askAboutConflict(changes = [], text = "") {
  const lines = changes.flatMap((event) => linesOf(event, text).map((line) => `${event.editor}, ${timeOf(event.at)}: ${line}`));
  const told = lines.length ? [element("p", {}, t("conflictBy")), element("ul", { class: "events" }, ...lines.map((line) => element("li", {}, line)))] : [];
  return ask(t("conflictTitle"), [element("p", {}, t("conflictText")), ...told], {
    go: t("conflictAgain"),
    cancel: "conflictKeep",
  });
}

export function showHelp() {
  const keys = element("dl", { class: "keys" });
  for (const row of COMMANDS) {
    keys.append(element("dt", {}, ...shownKeys(row).map((name) => element("kbd", {}, name === "Del" ? t("keyNameDelete") : name))), element("dd", {}, t(row.text)));
  }
  const swatches = Object.keys(CLASSES).map((name) =>
    element("li", {}, element("span", { class: `swatch is-${name.toLowerCase()}` }), className(name)),
  );
  const legend = element(
    "ul",
    { class: "legend" },
    ...swatches,
    element("li", {}, element("span", { class: "swatch is-name doubtful" }), t("legendDoubtful")),
    element("li", {}, t("legendPerson")),
    element("li", {}, t("legendNearly")),
    element("li", {}, t("legendAlso")),
    element("li", {}, t("legendKept")),
  );
  const content = [element("p", {}, t("helpIntro")), keys, element("h3", {}, t("helpLegend")), legend];
  return ask(t("helpTitle"), content, { cancel: "close", wide: true });
}
