// The selection and its actions. The elements are created once and then only updated, so that the focus
// stays on a button that is pressed repeatedly.

import { element, icon } from "../core/dom.js";
import { labelName, percent, t } from "../core/i18n.js";
import { whyOf } from "../core/why.js";
import { TypePicker } from "./type_picker.js";

const LONGEST_QUOTE = 120;
/** @type {Record<Scope, Scope>} */
const NEXT_SCOPE = { here: "document", document: "all", all: "here" };

export class Inspector {
  #root;
  /** @type {Session} */
  #session;
  #act;
  /** @type {Scope} */
  #scope = "here";
  /** @type {Record<string, any>} */
  #parts = {};

  /**
   * @param {HTMLElement} root
   * @param {Session} session
   * @param {Record<string, (...values: any[]) => any>} act
   */
  constructor(root, session, act) {
    this.#root = root;
    this.#session = session;
    this.#act = act;
    this.picker = new TypePicker({ onPick: (label) => act.label(label), onLeave: () => act.focusText() });
    this.#build();
    session.addEventListener("selection", () => this.#selectionChanged());
    for (const kind of ["spans", "seconds"]) session.addEventListener(kind, () => this.update());
  }

  get scope() {
    return this.#scope;
  }

  /** @param {Scope} scope */
  setScope(scope) {
    this.#scope = scope;
    this.update();
  }

  nextScope() {
    this.setScope(NEXT_SCOPE[this.#scope]);
    return this.#scope;
  }

  #selectionChanged() {
    this.#scope = "here";
    this.update();
  }

  #build() {
    const parts = this.#parts;
    parts.hint = element("div", { class: "hint" }, element("p"), element("p"));
    parts.quote = element("strong", { class: "quote", lang: "es" });
    parts.meter = element("meter", { min: "0", max: "1" });
    parts.confidence = element("span", { class: "confidence" }, element("span"), parts.meter, element("span"));
    parts.borders = this.#borders();
    parts.scope = element("div", { class: "segments", role: "group" });
    for (const name of /** @type {Scope[]} */ (Object.keys(NEXT_SCOPE))) {
      const button = element("button", { type: "button", data: { scope: name }, onclick: () => this.setScope(name) });
      parts.scope.append(button);
    }
    parts.add = element("button", { type: "button", class: "primary", onclick: () => this.#act.label(this.picker.label) });
    parts.confirm = this.#action("i-check", "framed", () => this.#act.confirm());
    parts.unmark = this.#action("i-trash", "framed danger", () => this.#act.unmark());
    parts.edit = this.#action("i-edit", "framed", () => this.#act.editReplacement());
    const first = element("div", { class: "inspector-row" }, parts.quote, this.picker.node, parts.confidence, parts.borders);
    const second = element(
      "div",
      { class: "inspector-row" },
      parts.scope,
      element("div", { class: "row push" }, parts.confirm, parts.edit, parts.unmark, parts.add),
    );
    parts.rows = [first, second];
    this.#root.replaceChildren(parts.hint, first, second);
  }

  /**
   * @param {string} iconName
   * @param {string} kind
   * @param {() => void} work
   */
  #action(iconName, kind, work) {
    return element("button", { type: "button", class: kind, onclick: work }, icon(iconName), element("span"));
  }

  #borders() {
    /** @type {(edge: Edge, direction: number, text: TextKey, keys: string) => HTMLElement} */
    const button = (edge, direction, text, keys) => {
      const made = element(
        "button",
        {
          type: "button",
          class: "tool",
          data: { tLabel: text, keys },
          onclick: (/** @type {MouseEvent} */ event) => this.#act.border(edge, direction, event.shiftKey),
        },
        icon(direction < 0 ? "i-left" : "i-right"),
      );
      return made;
    };
    return element(
      "div",
      { class: "borders" },
      element("span", { data: { t: "start" } }),
      button("start", -1, "startBack", "H"),
      button("start", 1, "startForward", "J"),
      element("span", { data: { t: "end" } }),
      button("end", -1, "endBack", "K"),
      button("end", 1, "endForward", "L"),
    );
  }

  update() {
    const { selection, document: open } = this.#session;
    const parts = this.#parts;
    const active = Boolean(selection && open);
    parts.hint.hidden = active;
    for (const row of parts.rows) row.hidden = !active;
    if (!active) {
      const [select, keys] = parts.hint.children;
      select.textContent = t("hintSelect");
      keys.textContent = t("hintKeys");
      return;
    }
    const words = this.#session.selectedText().replace(/\s+/gu, " ");
    parts.quote.textContent = `«${words.length > LONGEST_QUOTE ? `${words.slice(0, LONGEST_QUOTE)}…` : words}»`;
    parts.quote.title = words;
    const { mark, suggestion } = /** @type {Chosen} */ (selection);
    this.picker.label = mark?.label ?? this.#session.guessedLabel();
    this.#fillConfidence(mark ?? suggestion);
    parts.borders.hidden = !mark;
    this.#fillActions(mark, suggestion);
  }

  /** @param {Span | undefined} mark */
  #fillConfidence(mark) {
    const { confidence, meter } = this.#parts;
    confidence.hidden = !mark;
    if (!mark) return;
    const [before, , after] = confidence.children;
    const isDecided = mark.source === "person";
    meter.hidden = isDecided;
    before.textContent = isDecided ? t("byPerson") : `${t("confidence")} ${percent(mark.score)}`;
    after.textContent = isDecided || !mark.source ? "" : this.#why(mark);
    meter.low = this.#session.threshold;
    meter.optimum = 1;
    meter.value = mark.score;
    meter.setAttribute("aria-label", t("confidence"));
  }

  /** @param {Span} mark */
  #why(mark) {
    const { text, value } = whyOf(mark, this.#session.current.spans, (span) => this.#session.textOf(span));
    const second = text === "byModel" || text === "whyThreshold" ? this.#session.seconds.of(mark) : undefined;
    if (!second) return t(text, { value });
    const label = second.label === "O" ? t("noLabel") : labelName(second.label);
    return `${t(text, { value })}; ${t("secondLabel", { label, score: percent(second.score) })}`;
  }

  /**
   * @param {Span | undefined} mark
   * @param {Span | undefined} suggestion
   */
  #fillActions(mark, suggestion) {
    const { scope, add, confirm, unmark, edit } = this.#parts;
    /** @type {Record<string, string>} */
    const texts = { here: t("scopeHere"), document: t("scopeDocument", { n: this.#session.countHere() }), all: t("scopeAll") };
    scope.setAttribute("aria-label", t("scope"));
    for (const button of scope.children) {
      button.textContent = texts[button.dataset.scope];
      button.setAttribute("aria-pressed", String(button.dataset.scope === this.#scope));
    }
    add.hidden = Boolean(mark);
    confirm.hidden = edit.hidden = !mark;
    unmark.hidden = !mark && !suggestion;
    confirm.disabled = mark?.source === "person" && this.#scope === "here";
    add.textContent = t("addMark");
    this.#name(confirm, t("confirm"), "A");
    this.#name(edit, t("editReplacement"), "=");
    this.#name(unmark, t(mark ? "unmark" : "dismissSuggestion"), t("keyNameDelete"));
  }

  /**
   * @param {HTMLElement} button
   * @param {string} text
   * @param {string} keys
   */
  #name(button, text, keys) {
    const shown = button.querySelector("span");
    if (shown) shown.textContent = text;
    button.title = `${text} (${keys})`;
  }
}
