// Spanish: the review of a sample.

export const sampleSpanish = {
  sample: "Muestra",
  sampleTitle: "Lo que queda legible, según lo revisado",
  sampleShare: "Proporción",
  sampleFound: "Halladas",
  sampleEstimate: "Estimación",
  sampleAtMost: "A lo sumo",
  sampleNotesDirect: "notas con un identificador directo",
  sampleNotesAny: "notas con algún identificador",
  sampleIdentifiers: "identificadores",
  sampleDirect: "identificadores directos",
  sampleQuasi: "cuasiidentificadores",
  sampleFalseAlarms: "ocultado sin ser identificador",
  sampleOpen: "{reviewed} de {drawn} revisadas en orden. No se afirma nada antes del final; ahora el límite sería {bound}. El objetivo de {goal} ({level}) requiere {more} más sin otra fuga.",
  sampleHolds: "Revisadas las {drawn}: a lo sumo el {bound} deja legible un identificador directo ({level}). Se cumple el objetivo de {goal}.",
  sampleFails: "Revisadas las {drawn}: a lo sumo el {bound} deja legible un identificador directo ({level}). No se cumple el objetivo de {goal}; requiere {more} más sin otra fuga.",
  sampleUnsure: "Abrir la nota en la que el modelo más duda",
  sampleUnsureWhy: "Las notas ajenas a la muestra mejoran el modelo. Nunca cuentan aquí.",
};
