// The guidelines of the project next to the text: read by everybody, written by administrators.

import { byId, element } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { ask } from "./dialogs.js";
import { complain } from "./messages.js";

export class GuidelinesPanel {
  #session;
  #api;
  #text = "";

  /**
   * @param {Session} session
   * @param {Api} api
   */
  constructor(session, api) {
    this.#session = session;
    this.#api = api;
    byId("tab-guidelines").hidden = !session.backend.keeps;
    byId("edit-guidelines").addEventListener("click", () => this.#edit().catch(complain));
    session.addEventListener("tab", () => session.tab === "guidelines" && this.#load().catch(complain));
  }

  async #load() {
    this.#text = (await this.#api.get("/v1/project/guidelines")).data.text;
    byId("edit-guidelines").hidden = !this.#session.mayAdminister;
    byId("guidelines-none").hidden = this.#text.trim() !== "";
    byId("guidelines-text").replaceChildren(...rendered(this.#text));
  }

  async #edit() {
    const area = element("textarea", { maxlength: "100000", autofocus: true, lang: "es" });
    area.value = this.#text;
    const label = element("label", { class: "stacked" }, t("guidelinesHow"), area);
    const text = await ask(t("guidelinesTitle"), [label], { go: t("save"), answer: () => area.value });
    if (text === null) return;
    await this.#api.put("/v1/project/guidelines", { text });
    await this.#load();
  }
}

// Headings (#), items (-) and paragraphs; everything else is plain text.
/** @param {string} text */
function rendered(text) {
  const nodes = [];
  for (const block of text.split(/\n\s*\n/u).filter((each) => each.trim())) {
    const lines = block.trim().split("\n");
    if (/^#+\s/u.test(lines[0])) nodes.push(element("h3", {}, String(lines.shift()).replace(/^#+\s+/u, "")));
    if (!lines.length) continue;
    const isList = lines.every((line) => /^\s*[-*•]\s/u.test(line));
    const items = lines.map((line) => element("li", {}, line.replace(/^\s*[-*•]\s+/u, "")));
    nodes.push(isList ? element("ul", {}, ...items) : element("p", {}, lines.join("\n")));
  }
  return nodes;
}
