// The anonymized text beside the original, live. Only the paragraphs that came out different are rendered again.

import { lineBounds } from "../core/blocks.js";
import { byId, debounced, element } from "../core/dom.js";
import { policyDescription, policyName, t } from "../core/i18n.js";
import { Offsets } from "../core/offsets.js";
import { sameSpan } from "../core/spans.js";
import { complain, reasonOf, say } from "./messages.js";

const PAUSE_MS = 120;

export class Preview {
  #session;
  #api;
  #original;
  #root = byId("preview-text");
  #lines = element("div", { class: "lines" });
  #paragraphs = []; // what each shows, to tell whether it changed
  #running = null;
  #result = null;
  #following = false;

  constructor(session, api, original) {
    this.#session = session;
    this.#api = api;
    this.#original = original;
    this.#root.replaceChildren(this.#lines);
    const later = debounced(() => this.#ask(), PAUSE_MS);
    session.addEventListener("document", () => this.#restart());
    session.addEventListener("spans", later);
    session.addEventListener("policy", () => {
      this.fillPolicies();
      this.#ask();
    });
    session.addEventListener("selection", () => this.#showSelection());
    this.#lines.addEventListener("click", (event) => this.#clicked(event));
    original.addEventListener("scroll", () => this.#follow(), { passive: true });
    byId("copy").addEventListener("click", () => this.#copy());
    byId("download").addEventListener("click", () => this.#download());
    byId("policy").addEventListener("change", (event) => session.setPolicy(event.target.value));
  }

  fillPolicies() {
    const { policies, policy: chosen } = this.#session;
    byId("policy").replaceChildren(
      ...policies.map((policy) =>
        element("option", { value: policy.name, selected: policy.name === chosen }, policyName(policy)),
      ),
    );
    const current = policies.find(({ name }) => name === chosen);
    byId("policy-description").textContent = current ? policyDescription(current) : "";
  }

  refresh() {
    this.#ask();
  }

  #restart() {
    this.#result = null;
    this.#paragraphs = [];
    this.#lines.replaceChildren();
    this.#root.scrollTop = 0;
    this.#ask();
  }

  async #ask() {
    const { document: open, policy, preferences } = this.#session;
    if (!open || !policy || !preferences.preview) return;
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    const { id, name, text, spans } = open;
    try {
      const { data } = await this.#api.post("/v1/anonymize", { id: name, text, spans, policy }, { signal: running.signal });
      if (this.#session.document?.id === id) this.#show(data);
    } catch (error) {
      if (error.name !== "AbortError") this.#fail(error);
    }
  }

  #fail(error) {
    this.#result = null;
    this.#paragraphs = [];
    this.#lines.replaceChildren(element("p", { class: "warning" }, t("previewFailed", { reason: reasonOf(error) })));
  }

  #show(result) {
    this.#result = result;
    const offsets = new Offsets(result.text);
    const places = result.replacements.map(({ start, end, kept }, index) => ({
      index,
      kept,
      start: offsets.toUtf16(start),
      end: offsets.toUtf16(end),
    }));
    const wanted = [...paragraphsOf(result.text, places)];
    wanted.forEach((paragraph, at) => {
      const known = this.#paragraphs[at];
      if (known?.signature === paragraph.signature) {
        known.first === paragraph.first || renumber(this.#lines.children[at], paragraph.first);
      } else {
        const node = rendered(result.text, paragraph);
        if (this.#lines.children[at]) this.#lines.children[at].replaceWith(node);
        else this.#lines.append(node);
      }
    });
    while (this.#lines.children.length > wanted.length) this.#lines.lastElementChild.remove();
    this.#paragraphs = wanted;
    this.#session.tell("also", { spans: result.spans.filter(({ source }) => source === "leak-check") });
    this.#showSelection();
  }

  #showSelection() {
    for (const shown of this.#lines.querySelectorAll(".replacement.selected")) shown.classList.remove("selected");
    const mark = this.#session.selection?.mark;
    if (!mark || !this.#result) return;
    const index = this.#result.spans.findIndex((span) => sameSpan(span, mark));
    const shown = this.#lines.querySelector(`[data-index="${index}"]`);
    shown?.classList.add("selected");
    shown?.scrollIntoView({ block: "nearest" });
  }

  #clicked(event) {
    const index = event.target.closest(".replacement")?.dataset.index;
    if (index === undefined || !getSelection().isCollapsed) return;
    const wanted = this.#result.spans[Number(index)];
    const mark = this.#session.document.spans.find((span) => sameSpan(span, wanted));
    // What the engine found by itself is no mark yet: its words are selected, so that they can become one.
    this.#session.select(mark ? { mark } : { start: wanted.start, end: wanted.end });
  }

  // The same paragraph at the top of both texts.
  #follow() {
    if (this.#following || byId("preview").hidden) return;
    this.#following = true;
    requestAnimationFrame(() => {
      this.#following = false;
      const from = this.#original.querySelector(".lines")?.children ?? [];
      const to = this.#lines.children;
      if (!from.length || !to.length) return;
      const top = this.#original.getBoundingClientRect().top;
      const at = firstBelow(from, top);
      const rect = from[at].getBoundingClientRect();
      const passed = Math.min(1, Math.max(0, (top - rect.top) / Math.max(1, rect.height)));
      const target = to[from.length === to.length ? at : Math.floor((at / from.length) * to.length)];
      const own = target.getBoundingClientRect();
      this.#root.scrollTop += own.top + passed * own.height - this.#root.getBoundingClientRect().top;
    });
  }

  async #copy() {
    if (!this.#result) return;
    try {
      if (navigator.clipboard) await navigator.clipboard.writeText(this.#result.text);
      else copyTheOldWay(this.#result.text);
      say(t("copied"));
    } catch (error) {
      complain(error);
    }
  }

  #download() {
    if (!this.#result) return;
    saveAs(new Blob([this.#result.text], { type: "text/plain" }), "anonimizado.txt");
  }
}

function* paragraphsOf(text, places) {
  let first = 0;
  for (const [start, end] of lineBounds(text)) {
    while (first < places.length && places[first].end <= start) first++;
    const inside = [];
    for (let at = first; at < places.length && places[at].start < end; at++) inside.push(places[at]);
    const shape = inside.map((place) => `${place.start - start}-${place.end - start}-${place.kept}`).join();
    yield { start, end, inside, first: inside[0]?.index, signature: `${shape}|${text.slice(start, end)}` };
  }
}

function rendered(text, { start, end, inside }) {
  const paragraph = element("div", { class: "paragraph" });
  let at = start;
  for (const place of inside) {
    const from = Math.max(place.start, start);
    const to = Math.min(place.end, end);
    paragraph.append(text.slice(at, from));
    paragraph.append(element("span", { class: place.kept ? "replacement kept" : "replacement", data: { index: place.index } }, text.slice(from, to)));
    at = to;
  }
  paragraph.append(text.slice(at, end));
  return paragraph;
}

function renumber(paragraph, first) {
  [...paragraph.querySelectorAll(".replacement")].forEach((shown, at) => {
    shown.dataset.index = first + at;
  });
}

// The first of the elements, which follow each other downwards, that reaches below a line.
function firstBelow(elements, top) {
  let low = 0;
  let high = elements.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (elements[middle].getBoundingClientRect().bottom > top) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Browsers give a page without TLS no clipboard, except on this machine.
function copyTheOldWay(text) {
  const area = element("textarea", { class: "visually-hidden" });
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

export function saveAs(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
