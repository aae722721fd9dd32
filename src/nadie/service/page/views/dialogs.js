// Dialogs: each is made when it is asked for, answers by a promise, and is gone afterwards.

import { element } from "../core/dom.js";
import { className, t } from "../core/i18n.js";
import { CLASSES } from "../core/labels.js";
import { KEYS } from "./keyboard.js";

// Show a dialog; resolves to what `answer` gives when its form is sent, or to null when it is closed otherwise.
export function ask(title, content, { go = null, answer = () => true, cancel = "cancel", kind = "primary", wide = false } = {}) {
  return new Promise((resolve) => {
    const heading = element("h2", { id: "dialog-title" }, title);
    const close = element("button", { type: "button", class: "framed", onclick: () => dialog.close() }, t(cancel));
    const send = go ? element("button", { type: "submit", class: kind }, go) : null;
    const form = element("form", { method: "dialog" }, ...content, element("div", { class: "end" }, close, send));
    const dialog = element("dialog", { "aria-labelledby": "dialog-title", class: wide ? "wide" : null, autofocus: wide }, heading, form);
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
    document.body.append(dialog);
    dialog.showModal();
  });
}

export function askForText(defaultName) {
  const name = element("input", { type: "text", name: "name", value: defaultName, maxlength: "200", required: true });
  const text = element("textarea", { name: "text", required: true, autofocus: true, spellcheck: "false" });
  return ask(
    t("pasteTitle"),
    [
      element("label", { class: "stacked" }, t("pasteText"), text),
      element("label", { class: "stacked" }, t("pasteName"), name),
    ],
    { go: t("pasteGo"), answer: () => ({ name: name.value, text: text.value }) },
  );
}

export function askForToken() {
  const token = element("input", { type: "password", autocomplete: "off", required: true, autofocus: true });
  return ask(
    t("loginTitle"),
    [element("p", {}, t("loginText")), element("label", { class: "stacked" }, t("loginToken"), token)],
    { go: t("loginGo"), answer: () => token.value.trim() },
  );
}

export function askToDelete(name) {
  return ask(t("deleteDocument"), [element("p", {}, t("deleteQuestion", { name }))], {
    go: t("deleteDocument"),
    kind: "framed danger",
  });
}

export function askAboutConflict() {
  return ask(t("conflictTitle"), [element("p", {}, t("conflictText"))], {
    go: t("conflictAgain"),
    cancel: "conflictKeep",
  });
}

export function showHelp() {
  const keys = element("dl", { class: "keys" });
  for (const [text, names] of KEYS) {
    keys.append(element("dt", {}, ...names.map((name) => element("kbd", {}, name))), element("dd", {}, t(text)));
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
    element("li", {}, t("legendAlso")),
    element("li", {}, t("legendKept")),
  );
  const content = [element("p", {}, t("helpIntro")), keys, element("h3", {}, t("helpLegend")), legend];
  return ask(t("helpTitle"), content, { cancel: "close", wide: true });
}
