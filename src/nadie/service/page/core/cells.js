// The cells of a table row, which are separated by tabs in the text of a file: shown with a line between them.

import { element } from "./dom.js";

/** @param {string} text */
export function cells(text) {
  if (!text.includes("\t")) return [text];
  const parts = text.split(/(\t)/u).filter(Boolean);
  return parts.map((part) => (part === "\t" ? element("span", { class: "cell-end" }, part) : part));
}
