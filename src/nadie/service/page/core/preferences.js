// The user's preferences on this machine. They never contain anything from a document.

const KEY = "nadie.preferences";
// The threshold was chosen on the development notes of MEDDOCAN: half of all wrong spans are below it, and two in a
// hundred right ones.
// Catalan, Galician and Basque browsers belong to people who read Spanish.
const SPANISH = /^(es|ca|gl|eu)\b/;
const DEFAULTS = { language: SPANISH.test(navigator.language) ? "es" : "en", threshold: 0.95, tags: "doubt", preview: true };

export class Preferences {
  language = DEFAULTS.language;
  threshold = DEFAULTS.threshold;
  tags = DEFAULTS.tags;
  preview = DEFAULTS.preview;
  #values;

  constructor() {
    let stored = {};
    try {
      stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    } catch {
      // Unreadable preferences are ignored.
    }
    this.#values = { ...DEFAULTS, ...stored };
    for (const name of Object.keys(DEFAULTS)) {
      Object.defineProperty(this, name, {
        get: () => this.#values[name],
        set: (value) => {
          this.#values[name] = value;
          localStorage.setItem(KEY, JSON.stringify(this.#values));
        },
      });
    }
  }
}
