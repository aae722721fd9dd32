// What the corrections imply for lists, patterns and thresholds: accepted one by one.

import { element } from "../core/dom.js";
import { labelName, t } from "../core/i18n.js";
import { ask } from "./dialogs.js";
import { complain, say } from "./messages.js";
import { table } from "./table.js";

/** @typedef {{kind: "staff" | "centre" | "deny" | "allow" | "pattern" | "threshold", label: string, value: string, times: number, notes: number, against: number}} Implied */

/** @param {Api} api */
export async function showImplied(api) {
  const { data } = await api.get("/v1/project/suggestions");
  const rows = data.map((/** @type {Implied} */ each) => [
    each.value,
    t(`implied_${each.kind}`),
    labelName(each.label),
    t("impliedEvidence", { times: each.times, notes: each.notes, against: each.against }),
    acceptButton(api, each),
  ]);
  const heads = [t("impliedValue"), t("impliedFile"), t("impliedLabel"), t("impliedWhy"), t("actions")];
  const content = table("implied", t("impliedTitle"), heads, rows);
  await ask(t("impliedTitle"), [element("p", {}, t("impliedHow")), content], { cancel: "close", wide: true });
}

/**
 * @param {Api} api
 * @param {Implied} suggestion
 */
function acceptButton(api, { kind, label, value }) {
  const accept = async () => {
    await api.post("/v1/project/suggestions", { kind, label, value });
    button.disabled = true;
    say(t("impliedAccepted"));
  };
  const button = element("button", { type: "button", class: "framed", onclick: () => accept().catch(complain) }, t("impliedAccept"));
  return button;
}
