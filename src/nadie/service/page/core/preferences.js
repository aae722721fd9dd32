// The user's preferences on this machine. They never contain anything from a document.

const KEY = "nadie.preferences";
// Catalan, Galician and Basque browsers belong to people who read Spanish.
const SPANISH = /^(es|ca|gl|eu)\b/;

// The threshold was chosen on the development notes of MEDDOCAN: half of all wrong spans are below it, and two in a
// hundred right ones. `size` is the size of the letters in percent.
const DEFAULTS = {
  language: SPANISH.test(navigator.language) ? "es" : "en",
  threshold: 0.9,
  tags: "doubt",
  preview: true,
  policy: "",
  size: 100,
  isFixed: false, // fixed-width letters, for tables made with spaces
  isKept: false, // unsent work is stored in this browser
};

/** @typedef {typeof DEFAULTS} Preferences */

// The stored preferences; setting one stores it.
/** @returns {Preferences} */
export function storedPreferences() {
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
  } catch {
    // Unreadable preferences are ignored.
  }
  return new Proxy({ ...DEFAULTS, ...stored }, {
    set(all, name, value) {
      Reflect.set(all, name, value);
      localStorage.setItem(KEY, JSON.stringify(all));
      return true;
    },
  });
}
