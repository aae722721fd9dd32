// The history of the open document and the log of the project: who changed what, and when.

import { element } from "../core/dom.js";
import { linesOf, timeOf } from "../core/events.js";
import { t } from "../core/i18n.js";
import { ask } from "./dialogs.js";
import { complain, say } from "./messages.js";

// With a button for each earlier version, which brings its spans back.
/**
 * @param {Session} session
 * @param {Api} api
 */
export async function showHistory(session, api) {
  const { id, name, text } = session.current;
  const { data: events } = await api.get(`/v1/project/documents/${id}/history`);
  const restore = async (/** @type {number} */ to) => {
    const { version } = await session.backend.load(id, { fresh: true });
    await api.post(`/v1/project/documents/${id}/restore`, { version, to });
    session.edits.forget(id);
    await session.reload(id, { fresh: true });
    await session.refresh();
    say(t("saidRestored"));
  };
  const latest = Math.max(...events.map((/** @type {LogEvent} */ { version }) => version));
  const button = (/** @type {LogEvent} */ { version, at }, /** @type {HTMLElement} */ row) => {
    if (version >= latest) return null;
    const work = () => {
      row.closest("dialog")?.close();
      restore(version).catch(complain);
    };
    return element("button", { type: "button", class: "framed", "aria-label": `${t("restoreVersion")}: ${timeOf(at)}`, onclick: work }, t("restoreVersion"));
  };
  await ask(t("historyTitle", { name }), [eventList([...events].reverse(), text, button)], { cancel: "close", wide: true });
}

/** @param {Api} api */
export async function showLog(api) {
  const { data: events } = await api.get("/v1/project/log");
  const list = events.length ? eventList(events) : element("p", {}, t("logEmpty"));
  await ask(t("logTitle"), [list], { cancel: "close", wide: true });
}

/**
 * @param {LogEvent[]} events
 * @param {string} text that of the document
 * @param {(event: LogEvent, row: HTMLElement) => HTMLElement | null} button
 */
function eventList(events, text = "", button = () => null) {
  const items = events.map((event) => {
    const row = element(
      "li",
      {},
      element("p", { class: "event-head" }, element("strong", {}, event.editor), " · ", element("time", { datetime: event.at }, timeOf(event.at))),
      ...linesOf(event, text).map((line) => element("p", {}, line)),
    );
    const added = button(event, row);
    if (added) row.append(added);
    return row;
  });
  return element("ol", { class: "events", tabindex: "0", "aria-label": t("historyRegion") }, ...items);
}
