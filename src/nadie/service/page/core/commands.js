// The commands of the page, in one table: from it come the keys, the help and the tooltips. `where` is "text" for keys
// that work while the focus is in the text, and "page" for those that work everywhere. A command that `decides` is not
// repeated while its key is held: nobody reads what a held key decides.

import { KEY_OF } from "./labels.js";

/**
 * @typedef {import("./i18n.js").TextKey} TextKey
 * @typedef {{text: TextKey, where: "text" | "page", decides?: boolean, keys: Record<string, string>, shown?: string[]}} Row
 * @typedef {{name: string, label?: string, where: "text" | "page", decides: boolean}} Command
 * @typedef {{key: string, shiftKey: boolean, ctrlKey: boolean, altKey: boolean, metaKey: boolean}} Pressed
 */

const labelKeys = Object.fromEntries(Object.entries(KEY_OF).map(([label, key]) => [key, `label ${label}`]));

// `keys` maps a key to a command; `shown` are those of the help, if not all.
/** @type {Row[]} */
export const COMMANDS = [
  { text: "keyNextDoubtful", where: "text", keys: { D: "nextDoubtful", "⇧ D": "previousDoubtful" } },
  { text: "keySuggestion", where: "text", keys: { ",": "nextSuggestion", "<": "previousSuggestion" } },
  { text: "keyNextMark", where: "text", keys: { N: "nextMark", P: "previousMark" } },
  { text: "keyWords", where: "text", keys: { "←": "wordBack", "→": "wordForward", "↑": "lineUp", "↓": "lineDown" } },
  { text: "keySelect", where: "text", keys: { "⇧ ←": "extendBack", "⇧ →": "extendForward" } },
  { text: "keyType", where: "text", keys: { "↵": "pickType", T: "pickType" } },
  { text: "keyConfirm", where: "text", decides: true, keys: { A: "confirm" } },
  { text: "keyDelete", where: "text", decides: true, keys: { Del: "unmark", X: "unmark", "⌫": "unmark" }, shown: ["Del", "X"] },
  {
    text: "keyStart",
    where: "text",
    keys: { H: "startBack", J: "startForward", "⇧ H": "startBackLetter", "⇧ J": "startForwardLetter" },
    shown: ["H", "J"],
  },
  {
    text: "keyEnd",
    where: "text",
    keys: { K: "endBack", L: "endForward", "⇧ K": "endBackLetter", "⇧ L": "endForwardLetter" },
    shown: ["K", "L"],
  },
  { text: "keyLabel", where: "text", decides: true, keys: labelKeys, shown: ["1 … 9", "C", "I", "…"] },
  { text: "keyScope", where: "text", decides: true, keys: { S: "nextScope" } },
  { text: "keyReplacement", where: "text", decides: true, keys: { "=": "editReplacement" } },
  { text: "keyHints", where: "text", keys: { ".": "hints", ":": "extendByHint" } },
  { text: "keySearch", where: "text", keys: { "/": "search" } },
  { text: "keyComment", where: "text", keys: { ";": "comment" } },
  { text: "keyEscape", where: "text", keys: { Esc: "unselect" } },
  { text: "keyUndo", where: "page", decides: true, keys: { "Ctrl Z": "undo", "Ctrl Y": "redo", "Ctrl ⇧ Z": "redo" }, shown: ["Ctrl Z", "Ctrl Y"] },
  { text: "keyReviewed", where: "page", decides: true, keys: { "Ctrl ↵": "reviewed" } },
  { text: "keyAllRight", where: "page", decides: true, keys: { "Ctrl ⇧ ↵": "allRight" } },
  { text: "keyFlag", where: "text", decides: true, keys: { "!": "flag" } },
  { text: "keyDocuments", where: "page", keys: { "Alt ↑": "previousDocument", "Alt ↓": "nextDocument" } },
  { text: "keyHelp", where: "page", decides: true, keys: { "?": "help" } },
];

const NAMES = /** @type {Record<string, string>} */ ({
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Enter: "↵",
  Delete: "Del",
  Backspace: "⌫",
  Escape: "Esc",
});

/** @type {Map<string, Command>} */
const BY_KEY = new Map(
  COMMANDS.flatMap(({ keys, where, decides = false }) =>
    Object.entries(keys).map(([key, named]) => {
      const [name, label] = named.split(" ");
      return /** @type {[string, Command]} */ ([key, { name, label, where, decides }]);
    }),
  ),
);

// The command of a pressed key, if it has one. The shift key is part of a sign such as "?", and of a letter or a named
// key only where the table has it: "X" removes a mark as "x" does.
/**
 * @param {Pressed} event
 * @returns {Command | undefined}
 */
export function commandOf({ key, shiftKey, ctrlKey, altKey, metaKey }) {
  const name = NAMES[key] ?? key.toUpperCase();
  const held = [ctrlKey || metaKey ? "Ctrl " : "", altKey ? "Alt " : ""].join("");
  const shifted = shiftKey ? BY_KEY.get(`${held}⇧ ${name}`) : undefined;
  return shifted ?? (shiftKey && name in LONE ? undefined : BY_KEY.get(`${held}${name}`));
}

// Keys that mean nothing with the shift key unless the table says so: a label is never given by a slip of a finger.
const LONE = Object.fromEntries([...Object.values(NAMES), ...Object.values(KEY_OF)].map((key) => [key, true]));

// The keys of a row, for the help.
/** @param {Row} row */
export const shownKeys = ({ keys, shown }) => shown ?? Object.keys(keys);

// The first key of a command, for a tooltip.
/** @param {string} name */
export const keyOf = (name) => [...BY_KEY].find(([, command]) => command.name === name)?.[0] ?? "";
