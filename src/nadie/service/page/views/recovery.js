// What survives a reload or a crash of the browser: undo, and, if the user wants it, changes that were not sent. Both have
// offsets and labels, never text of a document.

import { element } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { Unsent } from "../core/unsent.js";
import { ask } from "./dialogs.js";
import { complain } from "./messages.js";

const MOST_STEPS = 100;

// The steps of this tab, until it is closed or the user signs out.
/** @param {Session} session */
export function keepUndo(session) {
  const key = `nadie.undo ${session.backend.name} ${session.backend.editor}`;
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? "null");
    if (stored) session.edits.restore(stored);
  } catch {
    // Unreadable steps are ignored.
  }
  session.edits.onHistory = ({ done, undone }) => {
    try {
      sessionStorage.setItem(key, JSON.stringify({ done: done.slice(-MOST_STEPS), undone: undone.slice(-MOST_STEPS) }));
    } catch {
      sessionStorage.removeItem(key); // too large to store: undo works until the tab is reloaded
    }
  };
}

// Unsent changes are stored while the user has chosen that; those of a crashed visit are offered.
/**
 * @param {Session} session
 * @param {import("../core/backend_project.js").ProjectBackend} backend
 */
export async function keepUnsent(session, backend) {
  const unsent = new Unsent(`${backend.name} ${backend.editor}`);
  const left = await unsent.read().catch(() => []);
  if (left.length) {
    const question = element("p", {}, t("unsentQuestion", { n: left.length }));
    const isWanted = await ask(t("unsentTitle"), [question], { go: t("unsentGo"), cancel: "unsentDrop", sure: true, must: true });
    if (isWanted) for (const changes of left) await backend.commit(changes);
    await unsent.write([]);
    await session.refresh();
  }
  backend.onWaiting = (waiting) => {
    if (session.preferences.isKept) unsent.write(waiting).catch(complain);
  };
}
