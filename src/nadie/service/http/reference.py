"""`/docs`: the OpenAPI description as one page without scripts, that needs nothing from elsewhere.

The usual viewers of OpenAPI load scripts from other servers, and need inline styles that the content security policy of
the service forbids.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree.ElementTree import Element, tostring

from fastapi import APIRouter, Request
from starlette.responses import Response

from nadie.service.http.middleware import needed_permission
from nadie.service.http.page import FOLDER, PageFile, endpoint

_METHODS = ("get", "post", "put", "delete")
_REFERENCE = "#/components/schemas/"
_LIMITS = {
    "minimum": "at least",
    "exclusiveMinimum": "above",
    "maximum": "at most",
    "minLength": "of at least",
    "maxLength": "of at most",
}
Schema = Mapping[str, Any]
Content = str | Element


def router() -> APIRouter:
    """`/docs` and its style sheet."""
    style = PageFile((FOLDER / "docs.css").read_bytes(), "text/css")
    pages: list[PageFile] = []

    async def page(request: Request) -> Response:
        if not pages:
            pages.append(PageFile(_page(request.app.openapi(), style.hash), "text/html"))
        return pages[0].response(request)

    routes = APIRouter(include_in_schema=False)
    routes.add_api_route("/docs", page, methods=["GET", "HEAD"])
    routes.add_api_route("/page/docs.css", endpoint(style), methods=["GET", "HEAD"])
    return routes


def _page(described: Schema, version: str) -> bytes:
    operations = [
        (method, path, of_path[method])
        for path, of_path in described["paths"].items()
        for method in _METHODS
        if method in of_path
    ]
    tags = dict.fromkeys(tag for _, _, operation in operations for tag in operation["tags"])
    info = described["info"]
    main = _element("main", _element("h1", f"{info['title']} {info['version']}"), *_paragraphs(info["description"]))
    main.append(_element("p", "For programs: ", _link("openapi.json", "openapi.json"), "."))
    main.append(_element("nav", _element("ul", *(_element("li", _link(f"#{tag}", tag)) for tag in (*tags, "schemas")))))
    for tag in tags:
        main.append(_element("h2", tag.capitalize(), id=tag))
        main.extend(_operation(*each) for each in operations if tag in each[2]["tags"])
    main.append(_element("h2", "Schemas", id="schemas"))
    main.extend(_schema(*each) for each in sorted(described["components"]["schemas"].items()))
    head = _element(
        "head",
        _element("meta", charset="utf-8"),
        _element("title", "nadie: API"),
        _element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        _element("link", rel="stylesheet", href=f"page/docs.css?v={version}"),
    )
    page = _element("html", head, _element("body", main), lang="en")
    return f"<!doctype html>{tostring(page, encoding='unicode', method='html')}".encode()


def _operation(method: str, path: str, operation: Schema) -> Element:
    permission = needed_permission(path, method.upper())
    parts = [_element("h3", _element("code", f"{method.upper()} {path}")), *_paragraphs(operation.get("summary", ""))]
    parts += _paragraphs(operation.get("description", ""))
    if permission is not None:
        parts.append(_element("p", "Permission: ", _element("code", permission.value)))
    if parameters := operation.get("parameters"):
        rows = [([_element("code", each["name"])], [each["in"]], _type(each.get("schema", {}))) for each in parameters]
        parts.append(_table(("parameter", "in", "type"), rows))
    if body := operation.get("requestBody"):
        parts.append(_element("p", "Body: ", *_contents(body)))
    answers = operation["responses"].items()
    rows = [([status], [answer["description"]], _contents(answer)) for status, answer in answers]
    return _element("section", *parts, _table(("status", "meaning", "body"), rows))


def _schema(name: str, schema: Schema) -> Element:
    parts = [_element("h3", name), *_paragraphs(schema.get("description", ""))]
    if values := schema.get("enum"):
        parts.append(_element("p", "One of: ", *_joined(", ", ([_element("code", str(value))] for value in values))))
    if fields := schema.get("properties"):
        required = schema.get("required", ())
        rows = [
            ([_element("code", field), "" if field in required else " (optional)"], _type(own), _text(own))
            for field, own in fields.items()
        ]
        parts.append(_table(("field", "type", "meaning"), rows))
    examples = schema.get("examples", ())
    parts += [_element("pre", json.dumps(each, ensure_ascii=False, indent=2)) for each in examples]
    return _element("section", *parts, id=name)


def _contents(body: Schema) -> list[Content]:
    """The media types of a body, each with its schema."""
    kinds = body.get("content", {}).items()
    return _joined(", ", ([_element("code", kind), " ", *_type(each.get("schema", {}))] for kind, each in kinds))


def _type(schema: Schema) -> list[Content]:
    """The type of a value: links to schemas, and what limits it."""
    if reference := schema.get("$ref"):
        name = str(reference).removeprefix(_REFERENCE)
        return [_link(f"#{name}", name)]
    if either := schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf"):
        return _joined(" or ", map(_type, either))
    if schema.get("type") == "array":
        return ["list of ", *_type(schema.get("items", {}))]
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return _joined(" or ", ([_element("code", json.dumps(value))] for value in values))
    limits = "".join(f", {words} {schema[key]:,}" for key, words in _LIMITS.items() if key in schema)
    fields = _joined(", ", ([_element("code", name)] for name in schema.get("properties", ())))
    return [f"{schema.get('type', 'any')}{limits}", *([" with ", *fields] if fields else [])]


def _paragraphs(words: str) -> list[Element]:
    return [_element("p", *_text({"description": each})) for each in words.split("\n\n") if each.strip()]


def _text(described: Schema) -> list[Content]:
    """The description of something, with its `code` as such."""
    parts = str(described.get("description", "")).split("`")
    return [_element("code", part) if number % 2 else part for number, part in enumerate(parts)]


def _table(heads: Iterable[str], rows: Iterable[Iterable[Iterable[Content]]]) -> Element:
    first = _element("thead", _element("tr", *(_element("th", head, scope="col") for head in heads)))
    lines = (_element("tr", *(_element("td", *cell) for cell in row)) for row in rows)
    return _element("table", first, _element("tbody", *lines))


def _joined(between: str, parts: Iterable[list[Content]]) -> list[Content]:
    joined = [each for part in parts for each in (between, *part)]
    return joined[1:]


def _link(address: str, words: str) -> Element:
    return _element("a", words, href=address)


def _element(tag: str, *content: Content, **attributes: str) -> Element:
    """An element with texts and elements in it. Texts are escaped when the page is written."""
    made = Element(tag, attributes)
    for each in content:
        if isinstance(each, Element):
            made.append(each)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + each
        else:
            made.text = (made.text or "") + each
    return made
