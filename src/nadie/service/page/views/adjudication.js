// Two readings side by side, and the decision for each difference.

import { compared, decided } from "../core/comparison.js";
import { element } from "../core/dom.js";
import { labelName, t } from "../core/i18n.js";
import { Offsets } from "../core/offsets.js";
import { ask } from "./dialogs.js";

const AROUND = 40;

// Whether a decision was sent.
export async function adjudicate(api, id) {
  const { data: pair } = await api.get(`/v1/project/pairs/${id}`);
  const comparison = compared(pair.first.spans, pair.second.spans);
  const content = [
    sideBySide(pair, comparison),
    ...comparison.differences.map((difference, at) => question(pair, difference, at)),
    comparison.differences.length ? null : element("p", {}, t("adjudicateSame")),
  ].filter(Boolean);
  const answers = await ask(t("adjudicateTitle", { name: pair.name }), content, {
    go: t("adjudicateGo"),
    wide: true,
    answer: (form) => comparison.differences.map((_, at) => new FormData(form).get(`difference-${at}`)),
  });
  if (!answers) return false;
  const { version, copy_version } = pair;
  await api.put(`/v1/project/pairs/${id}`, { version, copy_version, spans: decided(comparison, answers) });
  return true;
}

function sideBySide(pair, { differences }) {
  const side = (reading) =>
    element(
      "section",
      { class: "reading" },
      element("h3", {}, reading.reviewer),
      element("div", { class: "reading-text", lang: "es", translate: "no", tabindex: "0", role: "group", "aria-label": t("readingOf", { name: reading.reviewer }) }, ...marked(pair.text, reading.spans, differences)),
    );
  return element("div", { class: "readings" }, side(pair.first), side(pair.second));
}

// The text with its spans; differences between the readings are highlighted.
function marked(text, spans, differences) {
  const offsets = new Offsets(text);
  const cut = (start, end) => text.slice(offsets.toUtf16(start), end === undefined ? undefined : offsets.toUtf16(end));
  const pieces = [];
  let done = 0;
  for (const span of spans) {
    const differs = differences.some(({ start, end }) => span.start < end && start < span.end);
    pieces.push(cut(done, span.start));
    pieces.push(element("mark", { class: differs ? "differs" : null, title: labelName(span.label) }, cut(span.start, span.end)));
    done = span.end;
  }
  return [...pieces, cut(done)];
}

function question(pair, { start, end, first, second }, at) {
  const offsets = new Offsets(pair.text);
  const cut = (from, to) => pair.text.slice(offsets.toUtf16(Math.max(0, from)), offsets.toUtf16(to));
  const told = (spans) => (spans.length ? spans.map((span) => `«${cut(span.start, span.end)}» ${labelName(span.label)}`).join(", ") : t("adjudicateNothing"));
  const choice = (value, text) =>
    element("label", {}, element("input", { type: "radio", name: `difference-${at}`, value, required: true }), element("span", {}, text));
  return element(
    "fieldset",
    { class: "difference" },
    element("legend", {}, `${at + 1}. …${cut(start - AROUND, start)}`, element("mark", { class: "differs" }, cut(start, end)), `${cut(end, end + AROUND)}…`),
    choice("first", `${pair.first.reviewer}: ${told(first)}`),
    choice("second", `${pair.second.reviewer}: ${told(second)}`),
    first.length && second.length ? choice("neither", t("adjudicateNeither")) : null,
  );
}
