// English: the review of a sample.

export const sampleEnglish = {
  sample: "Sample",
  sampleTitle: "What leaks, as far as it is reviewed",
  sampleShare: "Share",
  sampleFound: "Found",
  sampleEstimate: "Estimate",
  sampleAtMost: "At most",
  sampleNotesDirect: "notes with a direct identifier",
  sampleNotesAny: "notes with any identifier",
  sampleIdentifiers: "identifiers",
  sampleDirect: "direct identifiers",
  sampleQuasi: "quasi-identifiers",
  sampleFalseAlarms: "masked, but no identifier",
  sampleOpen: "{reviewed} of {drawn} reviewed in order. Nothing is stated before the end; the bound would be {bound} now. The goal of {goal} ({level}) needs {more} more without another leak.",
  sampleHolds: "All {drawn} reviewed: at most {bound} leak a direct identifier ({level}). The goal of {goal} is met.",
  sampleFails: "All {drawn} reviewed: at most {bound} leak a direct identifier ({level}). The goal of {goal} is not met; it needs {more} more without another leak.",
  sampleUnsure: "Open the note of which the model is least sure",
  sampleUnsureWhy: "Notes outside the sample improve the model. They are never counted here.",
};
