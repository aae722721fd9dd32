"""A policy: the operator of each label, in a TOML file that a privacy officer can read."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from nadie.anonymize.conditions import ALWAYS, CONDITIONS, ByValue, Condition, condition_of
from nadie.anonymize.context import CLASS_OF_LABEL, PolicyOptions
from nadie.anonymize.operators.base import OPERATORS, Operator, Traits
from nadie.anonymize.own_values import read_own_values
from nadie.errors import ConfigError, UnknownNameError
from nadie.labels import LABELS, NAMES, Label, Parent, is_label
from nadie.surrogates.dates import shifting
from nadie.surrogates.own_values import OwnValues
from nadie.surrogates.traits import CHOICES, TraitRules

VERSION = 1  # of the schema, see `nadie.anonymize.policy_schema`
SCOPES = ("document", "patient", "corpus")
SCOPES_OF_CLASSES = (*SCOPES, "mixed")
_SECTIONS = frozenset(
    {
        *("version", "name", "description", "descripcion", "scope", "scopes", "default", "labels"),
        *("dates", "places", "surrogates", "traits"),
    }
)
_MOST_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True)
class Rule:
    """An operator by its name, with its options."""

    operator: str
    options: tuple[tuple[str, Any], ...] = ()

    def build(self) -> Operator:
        factory = OPERATORS.get(self.operator)
        try:
            made: Operator = factory(**dict(self.options))
        except TypeError:
            given = ", ".join(name for name, _ in self.options) or "none"
            raise ConfigError(f"the operator {self.operator!r} does not take these options: {given}") from None
        return made


@dataclass(frozen=True, slots=True)
class Cases:
    """Rules with conditions on the value, of which the first that holds applies; the last one has none."""

    rules: tuple[tuple[Condition, Rule], ...]

    def build(self) -> Operator:
        name = " or ".join(dict.fromkeys(rule.operator for _, rule in self.rules))
        return ByValue(tuple((condition, rule.build()) for condition, rule in self.rules), name)


class _Operators(dict[str, Operator]):
    """The operators by label. A label of a user's own without a rule has that of other numbers, but is never kept."""

    def __missing__(self, label: str) -> Operator:
        if label in LABELS:
            raise KeyError(label)
        operator = self[Label.OTRO_NUMERO_IDENTIF]
        return Rule("label").build() if Traits.KEEPS in operator.traits else operator


@dataclass(frozen=True)
class Policy:
    """A rule for each label, the scope of identities (also by classes of labels), and how dates and places change."""

    name: str
    rules: Mapping[str, Rule | Cases | Operator]
    description: str = ""
    scope: str = "document"
    options: PolicyOptions = dataclasses.field(default_factory=PolicyOptions)
    digest: str = ""
    descripcion: str = ""
    scopes: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def operators(self) -> dict[str, Operator]:
        """The operator of each label, built once for each rule."""
        built: dict[Rule | Cases, Operator] = {}
        made = _Operators()
        for label, rule in self.rules.items():
            if isinstance(rule, Rule | Cases):
                made[label] = built.setdefault(rule, rule.build()) if rule not in built else built[rule]
            else:
                made[label] = rule
        return made

    def depends_on_key(self) -> bool:
        """Whether any value depends on the key, so that it differs between keys."""
        constant = Traits.CONSTANT | Traits.KEEPS
        traits = [operator.traits for operator in self.operators().values()]
        return any(Traits.NEEDS_KEY in each or not each & constant for each in traits)

    def invents_names(self) -> bool:
        """Whether names are replaced by invented ones, among which a missed one should not be recognised."""
        return any(Traits.INVENTS in self.operators()[label].traits for label in NAMES)

    @classmethod
    def of_one(cls, operator: Operator) -> Policy:
        """One operator for all labels."""
        return cls(operator.name, dict.fromkeys(Label, operator))

    def with_own_values(self, own: OwnValues) -> Policy:
        """The policy with the user's own values for surrogates."""
        digest = hashlib.sha256(f"{self.digest} {own.digest}".encode()).hexdigest()
        return dataclasses.replace(self, options=dataclasses.replace(self.options, own=own), digest=digest)

    def with_rules(self, rules: Mapping[str, Rule]) -> Policy:
        """The policy with other operators for some labels or classes of labels."""
        changes = ",".join(f"{key}={rule.operator}{rule.options or ''}" for key, rule in sorted(rules.items()))
        digest = hashlib.sha256(f"{self.digest} {changes}".encode()).hexdigest()
        merged = {**self.rules, **_by_label(rules, f"policy {self.name!r}")}
        return dataclasses.replace(self, name=f"{self.name}+", rules=merged, digest=digest)


GivenPolicy = str | os.PathLike[str] | Mapping[str, Any] | Policy


def shipped() -> dict[str, str]:
    """The shipped policies by name, with the purpose of each."""
    return {name: read_policy(name).description for name in _shipped_files()}


def _shipped_files() -> dict[str, Any]:
    folder = files("nadie.anonymize") / "policies"
    found = {item.name.removesuffix(".toml"): item for item in folder.iterdir() if item.name.endswith(".toml")}
    return dict(sorted(found.items()))


def read_policy(name: str | Path) -> Policy:
    """A shipped policy by its name, or a policy file by its path."""
    known = _shipped_files()
    if str(name) in known:
        return parse_policy(known[str(name)].read_text(encoding="utf-8"), str(name))
    path = Path(name)
    if not path.is_file():
        raise UnknownNameError(
            f"there is no policy {str(name)[:80]!r}, neither shipped ({', '.join(known)}) nor as a file"
        )
    try:
        content = path.read_bytes()
        if len(content) > _MOST_BYTES:
            raise ConfigError(f"{path} is too large for a policy")
        return parse_policy(content.decode("utf-8"), path.name, path.parent)
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"{path} cannot be read as a policy: it is not a text file in UTF-8") from None


def parse_policy(text: str, where: str, folder: Path | None = None) -> Policy:
    """Parse the TOML text of a policy. Labels that it does not mention are replaced by their names.

    Files that it names are in `folder`.
    """
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"policy {where}: {error}") from None
    return _policy(content, where, text, folder or Path())


def given_policy(given: GivenPolicy) -> Policy:
    """A policy as callers give it: itself, the name of a shipped one, a file, or a dictionary of a file's sections."""
    if isinstance(given, Policy):
        return given
    if not isinstance(given, Mapping):
        return read_policy(os.fspath(given))
    sections = {str(name): value for name, value in given.items()}
    return _policy(sections, "own", json.dumps(sections, sort_keys=True, default=str), Path())


def _policy(content: Mapping[str, Any], where: str, text: str, folder: Path) -> Policy:
    if unknown := set(content) - _SECTIONS:
        raise ConfigError(
            f"policy {where}: unknown setting {min(unknown)!r}; there are: {', '.join(sorted(_SECTIONS))}"
        )
    if content.get("version", VERSION) != VERSION:
        raise ConfigError(f"policy {where}: this nadie reads version {VERSION} of policies")
    scope = content.get("scope", "document")
    if scope not in SCOPES:
        raise ConfigError(f"policy {where}: scope must be one of {', '.join(SCOPES)}")
    scopes = _scopes(content.get("scopes", {}), where)
    rules = _by_label(_rules(content.get("labels", {}), where), f"policy {where}")
    default = _rule(content.get("default", "label"), "default", where)
    options = _options(content, where, folder)
    policy = Policy(
        str(content.get("name", where)),
        {**dict.fromkeys(Label, default), **rules},
        " ".join(str(content.get("description", "")).split()),
        scope,
        options,
        hashlib.sha256((text + options.own.digest).encode()).hexdigest(),
        " ".join(str(content.get("descripcion", "")).split()),
        scopes,
    )
    policy.operators()
    return policy


def _scopes(section: Any, where: str) -> dict[str, str]:
    classes = sorted({*CLASS_OF_LABEL.values()})
    if (
        not isinstance(section, dict)
        or set(section) - set(classes)
        or set(map(str, section.values())) - set(SCOPES_OF_CLASSES)
    ):
        raise ConfigError(f"policy {where}: [scopes] gives {', '.join(classes)} one of {', '.join(SCOPES_OF_CLASSES)}")
    return section


def _rules(section: Any, where: str) -> dict[str, Rule | Cases]:
    if not isinstance(section, dict):
        raise ConfigError(f"policy {where}: [labels] must be a table of labels")
    return {
        str(label): _cases(value, str(label), where) if isinstance(value, list) else _rule(value, str(label), where)
        for label, value in section.items()
    }


def _cases(given: list[Any], label: str, where: str) -> Cases:
    place = f"policy {where}: {label[:60]}"
    cases = []
    for value in given:
        settings = dict(value) if isinstance(value, dict) else {}
        conditions = {name: settings.pop(name) for name in CONDITIONS if name in settings}
        cases.append((condition_of(conditions, label, place), _rule(settings or value, label, where)))
    if not cases or cases[-1][0] != ALWAYS or any(condition == ALWAYS for condition, _ in cases[:-1]):
        raise ConfigError(f"{place}: every rule of a list but the last needs a condition: {', '.join(CONDITIONS)}")
    return Cases(tuple(cases))


def _rule(value: Any, place: str, where: str) -> Rule:
    if isinstance(value, str):
        return Rule(value)
    if isinstance(value, dict) and isinstance(value.get("operator"), str):
        options = {name: option for name, option in value.items() if name != "operator"}
        if all(isinstance(option, (str, int, bool)) for option in options.values()):
            return Rule(value["operator"], tuple(sorted(options.items())))
    raise ConfigError(f'policy {where}: {place} is an operator ("label") or a table ({{operator = "mask", fixed = 6}})')


def _by_label(rules: Mapping[str, Rule | Cases], where: str) -> dict[str, Rule | Cases]:
    """Expand classes of labels (`NAME`, `DATE`); a label's own rule has precedence over that of its class."""
    spelled: dict[str, Rule | Cases] = {}
    for name, rule in sorted(rules.items(), key=lambda item: item[0] not in set(Parent)):
        if name in set(Parent):
            spelled.update({label: rule for label in Label if label.parent == name})
        elif is_label(name):
            spelled[Label(name)] = rule
        else:
            raise ConfigError(f"{where}: {name[:60]!r} is neither a label nor a class of labels")
    return spelled


def _options(content: Mapping[str, Any], where: str, folder: Path) -> PolicyOptions:
    dates, places, surrogates = (content.get(name, {}) for name in ("dates", "places", "surrogates"))
    if not isinstance(dates, dict) or not isinstance(places, dict) or not isinstance(surrogates, dict):
        raise ConfigError(f"policy {where}: [dates], [places] and [surrogates] must be tables")
    known = {item.name: type(item.default) for item in dataclasses.fields(shifting.ShiftOptions)}
    for name, value in dates.items():
        if name not in known or not isinstance(value, known[name]) or isinstance(value, bool):
            raise ConfigError(f"policy {where}: dates: unknown option {name!r}; there are: {', '.join(known)}")
    within = places.get("within", "country")
    if set(places) - {"within"} or within not in ("country", "province"):
        raise ConfigError(f'policy {where}: places: the only option is within = "country" or "province"')
    file = surrogates.get("file", "")
    if set(surrogates) - {"file"} or not isinstance(file, str):
        raise ConfigError(f"policy {where}: surrogates: the only option is file, the name of a CSV file")
    traits = _traits(content.get("traits", {}), where)
    shifts = shifting.ShiftOptions(**dates) if dates else shifting.DEFAULT
    return PolicyOptions(shifts, within, own=read_own_values(folder / file) if file else OwnValues(), traits=traits)


def _traits(section: Any, where: str) -> TraitRules:
    """What surrogates do to traits: one of `CHOICES` for each, and for professions also `another`."""
    known = [item.name for item in dataclasses.fields(TraitRules)]
    if not isinstance(section, dict) or not set(section) <= set(known):
        raise ConfigError(f"policy {where}: traits: there are: {', '.join(known)}")
    for name, choice in section.items():
        choices = (*CHOICES, "another") if name == "profession" else CHOICES
        if choice not in choices:
            raise ConfigError(f"policy {where}: traits: {name} must be one of {', '.join(choices)}")
    return TraitRules(**section)
