// What to take away: which documents, in which form. What holds personal data is told apart and warned about.

import { element, icon } from "../core/dom.js";
import { policyName, t } from "../core/i18n.js";
import { ask } from "./dialogs.js";
import { complain, say } from "./messages.js";
import { saveAs } from "./preview.js";

export async function exportDocuments(session) {
  const { documents, document: open } = session;
  const reviewed = documents.filter(({ state }) => state === "reviewed");
  const todo = documents.length - reviewed.length;
  const choice = (type, name, value, text, checked, disabled = false) =>
    element("label", {}, element("input", { type, name, value, checked, disabled }), element("span", {}, text));
  const field = (legend, ...content) => element("fieldset", {}, element("legend", {}, legend), ...content);
  const warning = element("p", { class: "warning", hidden: true }, icon("i-alert"), element("span", {}, t("partWarning")));
  const unreviewed = todo
    ? element("p", { class: "warning" }, icon("i-alert"), element("span", {}, t("exportTodo", { n: todo })))
    : null;
  const originals = [
    choice("checkbox", "part", "brat", t("partBrat"), false),
    choice("checkbox", "part", "jsonl", t("partJsonl"), false),
  ];
  const content = [
    field(
      t("exportWhich"),
      choice("radio", "which", "all", t("exportEverything", { n: documents.length }), true),
      choice("radio", "which", "reviewed", t("exportReviewed", { n: reviewed.length }), false, reviewed.length === 0),
      choice("radio", "which", "this", t("exportThis"), false, !open),
      unreviewed,
    ),
    field(t("exportParts"), choice("checkbox", "part", "anonymized", t("partAnonymized"), true), ...originals, warning),
    field(
      t("exportNames"),
      choice("radio", "names", "numbered", t("namesNumbered"), true),
      choice("radio", "names", "original", t("namesOriginal"), false),
    ),
    element("p", {}, t("exportPolicy", { name: policyName({ name: session.policy }) })),
  ];
  for (const label of originals) {
    label.addEventListener("change", () => {
      warning.hidden = !originals.some((other) => other.querySelector("input").checked);
    });
  }
  const plan = await ask(t("exportTitle"), content, { go: t("exportGo"), answer: (form) => new FormData(form) });
  if (plan) await download(session, plan, documents, reviewed);
}

async function download(session, answers, documents, reviewed) {
  const parts = answers.getAll("part");
  if (!parts.length) return;
  const which = answers.get("which");
  const plan = { parts, policy: session.policy, names: answers.get("names") };
  const chosen = { all: documents, reviewed, this: [{ id: session.document?.id }] }[which];
  const state = { all: null, reviewed: "reviewed", this: undefined }[which];
  try {
    const { blob, name, failed } = await session.backend.export(chosen.map(({ id }) => id), plan, state);
    saveAs(blob, name);
    session.exported = true;
    if (failed) say(t("exportFailed", { n: failed }), { bad: true });
  } catch (error) {
    complain(error);
  }
}
