// The patient of a document: shown above the text, set by hand, or identified by a rule for all documents.

import { byId, element } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { fieldOf } from "../core/patients.js";
import { ask } from "./dialogs.js";
import { complain, say } from "./messages.js";

const DEFAULT_PATTERN = "^([^_. -]+)";
const RULES = /** @type {const} */ (["auto", "folder", "id", "meta", "none"]);
/** @param {string} rule */
const kindOf = (rule) => rule.split(":", 1)[0];

export class PatientButton {
  /** @type {Session} */
  #session;
  #button = byId("patient");

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    for (const kind of ["document", "documents"]) session.addEventListener(kind, () => this.update());
    this.#button.addEventListener("click", () => askForPatient(session).catch(complain));
  }

  update() {
    const { entry } = this.#session;
    if (!entry) return;
    this.#button.textContent = entry.patient ? `${t("patient")} ${entry.patient}` : t("patientUnknown");
    this.#button.classList.toggle("unknown", !entry.patient && entry.patient_source !== "own");
    this.#button.title = toldBy(entry);
  }
}

/** @param {Entry} entry */
const toldBy = ({ patient_source: source }) =>
  t(/** @type {import("../core/i18n.js").TextKey} */ (`patientBy${source ? source[0].toUpperCase() + source.slice(1) : "Nothing"}`));

/** @param {Session} session */
async function askForPatient(session) {
  const { entry, documents, backend } = session;
  if (!entry) return;
  const known = [...new Set(documents.map(({ patient }) => patient).filter(Boolean))].sort();
  const byHand = element("input", { type: "text", list: "known-patients", maxlength: "200", autocomplete: "off", autofocus: true });
  byHand.value = entry.patient_source === "hand" ? entry.patient : "";
  byHand.placeholder = entry.patient;
  const list = element("datalist", { id: "known-patients" }, ...known.map((value) => element("option", { value })));
  const rule = ruleField(backend.patientRule);
  const content = [
    element(
      "fieldset",
      {},
      element("legend", {}, t("patientHere")),
      element("p", { class: "remark" }, toldBy(entry)),
      element("label", { class: "stacked" }, t("patientByHandLabel"), byHand, list),
      othersOf(entry, documents),
    ),
    session.mayAdminister ? rule.node : null,
    element("p", { class: "remark" }, t("patientWhy")),
  ];
  const given = await ask(t("patientTitle"), content, { go: t("save"), answer: () => ({ patient: byHand.value.trim(), rule: rule.value() }) });
  if (!given) return;
  if (given.rule !== backend.patientRule) await session.setPatientRule(given.rule);
  const before = entry.patient_source === "hand" ? entry.patient : "";
  if (given.patient !== before) await session.setPatient([entry.id], given.patient);
  const unknown = session.documents.filter(({ patient, patient_source: source }) => !patient && source !== "own").length;
  say(unknown ? t("patientsUnknown", { n: unknown }) : t("patientsKnown"));
}

/**
 * @param {Entry} entry
 * @param {Entry[]} documents
 */
function othersOf({ id, patient }, documents) {
  const others = patient ? documents.filter((other) => other.patient === patient && other.id !== id) : [];
  if (!others.length) return element("p", { class: "remark" }, t("patientAlone"));
  const names = others.slice(0, 5).map(({ name }) => name);
  const more = others.length > names.length ? "…" : "";
  return element("p", { class: "remark" }, t("patientOthers", { n: others.length, names: `${names.join(", ")}${more}` }));
}

/** @param {string} current */
function ruleField(current) {
  const kind = kindOf(current);
  const pattern = element("input", { type: "text", maxlength: "150", spellcheck: "false", "aria-label": t("patientPattern") });
  pattern.value = kind === "id" ? current.slice("id:".length) : DEFAULT_PATTERN;
  const field = element("input", { type: "text", maxlength: "150", spellcheck: "false", "aria-label": t("patientField") });
  field.value = fieldOf(current);
  /** @type {Record<string, HTMLInputElement>} */
  const extra = { id: pattern, meta: field };
  const choices = RULES.map((name) => {
    const radio = element("input", { type: "radio", name: "rule", value: name, checked: name === kind });
    return element("div", { class: "choice" }, element("label", {}, radio, element("span", {}, t(`patientRule_${name}`))), extra[name]);
  });
  const node = element("fieldset", {}, element("legend", {}, t("patientRule")), ...choices);
  const ruleChosen = () => /** @type {HTMLInputElement} */ (node.querySelector("input[type=radio]:checked")).value;
  const show = () => {
    const chosen = ruleChosen();
    for (const [name, input] of Object.entries(extra)) {
      input.hidden = name !== chosen;
      input.required = name === chosen;
    }
  };
  node.addEventListener("change", show);
  show();
  const value = () => {
    const chosen = ruleChosen();
    return extra[chosen] ? `${chosen}:${extra[chosen].value}` : chosen;
  };
  return { node, value };
}
