// The 29 labels by class, in the order in which a user looks for them.

/** @type {Record<string, string[]>} */
export const CLASSES = {
  NAME: ["NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"],
  LOCATION: ["CALLE", "TERRITORIO", "PAIS", "HOSPITAL", "CENTRO_SALUD", "INSTITUCION"],
  DATE: ["FECHAS"],
  AGE: ["EDAD_SUJETO_ASISTENCIA"],
  CONTACT: ["NUMERO_TELEFONO", "CORREO_ELECTRONICO", "NUMERO_FAX", "URL_WEB"],
  ID: [
    "ID_SUJETO_ASISTENCIA",
    "ID_ASEGURAMIENTO",
    "ID_CONTACTO_ASISTENCIAL",
    "ID_TITULACION_PERSONAL_SANITARIO",
    "ID_EMPLEO_PERSONAL_SANITARIO",
    "NUMERO_BENEF_PLAN_SALUD",
    "IDENTIF_VEHICULOS_NRSERIE_PLACAS",
    "IDENTIF_DISPOSITIVOS_NRSERIE",
    "IDENTIF_BIOMETRICOS",
    "OTRO_NUMERO_IDENTIF",
  ],
  PROFESSION: ["PROFESION"],
  OTHER: [
    "SEXO_SUJETO_ASISTENCIA",
    "FAMILIARES_SUJETO_ASISTENCIA",
    "OTROS_SUJETO_ASISTENCIA",
    "DIREC_PROT_INTERNET",
  ],
};

// The key of each label, in the text: frequent ones have a digit, "⇧" means with the shift key. The letters that have
// no other meaning in commands.js are each used once.
/** @type {Record<string, string>} */
export const KEY_OF = {
  NOMBRE_SUJETO_ASISTENCIA: "1",
  NOMBRE_PERSONAL_SANITARIO: "2",
  FECHAS: "3",
  EDAD_SUJETO_ASISTENCIA: "4",
  TERRITORIO: "5",
  HOSPITAL: "6",
  CALLE: "7",
  ID_SUJETO_ASISTENCIA: "8",
  NUMERO_TELEFONO: "9",
  SEXO_SUJETO_ASISTENCIA: "0",
  CENTRO_SALUD: "C",
  INSTITUCION: "I",
  PAIS: "Y",
  CORREO_ELECTRONICO: "E",
  FAMILIARES_SUJETO_ASISTENCIA: "F",
  OTROS_SUJETO_ASISTENCIA: "O",
  PROFESION: "R",
  ID_ASEGURAMIENTO: "G",
  ID_CONTACTO_ASISTENCIAL: "M",
  ID_TITULACION_PERSONAL_SANITARIO: "Q",
  URL_WEB: "W",
  NUMERO_FAX: "U",
  OTRO_NUMERO_IDENTIF: "Z",
  NUMERO_BENEF_PLAN_SALUD: "B",
  IDENTIF_VEHICULOS_NRSERIE_PLACAS: "V",
  IDENTIF_DISPOSITIVOS_NRSERIE: "⇧ V",
  IDENTIF_BIOMETRICOS: "⇧ B",
  ID_EMPLEO_PERSONAL_SANITARIO: "⇧ Q",
  DIREC_PROT_INTERNET: "⇧ W",
};

export const LABELS = Object.values(CLASSES).flat();
/** @param {string} label */
const isOwn = (label) => /^[A-ZÑ][A-Z0-9Ñ]*(_[A-Z0-9Ñ]+)+$/.test(label) && label.length <= 40 && !LABELS.includes(label);
/** The 29 labels, and this one if it is one of a user's own.
 * @param {string} label */
export const labelsWith = (label) => (isOwn(label) ? [...LABELS, label] : LABELS);

const CLASS_OF = new Map(Object.entries(CLASSES).flatMap(([name, labels]) => labels.map((label) => [label, name])));

/** @param {string} label */
export const classOf = (label) => (CLASS_OF.get(label) ?? "ID").toLowerCase();
