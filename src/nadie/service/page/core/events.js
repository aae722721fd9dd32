// Entries of the log as text: who did what, and when.

import { currentLanguage, labelName, t } from "./i18n.js";
import { Offsets } from "./offsets.js";

/** @type {Record<string, TextKey>} */
const KINDS = {
  added: "didAdd", reviewed: "didReview", todo: "didReopen", assigned: "didAssign", exported: "didExport", restored: "didRestore",
  changed: "didChange",
  commented: "didComment",
  uncommented: "didUncomment",
  deleted: "didDelete",
  patient: "didPatient",
  patients: "didRule",
  flagged: "didFlag",
  unflagged: "didUnflag",
  adjudicated: "didAdjudicate",
  guidelines: "didGuide",
  file: "didFile",
  boxes: "didBox",
  sampled: "didSample",
  accepted: "didAccept",
  "person added": "didAddPerson",
  "person changed": "didChangePerson",
  "person revoked": "didRevoke",
  "token rotated": "didRotate",
};
const LONGEST = 40;

/** @param {string} at */
export function timeOf(at) {
  return new Date(at).toLocaleString(currentLanguage(), { dateStyle: "medium", timeStyle: "short" });
}

// The description of an event, as lines; `text` is that of its document, if there is one.
/**
 * @param {LogEvent} event
 * @param {string} text
 */
export function linesOf(event, text = "") {
  const lines = [];
  if (KINDS[event.kind] && event.kind !== "changed") lines.push(t(KINDS[event.kind], { ...event.detail, parts: (event.detail.parts ?? []).join(", ") }));
  if (event.kind === "added") return lines;
  const quote = quoter(text);
  const removed = [...event.removed];
  for (const span of event.added) {
    const at = removed.findIndex((old) => old.start < span.end && span.start < old.end);
    const [old] = at < 0 ? [] : removed.splice(at, 1);
    const words = quote(span);
    if (!old) lines.push(t("didMark", { words, type: labelName(span.label) }));
    else if (old.label !== span.label) lines.push(t("didRelabel", { words, before: labelName(old.label), type: labelName(span.label) }));
    else if (old.start === span.start && old.end === span.end) lines.push(t("didConfirm", { words, type: labelName(span.label) }));
    else lines.push(t("didMove", { words, before: quote(old) }));
  }
  for (const span of removed) lines.push(t("didUnmark", { words: quote(span), type: labelName(span.label) }));
  return lines.length ? lines : [t(KINDS[event.kind] ?? "didOther")];
}

/** @param {string} text */
function quoter(text) {
  const offsets = new Offsets(text);
  return (/** @type {Place} */ { start, end }) => {
    const words = text.slice(offsets.toUtf16(start), offsets.toUtf16(end)).replace(/\s+/gu, " ");
    return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
  };
}
