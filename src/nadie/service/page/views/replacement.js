// The replacement of one mark, written by the user instead of given by the policy.

import { element } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { ask } from "./dialogs.js";

/**
 * @param {Session} session
 * @param {import("./preview.js").Preview} preview
 */
export async function editReplacement(session, preview) {
  const mark = session.selection?.mark;
  if (!mark) return;
  const chosen = session.chosenFor(mark);
  const given = await askForReplacement(session.selectedText(), chosen?.text ?? preview.replacementOf(mark), Boolean(chosen));
  if (given !== null) await session.choose(mark, given || null);
}

// Resolves to the replacement of the words, to "" if the policy decides, and to null if nothing changes.
/**
 * @param {string} words
 * @param {string} current
 * @param {boolean} isChosen
 */
function askForReplacement(words, current, isChosen) {
  const input = element("input", { type: "text", maxlength: "1000", required: true, autofocus: true, spellcheck: "false", lang: "es" });
  input.value = current;
  const byPolicy = element("input", { type: "checkbox" });
  byPolicy.addEventListener("change", () => {
    input.disabled = byPolicy.checked;
  });
  const content = [
    element("p", { class: "remark" }, t("replacementText", { words })),
    element("label", { class: "stacked" }, t("replacementLabel"), input),
    isChosen ? element("label", {}, byPolicy, element("span", {}, t("replacementPolicy"))) : null,
  ];
  return ask(t("editReplacement"), content, { go: t("save"), answer: () => (byPolicy.checked ? "" : input.value) });
}
