// Short messages: shown for some seconds, and announced by screen readers.

import { byId, element } from "../core/dom.js";
import { formatName, t } from "../core/i18n.js";

const SHOWN_MS = 3500;
const BAD_MS = 8000;

/**
 * @param {string} text
 * @param {{bad?: boolean, silent?: boolean}} options
 */
export function say(text, { bad = false, silent = false } = {}) {
  byId("announcer").textContent = text;
  if (silent) return;
  const toast = element("div", { class: bad ? "toast bad" : "toast" }, text);
  byId("toasts").append(toast);
  setTimeout(() => toast.classList.add("leaving"), bad ? BAD_MS : SHOWN_MS);
  setTimeout(() => toast.remove(), (bad ? BAD_MS : SHOWN_MS) + 250);
}

// The message for a problem, in the user's language.
/** @param {any} error */
export function reasonOf(error) {
  /** @type {Record<string, TextKey>} */
  const known = {
    network: "problemNetwork",
    "too-large": "problemTooLarge",
    invalid: "problemInvalid",
    overloaded: "problemBusy",
    "too-many-requests": "problemBusy",
    starting: "problemBusy",
    "too-many-values": "problemToday",
    "too-many-bytes": "problemToday",
    timeout: "problemTimeout",
    conflict: "problemConflict",
    leak: "problemLeak",
    "storage-full": "full",
    "no-access": "noAccess",
    "wrong-encoding": "problemEncoding",
    "lone-annotations": "problemLoneAnnotations",
    "no-whole-file": "problemNoWholeFile",
    "already-there": "problemAlreadyThere",
  };
  if (error.problem?.permission === "keyed") return t("problemKeyed");
  if (error.kind === "forbidden") return t(error.problem.assigned ? "problemAssigned" : "problemForbidden");
  if (error.problem?.column) return t("problemColumn", { name: error.problem.column });
  if (error.kind === "unsupported-format") return t("problemFormat", { format: formatName(error.problem) });
  return known[error.kind] ? t(known[error.kind]) : t("problemOther", { kind: error.kind ?? error.name });
}

/** @param {unknown} error */
export const complain = (error) => say(reasonOf(error), { bad: true });
