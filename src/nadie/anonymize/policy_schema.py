"""The JSON schema of policies, made from the operators that there are, for programs that write policies."""

from __future__ import annotations

import inspect
from dataclasses import fields
from typing import Any

from nadie.anonymize.conditions import AGES
from nadie.anonymize.context import CLASS_OF_LABEL
from nadie.anonymize.operators.base import OPERATORS
from nadie.anonymize.policy import SCOPES, SCOPES_OF_CLASSES, VERSION
from nadie.labels import OWN, Label, Parent
from nadie.surrogates.dates.shifting import ShiftOptions
from nadie.surrogates.traits import CHOICES, TraitRules

_TYPES = {"str": "string", "int": "integer", "bool": "boolean"}
_CONDITIONS = {"any_of": {"type": "array", "items": {"type": "string"}}, "matches": {"type": "string"}}
_CONDITIONS_OF_AGES = {"over": {"type": "integer"}, "under": {"type": "integer"}}


def policy_schema() -> dict[str, Any]:
    """The schema (2020-12) of a policy file. A file that it refuses is refused by nadie too."""
    text = {"type": "string"}
    names = [*Parent, *Label]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A policy of nadie, version {VERSION}",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "version": {"const": VERSION},
            "name": text,
            "description": text,
            "descripcion": text,
            "scope": {"enum": [*SCOPES]},
            "scopes": _table({name: {"enum": [*SCOPES_OF_CLASSES]} for name in sorted({*CLASS_OF_LABEL.values()})}),
            "default": {"$ref": "#/$defs/rule"},
            "labels": {
                "type": "object",
                "properties": {name: _rules("case-of-ages" if name in AGES else "case") for name in names},
                "patternProperties": {f"^{OWN}$": _rules("case")},
                "additionalProperties": False,
            },
            "dates": _table(
                {each.name: {"type": _TYPES[type(each.default).__name__]} for each in fields(ShiftOptions)}
            ),
            "places": _table({"within": {"enum": ["country", "province"]}}),
            "surrogates": _table({"file": text}),
            "traits": _table(
                {
                    each.name: {"enum": [*CHOICES, *(("another",) if each.name == "profession" else ())]}
                    for each in fields(TraitRules)
                }
            ),
        },
        "$defs": {
            "rule": {"anyOf": _forms({})},
            "case": {"anyOf": _forms(_CONDITIONS)},
            "case-of-ages": {"anyOf": _forms({**_CONDITIONS, **_CONDITIONS_OF_AGES})},
        },
    }


def _table(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _rules(case: str) -> dict[str, Any]:
    """A rule, or a list of them; nadie also checks that every one but the last has a condition."""
    several = {"type": "array", "minItems": 1, "items": {"$ref": f"#/$defs/{case}"}}
    return {"anyOf": [{"$ref": "#/$defs/rule"}, several]}


def _forms(conditions: dict[str, Any]) -> list[dict[str, Any]]:
    """An operator by its name, or with its options, and the conditions."""
    tables = [
        {**_table({"operator": {"const": name}, **_options(name), **conditions}), "required": ["operator"]}
        for name in sorted(OPERATORS.names())
    ]
    return [{"enum": sorted(OPERATORS.names())}, *tables]


def _options(name: str) -> dict[str, Any]:
    parameters = inspect.signature(OPERATORS.get(name)).parameters.values()
    return {each.name: {"type": _TYPES[str(each.annotation)]} for each in parameters}
