// Entries of the log as text: who did what, and when.

import { currentLanguage, labelName, t } from "./i18n.js";
import { Offsets } from "./offsets.js";

const KINDS = { added: "didAdd", reviewed: "didReview", todo: "didReopen", assigned: "didAssign", exported: "didExport", restored: "didRestore" };
const LONGEST = 40;

export function timeOf(at) {
  return new Date(at).toLocaleString(currentLanguage(), { dateStyle: "medium", timeStyle: "short" });
}

// The description of an event, as lines; `text` is that of its document, if there is one.
export function linesOf(event, text = "") {
  const lines = [];
  if (KINDS[event.kind]) lines.push(t(KINDS[event.kind], { ...event.detail, parts: (event.detail.parts ?? []).join(", ") }));
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
  return lines.length ? lines : [event.kind];
}

function quoter(text) {
  const offsets = new Offsets(text);
  return ({ start, end }) => {
    const words = text.slice(offsets.toUtf16(start), offsets.toUtf16(end)).replace(/\s+/gu, " ");
    return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
  };
}
