"""The words of kinship."""

from __future__ import annotations

_SIDE = (
    r"(?: (?:matern[oa]s?|patern[oa]s?|mayor(?:es)?|menor(?:es)?|gemel[oa]s?|mediano|polit[ic]{2}[oa]|"
    r"varon(?:es)?|biologic[oa]s?|adoptiv[oa]s?|viudo|viuda))?"
)
NOUN = (
    r"(?:madre|padres?|progenitor(?:es|a)?|hij[oa]s?|herman[oa]s?|espos[oa]|marido|conyuge|"
    r"pareja|novi[oa]|abuel[oa]s?|"
    r"bisabuel[oa]s?|niet[oa]s?|ti[oa]s?|sobrin[oa]s?|prim[oa]s?|cunad[oa]s?|suegr[oa]s?|yerno|nuera|"
    r"padrastro|madrastra|hijastr[oa]|"
    r"companer[oa] sentimental|tutor(?:a)? legal|familia(?:r|res)?)"
)
KIN = rf"(?:{NOUN}{_SIDE})"
