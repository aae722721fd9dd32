"""Words in obscure places of HTML pages and FHIR resources, also where a code is expected: none stays in a copy."""

from __future__ import annotations

import json

import pytest

from .places import FORMS, NAMES, Form, Places, dni


def html(p: Places) -> bytes:
    return f"""<!DOCTYPE html>
<html lang="{p("lang")}">
<head>
<title>{p("title")}</title>
<meta name="author" content="{p("meta")}">
<meta name="generator" content="{p("generator")}">
<meta http-equiv="refresh" content="1;url={p("refresh")}">
<base href="/{p("base")}/">
<link rel="stylesheet" href="{p("css")}.css">
<style>.{p("class")} {{content:"{p("css content")}"}} /* {p("css comment")} */</style>
<script>var a="{p("js string")}"; // {p("js comment")}
</script>
<script type="application/ld+json">{{"name":"{p("ld")}"}}</script>
</head>
<body id="{p("id")}" class="{p("class attr")}" data-x="{p("data")}" onclick="f('{p("onclick")}')"
style="background:url('{p("style url")}')">
<!-- {p("comment")} -->
<![CDATA[{p("cdata")}]]>
<a href="x/{p("href")}?a={p("query")}#{p("frag")}" name="{p("aname")}" target="{p("target")}">{p("text")}</a>
<img src="{p("src")}.png" alt="{p("alt")}" title="{p("imgtitle")}" srcset="{p("srcset")}.png 2x"
usemap="#{p("usemap")}">
<input type=hidden name="{p("inname")}" value={p("unquoted").split()[0]} placeholder="{p("ph")}"
pattern="{p("pattern")}">
<form action="{p("action")}">
<select>
<option value="{p("opt")}">{p("optt")}</option>
</select>
<textarea>{p("ta")}</textarea>
</form>
<svg>
<title>{p("svgtitle")}</title>
<text font-family="{p("font")}">{p("svgtext")}</text>
<use xlink:href="#{p("use")}"/>
</svg>
<math>
<mi>{p("math")}</mi>
</math>
<iframe src="{p("iframe")}" srcdoc="<p>{p("srcdoc")}</p>">
</iframe>
<noscript>{p("noscript")}</noscript>
<template>{p("template")}</template>
<object data="{p("object")}">
<param name="{p("pname")}" value="{p("pval")}">
</object>
<video poster="{p("poster")}">
<track label="{p("track")}" src="{p("tsrc")}">
</video>
<table summary="{p("summary")}">
<td headers="{p("headers")}" abbr="{p("abbr")}">x</td>
</table>
<custom-x xyz="{p("cattr")}">x</custom>
<abbr title="{p("abbrt")}">x</abbr>
<time datetime="{p("time")}">x</time>
<p itemprop="{p("itemprop")}" itemid="{p("itemid")}" aria-label="{p("aria")}" role="{p("role")}">x</p>
<label for="{p("for")}">x</label>
<details>
<summary>{p("sum")}</summary>
</details>
<a href="mailto:{p("mailto")}@x.es">x</a>
<a href="data:text/plain,{p("datauri")}">x</a>
<!DOCTYPE x "{p("doctype2")}">
<?pi {p("pi")}?>
<meta property="og:title" content="{p("og")}">
<font face="{p("face")}" color="{p("color")}">x</font>
</body>
</html>""".encode()


def fhir(p: Places) -> bytes:
    r = {
        "resourceType": "Bundle",
        "type": "collection",
        "id": p("bundle id"),
        "identifier": {"system": "urn:oid:" + p("idsys"), "value": p("bvalue")},
        "entry": [
            {
                "fullUrl": "http://h.example/Patient/" + p("fullurl").replace(" ", "-"),
                "resource": {
                    "resourceType": "Patient",
                    "id": p("id"),
                    "meta": {
                        "versionId": p("version"),
                        "source": p("source"),
                        "profile": [p("profile")],
                        "tag": [{"system": p("tagsys"), "code": p("tagcode"), "display": p("tagdisplay")}],
                        "security": [{"code": p("sec")}],
                    },
                    "implicitRules": p("implicit"),
                    "language": p("language"),
                    "text": {"status": p("status"), "div": "<div>" + p("div") + "</div>"},
                    "extension": [
                        {"url": p("exturl"), "valueString": p("extstring")},
                        {"url": "http://x", "valueCode": p("extcode")},
                        {"url": "http://x", "valueInteger": 7654321},
                        {"url": "http://x", "valueUri": p("exturi")},
                        {"url": "http://x", "valueMarkdown": p("md")},
                        {"url": "http://x", "valueId": p("extid")},
                        {"url": "http://x", "valueOid": "urn:oid:" + p("oid")},
                        {
                            "url": "http://x",
                            "valueQuantity": {
                                "value": 3,
                                "unit": p("unit"),
                                "system": p("usys"),
                                "code": p("ucode"),
                                "comparator": p("comparator"),
                            },
                        },
                        {"url": "http://x", "valueRange": {"low": {"unit": p("low")}}},
                        {
                            "url": "http://x",
                            "valueSignature": {
                                "who": {"display": p("signwho")},
                                "sigFormat": p("sigformat"),
                                "data": "WnViaXF6",
                            },
                        },
                        {"url": "http://x", "valueUnknown": {"foo": p("unknown obj")}},
                    ],
                    "identifier": [
                        {
                            "use": p("use"),
                            "system": p("system"),
                            "value": p("value"),
                            "type": {
                                "text": p("typetext"),
                                "coding": [
                                    {
                                        "system": p("csys"),
                                        "version": p("cver"),
                                        "code": p("ccode"),
                                        "display": p("cdisp"),
                                    }
                                ],
                            },
                            "assigner": {"display": p("assigner")},
                            "period": {"start": p("pstart")},
                        }
                    ],
                    "name": [
                        {
                            "use": "official",
                            "text": p("ntext"),
                            "family": p("family"),
                            "given": [p("given")],
                            "prefix": [p("prefix")],
                            "suffix": [p("suffix")],
                            "_family": {"extension": [{"url": "http://x", "valueString": p("famext")}]},
                        }
                    ],
                    "telecom": [{"system": p("tsys"), "value": p("tval"), "use": p("tuse"), "rank": 1}],
                    "gender": p("gender"),
                    "birthDate": p("birth"),
                    "_birthDate": {"id": p("bid"), "extension": [{"url": "http://x", "valueDateTime": p("bdt")}]},
                    "address": [
                        {
                            "use": "home",
                            "type": p("atype"),
                            "text": p("atext"),
                            "line": [p("line")],
                            "city": p("city"),
                            "district": p("district"),
                            "state": p("state"),
                            "postalCode": p("zip"),
                            "country": p("country"),
                        }
                    ],
                    "maritalStatus": {
                        "text": p("marital"),
                        "coding": [{"code": p("mcode"), "system": "http://snomed.info/sct", "display": p("mdisp")}],
                    },
                    "photo": [
                        {
                            "contentType": p("ctype"),
                            "url": p("purl"),
                            "title": p("ptitle"),
                            "hash": "x",
                            "language": p("plang"),
                            "data": "WnViaXF6",
                        }
                    ],
                    "contact": [
                        {
                            "name": {"family": p("cfam")},
                            "organization": {
                                "reference": "Organization/" + p("ref").replace(" ", "-"),
                                "display": p("refdisp"),
                                "type": p("reftype"),
                            },
                        }
                    ],
                    "communication": [{"language": {"text": p("comm")}}],
                    "generalPractitioner": [{"identifier": {"value": p("gpid")}}],
                    "managingOrganization": {"display": p("mo")},
                    "link": [{"other": {"reference": "#" + p("frag").replace(" ", "-")}, "type": p("ltype")}],
                    p("unknown key"): "x",
                    "foo": p("unknown value"),
                    "fooArr": [p("unk arr"), {"bar": p("unk nested")}],
                    "contained": [
                        {"resourceType": "Basic", "id": p("contid"), "author": {"display": p("contauthor")}},
                        {"resourceType": p("unkres"), "x": p("unkresval")},
                    ],
                },
                "request": {"method": p("method"), "url": p("requrl"), "ifNoneExist": "identifier=" + p("ifnone")},
                "response": {"status": p("rstatus"), "location": p("loc"), "etag": p("etag")},
                "search": {"mode": p("mode")},
            },
            {
                "resource": {
                    "resourceType": "Observation",
                    "status": "final",
                    "code": {
                        "text": p("ocode"),
                        "coding": [{"system": "http://loinc.org", "code": p("lcode"), "display": p("ldisp")}],
                    },
                    "subject": {"reference": "Patient/x"},
                    "valueString": p("ovalue"),
                    "note": [{"text": p("note"), "authorString": p("nauthor"), "time": p("ntime")}],
                    "component": [
                        {
                            "valueSampledData": {
                                "data": p("sampled"),
                                "origin": {"value": 1},
                                "period": 1,
                                "dimensions": 1,
                            }
                        }
                    ],
                    "device": {"display": p("dev")},
                    "method": {"text": p("omethod")},
                    "category": [
                        {
                            "coding": [
                                {
                                    "system": "http://local/" + p("localsys").replace(" ", ""),
                                    "code": p("localcode"),
                                    "display": p("localdisp"),
                                }
                            ]
                        }
                    ],
                }
            },
        ],
        "link": [{"relation": p("relation"), "url": p("linkurl")}],
        "signature": {
            "type": [{"code": p("stype")}],
            "when": p("when"),
            "who": {"reference": "Practitioner/" + p("who").replace(" ", "-")},
        },
    }
    return json.dumps(r, ensure_ascii=False).encode()


@pytest.mark.parametrize("form", FORMS)
def test_no_word_is_left_in_a_page(form: Form) -> None:
    places = Places(form)
    content = html(places)
    assert len(places.kept(content)) > 70
    assert places.left(content, "a.html") == []


@pytest.mark.parametrize("form", [*NAMES, dni])
def test_no_name_is_left_in_a_resource(form: Form) -> None:
    places = Places(form)
    content = fhir(places)
    assert len(places.kept(content)) > 100
    assert places.left(content, "a.json") == []
