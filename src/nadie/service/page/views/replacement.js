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
  const given = await askForReplacement(session.selectedText(), chosen?.text, preview.replacementOf(mark));
  if (given !== null) await session.choose(mark, given || null);
}

// Resolves to the replacement of the words, to "" if the policy decides, and to null if nothing changes.
// The dialog does not wait for what the policy gives: that is filled in when it comes, unless the user has begun to write.
/**
 * @param {string} words
 * @param {string | undefined} chosen
 * @param {Promise<string>} byPolicy
 */
function askForReplacement(words, chosen, byPolicy) {
  const input = element("input", { type: "text", maxlength: "1000", required: true, autofocus: true, spellcheck: "false", lang: "es" });
  input.value = chosen ?? "";
  byPolicy.then((text) => {
    input.value ||= text;
  });
  const isByPolicy = element("input", { type: "checkbox" });
  isByPolicy.addEventListener("change", () => {
    input.disabled = isByPolicy.checked;
  });
  const content = [
    element("p", { class: "remark" }, t("replacementText", { words })),
    element("label", { class: "stacked" }, t("replacementLabel"), input),
    chosen === undefined ? null : element("label", {}, isByPolicy, element("span", {}, t("replacementPolicy"))),
  ];
  return ask(t("editReplacement"), content, { go: t("save"), answer: () => (isByPolicy.checked ? "" : input.value) });
}
