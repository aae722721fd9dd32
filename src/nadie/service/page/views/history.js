// The history of the open document: who changed what, and when.

import { element } from "../core/dom.js";
import { linesOf, timeOf } from "../core/events.js";
import { t } from "../core/i18n.js";
import { ask } from "./dialogs.js";

export async function showHistory(api, { id, name, text }) {
  const { data: events } = await api.get(`/v1/project/documents/${id}/history`);
  await ask(t("historyTitle", { name }), [eventList([...events].reverse(), text)], { cancel: "close", wide: true });
}

export async function showLog(api) {
  const { data: events } = await api.get("/v1/project/log");
  const list = events.length ? eventList([...events].reverse()) : element("p", {}, t("logEmpty"));
  await ask(t("logTitle"), [list], { cancel: "close", wide: true });
}

export function eventList(events, text) {
  const items = events.map((event) =>
    element(
      "li",
      {},
      element("p", { class: "event-head" }, element("strong", {}, event.editor), " · ", element("time", { datetime: event.at }, timeOf(event.at))),
      ...linesOf(event, text).map((line) => element("p", {}, line)),
    ),
  );
  return element("ol", { class: "events", tabindex: "0", "aria-label": t("historyRegion") }, ...items);
}
