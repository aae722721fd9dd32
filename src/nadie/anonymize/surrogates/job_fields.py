"""The field that a profession belongs to, so that another one of the field takes its place.

What a sentence tells besides (an employer, a tool, an accident at work) then seldom contradicts the new profession.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from nadie.spanish import tables
from nadie.spanish.folding import words_of

# Stems of words: the first word of a profession that has one counts, and of several stems the longest.
_FIELDS = {
    "security": "polic subinspector guardia vigilante celador seguridad militar soldado teniente sargento bomber "
    "custodio "
    "gendarme funcionario_de_p funcionaria_de_p carabinero serenazgo guachiman suboficial legionario escolta "
    "controlador",
    "health": "enfermer medic auxiliar_de_clinica auxiliar_de_geriatria auxiliar_de_enfermeria auxiliar_de_farmacia "
    "farmaceutic fisioterapeut logoped podolog psicolog dentista tecnico_de_lab tecnico_de_rad "
    "tecnico_superior_s tecnico_de_ambul tecnico_en_emerg boticari matron partera promotor_de_s terapeuta optic "
    "odontolog veterinari tens paramedic",
    "teaching": "maestr profesor docente catedratic educador pedagog psicopedagog monitor bibliotecari director_de_col "
    "bedel ense parvulari orientador auxiliar_de_conv auxiliar_de_bib tutor academic instructor",
    "driving": "conductor chofer camioner taxista transportista repartidor mensajer motorista motorizado "
    "colectiver tractorista maquinista ferroviari carter busetero mototaxi carretiller guaguero remiser "
    "motoconcho cochero arriero operador_de_grua gruista operador_de_exc bananero_de_camion ambulanciero",
    "sea": "pescador marinero marisc marino patron buzo buceador percebeir capitan_de_b redera redero "
    "langoster almadrab camaronero lanchero balsero descargador atarray conchero algue algaze",
    "land": "agricult campesin ganader pastor vaquero jornaler peon_agr peon_de_fi peon_de_le labrador hortelan "
    "vendimi viticult apicult temporer recolect cosech recog fumigador ordenador_de_v tambero cortador_de_c "
    "cortadora_de_c cabrer ovej esquil podador jardiner lenador trabajador_agr trabajadora_agr trabajador_en_i "
    "trabajadora_en_i trabajador_for trabajadora_for capataz_agr finquer cafetal cafico cana chacarer sabaner "
    "boyero domador mozo_de_cuadra agro jima tlachi bananer florico hacend cazador trufer resiner corcher gaucho "
    "talador motosierr forestal agente_for guarda_ guardab cuidador_de_ca cuidador_de_g",
    "building": "albanil encofrador yesero fontaner electricista pintor peon obrero_de_la_con obrera_de_la_con "
    "constructor "
    "encargado_de_o escayol gasfiter plomer techador jefe_de_obra maestro_alb pocero soldador instalador "
    "cristaler capataz_de_o maestro_mayor trabajador_de_la_con trabajadora_de_la_con ferrall picaped canter "
    "pizarr marmol "
    "ladriller minero minera picador barren perfor andam gruist palista dinamit palliri barretero",
    "textile": "hila teje bordador costurer modista sastre encajer mundill reboc telar sombrer tapicer zapater colchon "
    "hamac tintorer alpargat guarnicion",
    "workshop": "mecanic chapista tornero fresador cerrajer calderer herrer carpinter ebanista "
    "alfarer ceramic artesan orfebre joyer relojer hojalater tallista talla "
    "tallador talladora maestro_vid maestra_vid restaurador luthier lutier afinador encuadern impresor "
    "soplador vidrier cestero ebanis "
    "herrador remendador tonelero afilador talabart guarnicion forjador guasquer mascar "
    "imagin rotul grabador lapid soldadora molinero tornera lustr rectificad "
    "cincel damasq colchon cantera_de organ instrumento constructor_de_g campan",
    "factory": "operari obrer empacador empacadora empaquet envasador manipulador mozo_de_al reponedor almacen "
    "trabajador_en_una trabajadora_en_una trabajador_de_mat trabajadora_de_mat matarife montacarg fresadora "
    "maquilad ensambl clasific descabez filete despal embala embol pelador peladora fogonero pirotec coheter "
    "polvor conserv ensach cargador supervisor ahumad salador lavander planchador curtid",
    "food": "cociner camarer panader pasteler reposter carnicer charcuter pescader quesero quesera jefe_de_cocina "
    "ayudante_de_coc ayudante_de_cam hosteler tabern heladero pulper pizz churrer tortill sommelier cortador_de_j "
    "cortadora_de_j barista mesero mesera mozo catador catadora confit turroner chocolat cheff chef buñol",
    "selling": "vendedor dependient comerciant cajer frutero florista quiosquer estanquer feriant tendero tendera "
    "comercial librero viajante representante supervisor_de_v agente_com agente_in agente_de_s anticuari bodeguer "
    "cobrador rifer loter buhoner duen propietari",
    "caring": "emplead_del_h limpiador cuidador niner auxiliar_de_ay barrender jardinera_de_casa lavander "
    "empleado_del_h empleada_del_h empleado_de_l empleada_de_l limpia interna domestic asistenta planchadora "
    "teleasist conserje porter ordenanza peluquer barber estetic maquill manicur ascensor "
    "recolector_de_b recolectora_de_b chatarr reciclador lavacoches mayordomo sepultur enterrador",
    "office": "administrativ oficinista contable contador secretari recepcionista auxiliar_adm funcionari "
    "funcionario_de_c emplead_banc empleado_ban empleada_ban empleado_de_b empleada_de_b telefon teleoper asesor "
    "abogad notari procurador econom gestor perito inspector fiscal juez registrador asistente_de_d consultor "
    "empresari gerente director archiv capturista digitador concejal alcald diplomat oficial_de_n trabajador_soc "
    "trabajadora_soc encuestador delegad",
    "technical": "ingenier arquitect aparejador informatic programador analista tecnic delineante topograf geolog "
    "biolog quimic investigador matematic geograf meteorolog piloto controlador_a diseñador disenador auxiliar_de_v "
    "azafat sociolog historiador arqueolog filosof",
    "arts": "music pianista trompet cantante actor actriz bailar escritor novelista escultor fotograf periodista "
    "locutor ilustrador grafista cineasta reportero pintora_de_c corresponsal decorador traductor interprete "
    "guitarr gaiter danz mariachi publicist editor",
    "sport": "futbolista ciclista deportista entrenador jinete boxeador atleta coach salvavidas socorrista pelotari "
    "nadador torero rejoneador maratonista pelotero surfista",
    "church": "sacerdote cura parroco sacrist monja religios catequista misioner campaner rezador pastor_ev",
}  # fmt: skip
# Not drawn: few people are, or the word is of one country, or it draws attention.
_ODD = frozenset(
    "buzo|diplomático|trapecista|community manager|sereno|youtuber|influencer|boxeador|torero|"
    "deportista profesional|jinete|"
    "guardia civil|ciclista profesional|futbolista|ajedrecista profesional|modelo|zapador|paracaidista militar|"
    "teniente del ejército|gasfíter|colectivero|chofer de micro|policía autonómico|guardia urbano|payaso|soplador de "
    "vidrio|fogonero|limpiabotas|feriante|picapedrero|mayordomo|apuntador de teatro|subinspector de policía|conductor "
    "de VTC|mecánico dentista|juez|fiscal|notario|concejal|procurador|procurador de "
    "tribunales|filósofo|cineasta|controlador aéreo|corresponsal|fresero en la recogida de la fresa|registrador "
    "de la propiedad|piloto de helicóptero|rastreador|palista|"
    "militar en la reserva|descargador del muelle|pizarrista|cerámico|remachador|planchista|amazona|"
    "despachador de combustible".split("|")
)
_ALIKE = {"policia": ("agente", "oficial", "cabo")}
# For a profession of no known field, and beside an employer: these contradict nothing.
_GENERAL = (
    ("empleado", "trabajador por cuenta propia", "trabajador independiente", "operario"),
    ("empleada", "trabajadora por cuenta propia", "trabajadora independiente", "operaria"),
)
_OF_EMPLOYER = (("empleado", "trabajador", "operario"), ("empleada", "trabajadora", "operaria"))
_FEWEST = 4
_SOME = {"sport": "teaching", "church": "caring"}  # fields with too few professions to draw from


@cache
def _stems() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple(
        (
            field,
            re.compile(
                rf"\b(?:{'|'.join(stem.replace('_', ' ') for stem in sorted(stems.split(), key=len, reverse=True))})"
            ),
        )
        for field, stems in _FIELDS.items()
    )


@lru_cache(maxsize=4096)
def field_of(profession: str) -> str:
    """The field of a profession, by its first word or by any other; empty if it is unknown."""
    folded = " ".join(words_of(profession))
    found = [(match.start(), -match.end(), field) for field, stem in _stems() if (match := stem.search(folded))]
    return min(found)[2] if found else ""


@cache
def professions_like(profession: str, column: int, *, has_employer: bool = False) -> tuple[str, ...]:
    """The professions of the same field, of men (0) or women (1); of those that work with their hands if none "
    "is known."""
    if alike := _ALIKE.get(words_of(profession)[0]):
        return alike
    if has_employer:
        return _OF_EMPLOYER[column]
    field = field_of(profession)
    field = _SOME.get(field, field)
    names = tuple(row[column] for row in tables.professions() if row[0] not in _ODD and row[1] not in _ODD)
    of_field = tuple(name for name in names if field_of(name) == field) if field else ()
    others = tuple(name for name in of_field if words_of(name)[:1] != words_of(profession)[:1])
    return of_field if len(others) >= _FEWEST else _GENERAL[column]
