// The texts of the page in the user's language.

import { english } from "../strings/en.js";
import { spanish } from "../strings/es.js";
import { sampleEnglish } from "../strings/sample_en.js";
import { sampleSpanish } from "../strings/sample_es.js";
import { teamEnglish } from "../strings/team_en.js";
import { teamSpanish } from "../strings/team_es.js";

/**
 * @typedef {{classes: Record<string, string>, labels: Record<string, string[]>, formats: Record<string, string>,
 *   policies: Record<string, string[]>, texts: Record<string, string | string[]>}} Strings
 * @typedef {keyof typeof spanish.texts | keyof typeof teamSpanish | keyof typeof sampleSpanish} TextKey
 */

/** @type {Record<"es" | "en", Strings>} */
const STRINGS = {
  es: { ...spanish, texts: { ...spanish.texts, ...teamSpanish, ...sampleSpanish } },
  en: { ...english, texts: { ...english.texts, ...teamEnglish, ...sampleEnglish } },
};

/** @type {"es" | "en"} */
let language = "es";

export const currentLanguage = () => language;

/** @param {string} name */
export function setLanguage(name) {
  language = name === "en" ? "en" : "es";
  document.documentElement.lang = language;
  translatePage();
}

// The text of a key. `{name}` in it is replaced by a value; a pair of texts is singular and plural of the value `n`.
/**
 * @param {TextKey} key
 * @param {Record<string, any>} values
 */
export function t(key, values = {}) {
  const found = STRINGS[language].texts[key];
  if (found === undefined) throw new Error(`no text for ${key}`);
  const text = Array.isArray(found) ? found[values.n === 1 ? 0 : 1] : found;
  return text.replace(/\{(\w+)\}/g, (_, name) => format(values[name]));
}

/** @param {string} label */
export const labelName = (label) => STRINGS[language].labels[label]?.[0] ?? label; // itself if it is one of a user's own
/** @param {string} label */
export const labelTag = (label) => STRINGS[language].labels[label]?.[1] ?? label;
/** @param {string} name */
export const className = (name) => STRINGS[language].classes[name];

// The name of an unsupported file format; the service names those that are unknown here.
/** @param {Record<string, any>} problem */
export const formatName = ({ format: kind, detail }) => STRINGS[language].formats[kind] ?? detail ?? kind;

// Shipped policies have a name and a description here; other policies use those of their file.
/** @param {{name: string}} policy */
export const policyName = (policy) => STRINGS[language].policies[policy.name]?.[0] ?? policy.name;
/** @param {Policy} policy */
export const policyDescription = (policy) => STRINGS[language].policies[policy.name]?.[1] ?? policy.description;

// Creating a formatter is slow, so each is cached.
const formatters = new Map();

/** @param {"percent" | "decimal"} kind */
function formatter(kind) {
  const key = `${language} ${kind}`;
  if (!formatters.has(key)) formatters.set(key, new Intl.NumberFormat(language, { style: kind, maximumFractionDigits: 0 }));
  return formatters.get(key);
}

/** @param {number} score */
export const percent = (score) => formatter("percent").format(Math.floor(score * 100) / 100);

/** @param {string | undefined} value */
const keyIn = (value) => /** @type {TextKey} */ (value);

/**
 * @param {string} selector
 * @returns {NodeListOf<HTMLElement>}
 */
const elements = (selector) => document.querySelectorAll(selector);

// Elements of the HTML: data-t is their text, data-t-label their accessible name and tooltip.
function translatePage() {
  for (const element of elements("[data-t]")) element.textContent = t(keyIn(element.dataset.t));
  for (const element of elements("[data-t-label]")) {
    const text = t(keyIn(element.dataset.tLabel));
    element.setAttribute("aria-label", text);
    if (element.tagName === "BUTTON") element.title = element.dataset.keys ? `${text} (${element.dataset.keys})` : text;
  }
  document.title = t("title");
}

/** @param {unknown} value */
const format = (value) => (typeof value === "number" ? formatter("decimal").format(value) : String(value ?? ""));
