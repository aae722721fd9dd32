// A table of figures: the first cell of a row is its heading.

import { element } from "../core/dom.js";
import { t } from "../core/i18n.js";

/**
 * @param {string} id
 * @param {string} caption
 * @param {string[]} heads
 * @param {(string | number | Node | null)[][]} rows
 */
export function table(id, caption, heads, rows) {
  const cell = (/** @type {string | number | Node | null} */ content) => (typeof content === "number" ? String(content) : content);
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const body = rows.map(([first, ...others]) =>
    element("tr", {}, element("th", { scope: "row" }, cell(first)), ...others.map((content) => element("td", {}, cell(content)))),
  );
  const empty = rows.length ? null : element("tr", {}, element("td", { colspan: String(heads.length) }, t("nothingYet")));
  const made = element("table", { id, class: "figures" }, element("caption", {}, caption), element("thead", {}, head), element("tbody", {}, ...body, empty));
  return made;
}
