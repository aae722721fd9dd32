// Whose a document is. The service tells it (patients.py); here is what the page does with the answer.

// What the engine has to be given so that it takes that patient; undefined where it tells the patient by itself, by the
// spans of the text as they are now.
export function forEngine({ name, patient, patient_source: source }) {
  if (source === "own") return `document ${name}`;
  return ["identifier", ""].includes(source ?? "") ? undefined : patient;
}

// The name of the column or field that tells the patient, if the rule has one.
export const fieldOf = (rule) => (rule.startsWith("meta:") ? rule.slice("meta:".length) : "");

// Documents in parts that one request may have.
const MOST_CHARACTERS = 500_000;
const MOST_DOCUMENTS = 200;

export function* parts(documents) {
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
