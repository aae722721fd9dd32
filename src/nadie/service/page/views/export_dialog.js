// The export: which documents, in which format. Parts with personal data are separate and have a warning.

import { element, icon } from "../core/dom.js";
import { policyName, t } from "../core/i18n.js";
import { originals as files } from "../core/originals.js";
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
  const fromFiles = documents.filter(({ id, file }) => file || files.has(id)).length;
  const unknown = documents.filter(({ patient, patient_source: source }) => !patient && source !== "own").length;
  const isUnknown = unknown ? element("p", { class: "remark" }, t("exportUnknown", { n: unknown })) : null;
  const originals = !session.mayTakeOriginals ? [] : [
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
    field(
      t("exportParts"),
      choice("checkbox", "part", "anonymized", t("partAnonymized"), fromFiles < documents.length),
      fromFiles ? choice("checkbox", "part", "original", t("partOriginal"), true) : null,
      ...originals,
      warning,
    ),
    field(
      t("exportNames"),
      choice("radio", "names", "numbered", t("namesNumbered"), true),
      choice("radio", "names", "original", t("namesOriginal"), false),
    ),
    element("p", {}, t("exportPolicy", { name: policyName({ name: session.policy }) })),
    isUnknown,
  ];
  for (const label of originals) {
    label.addEventListener("change", () => {
      warning.hidden = !originals.some((other) => other.querySelector("input")?.checked);
    });
  }
  const plan = await ask(t("exportTitle"), content, { go: t("exportGo"), answer: (form) => new FormData(form) });
  if (plan) await download(session, plan, documents, reviewed);
}

async function download(session, answers, documents, reviewed) {
  const asked = answers.getAll("part");
  const parts = asked.filter((part) => part !== "original");
  if (!asked.length) return;
  const which = answers.get("which");
  const plan = { parts, policy: session.policy, names: answers.get("names") };
  const chosen = { all: documents, reviewed, this: [{ id: session.document?.id }] }[which];
  const state = { all: null, reviewed: "reviewed", this: undefined }[which];
  const ids = chosen.map(({ id }) => id);
  try {
    if (asked.includes("original")) for (const made of await session.backend.exportFiles(ids, plan)) take(made);
    if (parts.length) take(await session.backend.export(ids, plan, state));
    session.exported = true;
  } catch (error) {
    complain(error);
  }
}

function take({ blob, name, failed }) {
  saveAs(blob, name);
  if (failed) say(t("exportFailed", { n: failed }), { bad: true });
}
