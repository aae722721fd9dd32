// The export: which documents, in which format. Parts with personal data are separate and have a warning.

import { element, icon } from "../core/dom.js";
import { policyName, t } from "../core/i18n.js";
import { originals as files } from "../core/originals.js";
import { ask } from "./dialogs.js";
import { complain, say } from "./messages.js";
import { saveAs } from "./preview.js";

/**
 * @param {string} type
 * @param {string} name
 * @param {string} value
 * @param {string} text
 * @param {{checked?: boolean, disabled?: boolean}} options
 */
const choice = (type, name, value, text, { checked = false, disabled = false } = {}) =>
  element("label", {}, element("input", { type, name, value, checked, disabled }), element("span", {}, text));

/**
 * @param {string} legend
 * @param {(HTMLElement | null)[]} content
 */
const field = (legend, ...content) => element("fieldset", {}, element("legend", {}, legend), ...content);

/** @param {Session} session */
export async function exportDocuments(session) {
  const { documents, document: open } = session;
  // Two readings that nobody has decided on are not exported.
  const decided = documents.filter(({ undecided }) => !undecided);
  const reviewed = decided.filter(({ state }) => state === "reviewed");
  /** @type {Record<string, Entry[]>} */
  const chosen = { all: decided, reviewed, this: decided.filter(({ id }) => id === open?.id) };
  const count = element("p", { id: "export-count", class: "remark", role: "status" });
  const warning = element("p", { class: "warning", hidden: true }, icon("i-alert"), element("span", {}, t("partWarning")));
  const hasFile = (/** @type {Entry} */ { id, file }) => Boolean(file) || files.has(id);
  const fromFiles = decided.filter(hasFile).length;
  const content = [
    field(
      t("exportWhich"),
      choice("radio", "which", "all", t("exportEverything", { n: decided.length }), { checked: true }),
      choice("radio", "which", "reviewed", t("exportReviewed", { n: reviewed.length }), { disabled: reviewed.length === 0 }),
      choice("radio", "which", "this", t("exportThis"), { disabled: chosen.this.length === 0 }),
      count,
    ),
    field(
      t("exportParts"),
      choice("checkbox", "part", "anonymized", t("partAnonymized"), { checked: fromFiles < decided.length }),
      fromFiles ? choice("checkbox", "part", "original", t("partOriginal"), { checked: true }) : null,
      ...(session.mayTakeOriginals ? [choice("checkbox", "part", "brat", t("partBrat")), choice("checkbox", "part", "jsonl", t("partJsonl"))] : []),
      warning,
    ),
    field(t("exportNames"), choice("radio", "names", "numbered", t("namesNumbered"), { checked: true }), choice("radio", "names", "original", t("namesOriginal"))),
    element("p", {}, t("exportPolicy", { name: policyName({ name: String(session.policy) }) })),
  ];
  const holder = element("div", { class: "stack" }, ...content);
  const update = () => {
    const values = valuesOf(holder);
    warning.hidden = !values.parts.some((part) => ["brat", "jsonl"].includes(part));
    const told = counted(chosen[values.which], documents.length - decided.length, values.parts.includes("original"), hasFile);
    count.replaceChildren(...told);
  };
  holder.addEventListener("change", update);
  update();
  const plan = await ask(t("exportTitle"), [holder], { go: t("exportGo"), answer: () => valuesOf(holder) });
  if (plan) await download(session, plan, chosen[plan.which].map(({ id }) => id));
}

/** @param {HTMLElement} holder */
function valuesOf(holder) {
  const checked = [...holder.querySelectorAll("input")].filter((input) => input.checked);
  const named = (/** @type {string} */ wanted) => checked.filter(({ name }) => name === wanted).map(({ value }) => value);
  return { which: named("which")[0], parts: named("part"), names: named("names")[0] };
}

// What is exported, in words: so many documents, so many of them not reviewed, of an unknown patient, from a file.
/**
 * @param {Entry[]} documents
 * @param {number} undecided
 * @param {boolean} withFiles
 * @param {(entry: Entry) => boolean} hasFile
 */
function counted(documents, undecided, withFiles, hasFile) {
  const todo = documents.filter(({ state }) => state === "todo").length;
  const unknown = documents.filter(({ patient, patient_source: source }) => !patient && source !== "own").length;
  const inFiles = documents.filter(hasFile).length;
  return [
    element("span", {}, t("exportCount", { n: documents.length })),
    todo ? element("span", { class: "warning" }, icon("i-alert"), element("span", {}, t("exportTodo", { n: todo }))) : null,
    undecided ? element("span", {}, t("exportUndecided", { n: undecided })) : null,
    unknown ? element("span", {}, t("exportUnknown", { n: unknown })) : null,
    withFiles ? element("span", {}, t("exportFiles", { n: inFiles })) : null,
  ].filter((line) => line !== null);
}

/**
 * @param {Session} session
 * @param {{parts: string[], names: string}} answers
 * @param {number[]} ids
 */
async function download(session, { parts: asked, names }, ids) {
  const parts = asked.filter((part) => part !== "original");
  const plan = { parts, policy: session.policy, names };
  try {
    if (asked.includes("original")) for (const made of await session.backend.exportFiles(ids, plan)) take(made);
    if (parts.length) take(await session.backend.export(ids, plan));
  } catch (error) {
    complain(error);
  }
}

/** @param {Download} made */
function take({ blob, name, failed }) {
  saveAs(blob, name);
  if (failed) say(t("exportFailed", { n: failed }), { bad: true });
}
