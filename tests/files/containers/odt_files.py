"""An OpenDocument text with an identifier planted in every place that can hold one."""

from __future__ import annotations

import io
import zipfile

from .word_files import png

_SPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing", "meta": "meta", "style": "style",
        "svg": "svg-compatible", "fo": "xsl-fo-compatible", "manifest": "manifest", "config": "config",
    }.items()
)  # fmt: skip
SPACES = (
    f'{_SPACES} xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'office:version="1.2"'
)
_WHO = "<dc:creator>Luis Gil</dc:creator><dc:date>2020-05-04T10:03:00</dc:date>"
_CHANGES = f"""<text:tracked-changes>
<text:changed-region text:id="c1"><text:deletion><office:change-info>{_WHO}</office:change-info>
<text:p>Muñoz</text:p></text:deletion></text:changed-region>
<text:changed-region text:id="c2"><text:insertion><office:change-info>{_WHO}</office:change-info></text:insertion>
</text:changed-region></text:tracked-changes>"""
BODY = f"""{_CHANGES}
<text:p>Paciente: A<text:span text:style-name="B">na</text:span> Mu<text:bookmark text:name="x"/>ñoz, sana</text:p>
<text:p>Vista Ana
   Muñoz, dos<text:s text:c="3"/>veces</text:p>
<text:p>Llama Ana<text:s/>Muñoz</text:p>
<text:p>Avisar a Ana <text:change text:change-id="c1"/><text:change-start text:change-id="c2"/>Soto<text:change-end
 text:change-id="c2"/> hoy</text:p>
<text:p>Con nota<text:note text:id="n1" text:note-class="footnote"><text:note-citation>1</text:note-citation>
<text:note-body><text:p>Nota sobre Ana <text:span>Muñoz</text:span></text:p></text:note-body></text:note> al pie
</text:p>
<text:p>An<office:annotation>{_WHO}<meta:creator-initials>LGX</meta:creator-initials><text:p>Ver a Ana Muñoz</text:p>
</office:annotation>a Muñoz comentada</text:p>
<text:p>A<draw:frame draw:name="Ana Muñoz" text:anchor-type="paragraph" svg:width="2cm" svg:height="1cm"><draw:text-box>
<text:p>Caja de Ana Muñoz</text:p></draw:text-box><svg:title>Foto Ana Muñoz</svg:title><svg:desc>De Ana Muñoz</svg:desc>
</draw:frame>na Muñoz con caja</text:p>
<text:p><text:a xlink:type="simple" xlink:href="mailto:Ana%20Mu%C3%B1oz">correo de Ana</text:a> Muñoz</text:p>
<text:p><text:date text:date-value="2020-05-04T00:00:00" text:fixed="true">2020-05-04</text:date> de alta</text:p>
<table:table table:name="T"><table:table-column table:number-columns-repeated="2"/>
<table:table-row><table:table-cell><text:p>Nombre</text:p></table:table-cell>
<table:table-cell><text:p>Ana Muñoz</text:p></table:table-cell></table:table-row>
<table:table-row><table:table-cell><text:p>NHC</text:p></table:table-cell>
<table:table-cell office:value-type="float" office:value="7654321"><text:p>7654321</text:p></table:table-cell>
</table:table-row></table:table>
<text:h text:outline-level="1">Juicio clínico</text:h>"""
_STYLES = """<office:automatic-styles><style:page-layout style:name="P"><style:page-layout-properties/>
<style:header-style/></style:page-layout></office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="P">
<style:header><text:p>Cabecera de Ana <text:span>Muñoz</text:span></text:p></style:header>
<style:footer><text:p>Pie de Ana Muñoz</text:p></style:footer></style:master-page></office:master-styles>"""
_META = f"""<office:meta><meta:generator>prueba</meta:generator><dc:title>Informe de Ana Muñoz</dc:title>
<meta:keyword>Ana Muñoz</meta:keyword><meta:initial-creator>Luis Gil</meta:initial-creator>{_WHO}
<meta:creation-date>2020-05-04T10:03:00</meta:creation-date>
<meta:user-defined meta:name="NHC" meta:value-type="float">7654321</meta:user-defined>
<meta:user-defined meta:name="Paciente">Ana Muñoz</meta:user-defined></office:meta>"""
_SETTINGS = """<office:settings><config:config-item-set config:name="s"><config:config-item config:name="PrinterName"
 config:type="string">Consulta de Luis Gil</config:config-item></config:config-item-set></office:settings>"""
_STYLE = """<office:automatic-styles><style:style style:name="B" style:family="text">
<style:text-properties fo:font-weight="bold"/></style:style></office:automatic-styles>"""
_FILES = ("content.xml", "styles.xml", "meta.xml", "settings.xml", "Pictures/a.png", "Thumbnails/thumbnail.png")


def parts(body: str = BODY) -> dict[str, bytes]:
    texts = {
        "content": f"{_STYLE}<office:body><office:text>{body}</office:text></office:body>",
        "styles": _STYLES,
        "meta": _META,
        "settings": _SETTINGS,
    }
    entries = "".join(f'<manifest:file-entry manifest:full-path="{f}" manifest:media-type="text/xml"/>' for f in _FILES)
    kind = "application/vnd.oasis.opendocument.text"
    root = f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
    return {
        "mimetype": kind.encode(),
        **{f"{n}.xml": f"<office:document-{n} {SPACES}>{t}</office:document-{n}>".encode() for n, t in texts.items()},
        "Pictures/a.png": png(),
        "Thumbnails/thumbnail.png": png(),
        "META-INF/manifest.xml": f'<manifest:manifest {_SPACES} manifest:version="1.2">{root}{entries}'.encode()
        + b"</manifest:manifest>",
    }


def packed(made: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, part in made.items():
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name), part, kind)
    return file.getvalue()


def planted() -> bytes:
    return packed(parts())
