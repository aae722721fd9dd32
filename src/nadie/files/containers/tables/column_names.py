"""What the name of a column says about its cells: their label, that they are free text, a measurement or codes."""

from __future__ import annotations

import re
from enum import Enum

from nadie.labels import Label
from nadie.spanish.folding import fold

# In the order in which they are tried: `paciente_telefono` is a telephone, `nombre_medico` a doctor.
_LABELS: dict[Label, str] = {
    Label.FECHAS: """
        fecha fechas fec fecnac date dates fnac nac nacimiento naixement birthdate birthday dob birth dia mes ano anio
        year month day hora time timestamp datetime jaiotze""",
    Label.NUMERO_TELEFONO: "telefono telefonos telefon tel tlf tlfn tfno movil mobile celular phone telephone",
    Label.NUMERO_FAX: "fax",
    Label.CORREO_ELECTRONICO: "email mail correo",
    Label.URL_WEB: "url web enlace link",
    Label.DIREC_PROT_INTERNET: "ip",
    Label.CALLE: "direccion domicilio calle address adreca street residencia",
    Label.TERRITORIO: """
        cp codpostal codigopostal localidad municipio poblacion provincia ciudad city town postal zip zipcode postcode
        barrio distrito comarca county lat lon lng latitud longitud latitude longitude coord coordenada coordenadas utm
        zbs""",
    Label.PAIS: "pais country nacionalidad nationality",
    Label.PROFESION: "profesion ocupacion job occupation oficio",
    Label.EDAD_SUJETO_ASISTENCIA: "edad age edat idade adina",
    Label.SEXO_SUJETO_ASISTENCIA: "sexo sex genero gender sexe",
    Label.HOSPITAL: "hospital hospitales centro centre center",
    Label.CENTRO_SALUD: "ambulatorio consultorio",
    Label.ID_ASEGURAMIENTO: "nuss nss naf cip cipa cipautonomico sip tsi tis tarjeta ssn",
    Label.NUMERO_BENEF_PLAN_SALUD: "poliza mutua beneficiary",
    Label.ID_TITULACION_PERSONAL_SANITARIO: "colegiado colegiada numcolegiado",
    Label.ID_EMPLEO_PERSONAL_SANITARIO: "usuario usuaria user username login empleado",
    Label.ID_CONTACTO_ASISTENCIAL: "episodio episode encounter peticion accession",
    Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS: "matricula bastidor",
    Label.IDENTIF_DISPOSITIVOS_NRSERIE: "dispositivo serial implante device",
    Label.ID_SUJETO_ASISTENCIA: """
        nhc hc nh historia expediente idpac idpaciente idpatient patientid pacienteid pacid codpac codpaciente numpac
        numpaciente dni nif nie cuil curp rut cedula pasaporte passport subject subjid mrn""",
    Label.NOMBRE_PERSONAL_SANITARIO: """
        medico medica medicos facultativo facultativa doctor doctora dr dra enfermera enfermero profesional responsable
        cirujano cirujana anestesista metge infermera physician nurse surgeon provider firmante firma autor author
        solicitante peticionario""",
    Label.NOMBRE_SUJETO_ASISTENCIA: """
        nombre nombres apellido apellidos ape paciente pacientes pac patient patients iniciales inicial initials initial
        name names surname surnames firstname lastname fullname givenname nom cognom cognoms nome apelido apelidos
        sobrenome izena abizena abizenak alias titular asegurado beneficiario interesado""",
    Label.OTRO_NUMERO_IDENTIF: "id ids identificador identifier uuid guid iban ccc documento registro record",
    Label.OTROS_SUJETO_ASISTENCIA: """
        sala cama habitacion hab box planta ward room bed contacto contact raza etnia race ethnicity religion""",
}  # fmt: skip
_LABEL_OF_WORD = {word: label for label, words in _LABELS.items() for word in words.split()}
_ORDER = list(_LABELS)
_NUMBERS = frozenset("id ids num numero n no nro cod codigo code number identificador identifier".split())
_PATIENTS = frozenset("pac paciente pacientes patient patients sujeto subject pat".split())
_BEGINNINGS = tuple(
    "fecha nombre apellido paciente patient telefono telefon domicilio direccion expediente nacimiento".split()
)
_CODES = {
    **dict.fromkeys("cie cie9 cie10 icd icd9 icd10 dx diagnostico diagnosis".split(), "cie"),
    "atc": "atc",
    "loinc": "loinc",
    **dict.fromkeys("snomed sctid".split(), "snomed"),
}
_CAMEL = re.compile(r"(?<=[a-záéíóúñ])(?=[A-ZÁÉÍÓÚÑ])")


class Meaning(Enum):
    """What the cells are if the name does not give their label, with the words that show it, in the order of trying."""

    UNITS = frozenset("unidad unidades unit units ud uds".split())
    COUNTED = frozenset(
        """
    plaquetas platelets leucocitos leukocytes wbc hematies neutrofilos linfocitos monocitos eosinofilos basofilos
    ferritina bnp ntprobnp ck cpk cd4 cd8 carga viral diuresis ige
        """.split()
    )
    MEASURED = frozenset(
        """
    peso weight talla height imc bmi perimetro superficie temperatura temp tension ta tas tad pas pad pa pam fc fr pulso
    saturacion sat sato2 spo2 so2 po2 pco2 fio2 ph glucosa glucemia glucose hba1c hb hgb hemoglobina hto hematocrito vcm
    hcm rdw creatinina creatinine urea fg filtrado sodio potasio cloro calcio fosforo magnesio albumina proteinas
    bilirrubina got gpt ast alt ggt fa ldh amilasa lipasa colesterol cholesterol hdl ldl trigliceridos pcr crp vsg
    procalcitonina lactato troponina dimero tp ttpa inr fibrinogeno tsh t3 t4 psa cea insulina vitamina folato hierro
    transferrina eva glasgow gcs barthel apgar asa ecog nyha charlson curb65 score puntuacion escala fevi qtc dosis dose
    estancia duracion
        """.split()
    )
    TEXT = frozenset(
        """
    nota notas note notes texto text txt comentario comentarios comment comments observacion observaciones obs evolucion
    informe informes report anamnesis exploracion juicio diagnostico diagnosticos diagnosis dx motivo antecedentes
    tratamiento tratamientos medicacion medicamento farmaco farmacos drug procedimiento procedimientos procedure alergia
    alergias plan servicio especialidad descripcion description conclusion conclusiones resumen summary hallazgos
    recomendaciones aviso sintomas
        """.split()
    )
    UNKNOWN = frozenset[str]()


def words_of_name(name: str) -> list[str]:
    """The folded words of a name, with and without the digits at their end, and all words together."""
    words = re.findall(r"[^\W_]+", fold(_CAMEL.sub(" ", name)))
    return [*words, *(bare for word in words if (bare := word.rstrip("0123456789"))), "".join(words)]


def label_of_name(name: str) -> Label | None:
    """The label of all cells, if a word of the name gives one."""
    words = words_of_name(name)
    if not _NUMBERS.isdisjoint(words) and not _PATIENTS.isdisjoint(words):
        return Label.ID_SUJETO_ASISTENCIA
    found = {_LABEL_OF_WORD[word] for word in words if word in _LABEL_OF_WORD}
    found |= {_LABEL_OF_WORD[start] for start in _BEGINNINGS if any(word.startswith(start) for word in words)}
    return min(found, key=_ORDER.index, default=None)


def meaning_of_name(name: str) -> Meaning:
    words = words_of_name(name)
    return next((meaning for meaning in Meaning if not meaning.value.isdisjoint(words)), Meaning.UNKNOWN)


def codes_of_name(name: str) -> str:
    """The system of codes that the name says: `cie`, `atc`, `loinc` or `snomed`."""
    return next((_CODES[word] for word in words_of_name(name) if word in _CODES), "")
