// The patient of a document, as the service determines it (patients.py).

// The patient to pass to the engine; undefined if the engine identifies the patient itself, by the
// current spans of the text.
/** @param {{name: string, patient: string, patient_source?: string}} document */
export function forEngine({ name, patient, patient_source: source }) {
  if (source === "own") return `document ${name}`;
  return ["identifier", ""].includes(source ?? "") ? undefined : patient;
}

// The name of the column or field that identifies the patient, if the rule has one.
/** @param {string} rule */
export const fieldOf = (rule) => (rule.startsWith("meta:") ? rule.slice("meta:".length) : "");

// Documents in chunks of the maximum size of a request.
const MOST_CHARACTERS = 500_000;
const MOST_DOCUMENTS = 200;

/** @param {Stored[]} documents */
export function* parts(documents) {
  /** @type {Stored[]} */
  let part = [];
  let characters = 0;
  for (const document of documents) {
    if (part.length === MOST_DOCUMENTS || (part.length && characters + document.text.length > MOST_CHARACTERS)) {
      yield part;
      part = [];
      characters = 0;
    }
    part.push(document);
    characters += document.text.length;
  }
  if (part.length) yield part;
}
