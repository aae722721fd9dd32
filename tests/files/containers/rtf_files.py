"""An RTF document with an identifier planted in every place that can hold one."""

from __future__ import annotations

HEAD = (
    r"{\rtf1\ansi\ansicpg1252\deff0"
    r"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 Mincho;}}"
    "\n"
    r"{\colortbl;\red0\green0\blue0;}{\stylesheet{\s0 Normal;}}{\*\generator Prueba;}"
)
_INFO = (
    r"{\info{\title Informe de Ana Mu\'f1oz}{\author Luis Gil}{\operator Lu\'eds Gil}"
    r"{\*\company Hospital de Ana Mu\'f1oz}"
    r"{\creatim\yr2020\mo5\dy4\hr10\min3}{\doccomm NHC 7654321}}"
    r"{\*\userprops{\propname Paciente}\proptype30{\staticval Ana Mu\'f1oz}"
    r"{\propname NHC}\proptype3{\staticval 7654321}}"
    r"{\*\revtbl{Unknown;}{Luis Gil;}}{\*\docvar{x}{Ana Mu\'f1oz}}"
)
BODY = "\n".join(
    (
        r"{\header Cabecera de Ana {\b Mu\'f1oz}\par}{\footer Pie de Ana Mu\u241\'f1oz\par}",
        r"\pard Paciente: A{\b na} Mu\'f1oz, sana\par",
        r"Vista {\i An}a Mu\u241?oz ayer\par",
        r"Avisar a Ana {\deleted\revauthdel1\revdttmdel1234567 Mu\'f1oz}"
        r"{\revised\revauth1\revdttm1234567 Soto} hoy\par",
        r"Con nota{\super 1{\footnote\pard Nota sobre A\b0 na Mu\'f1oz}} al pie\par",
        r"{\*\atnid LGX}{\*\atnauthor Luis Gil}\chatn"
        r"{\*\annotation{\*\atndate 1234567}Ver a Ana Mu\'f1oz}comentada\par",
        r"{\field{\*\fldinst{HYPERLINK \"mailto:ana@x.es\"}}{\fldrslt{correo de Ana} Mu\'f1oz}}\par",
        r"An{\shp{\*\shpinst\shpleft0\shpright2000\shptop0\shpbottom900"
        r"{\sp{\sn wzDescription}{\sv Foto de Ana Mu\'f1oz}}"
        r"{\shptxt Caja de Ana Mu\'f1oz\par}}}a Mu\'f1oz con caja\par",
        r"{\*\bkmkstart Ana Mu\'f1oz}marca{\*\bkmkend Ana Mu\'f1oz}\par",
        r"\trowd\cellx2000\cellx4000\intbl Nombre\cell Ana Mu\'f1oz\cell\row\pard",
        r"Edad\tab 70 a\'f1os \endash  alta\par {\pict\pngblip\picw1\pich1 89504e470d0a1a0a}",
        r"{\*\datastore 416e61}{\f1 \'cc\'e8\'f0} \{llaves\} \\ fin\par}",
    )
)


def planted() -> bytes:
    return f"{HEAD}{_INFO}{BODY}\n".encode("ascii")


def with_body(body: str) -> bytes:
    return f"{HEAD}\n{body}}}".encode("latin-1")
