"""The language of the command line: English, or Spanish by `--lang es`, $NADIE_LANG or the locale.

All messages are written in English where they arise. Here, just before one is printed, its Spanish form is looked up in
`es.toml`, in which `{}` stands for a value such as the name of a file, and `{n}` for a number. A message without an
entry stays English, and so does a value of one word that is not among `[values]`: it may be the name of a file.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import typer

from nadie.errors import ConfigError, Failure, NadieError

LANGUAGES = ("en", "es")
_OPTION = "--lang"
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
_VALUES = {re.escape("{}"): "(.*?)", re.escape("{n}"): r"([-+]?[0-9][0-9.,]*)"}
_MOST_NESTED = 4  # messages inside a message
_LINE = re.compile(r", line (?=\d+$)")
_PARSER_WORDS = {
    "Usage:": "Uso:",
    "[OPTIONS]": "[OPCIONES]",
    "COMMAND [ARGS]...": "ORDEN [ARGUMENTOS]...",
    "Show this message and exit.": "Muestra esta ayuda y termina.",
    "Options:": "Opciones:",
    "Arguments:": "Argumentos:",
    "Commands:": "Órdenes:",
    "[required]": "[obligatorio]",
    "[default:": "[por omisión:",
}
_current = {"language": "en"}


def take_language(arguments: list[str], environment: Mapping[str, str]) -> list[str]:
    """Set the language of this process; the arguments without `--lang`, which may stand anywhere before `--`."""
    rest, given = _without_option(arguments)
    language = given or environment.get("NADIE_LANG", "")
    if not language:
        locale = next((environment[name] for name in _LOCALE if environment.get(name)), "")
        language = "es" if re.match(r"es(?:[_.@-]|$)", locale) else "en"
    if language not in LANGUAGES:
        raise ConfigError(f"the language is en or es, not {language!r}")
    _current["language"] = language
    return rest


def _without_option(arguments: list[str]) -> tuple[list[str], str]:
    rest, given = list(arguments), ""
    end = rest.index("--") if "--" in rest else len(rest)
    for i in reversed(range(end)):
        if rest[i].startswith(f"{_OPTION}="):
            given = given or rest.pop(i).partition("=")[2]
        elif rest[i] == _OPTION and i + 1 < end:
            given = given or rest[i + 1]
            del rest[i : i + 2]
    return rest, given


def is_translated() -> bool:
    """Whether messages are shown in another language than English."""
    return _current["language"] != "en"


def say(message: str) -> str:
    """The message in the language of this process."""
    return _spanish(message) if is_translated() else message


def say_cell(text: str) -> str:
    """The heading or the cell of a table in the language of this process."""
    return _spanish(text, "tables") if is_translated() else text


def say_error(error: NadieError | Failure) -> str:
    """An error in the language of this process, after the place where it arose."""
    place = error.place if isinstance(error, NadieError) else error.where
    if is_translated():
        place = say(place) if place == "standard input" else _LINE.sub(", línea ", place)
    return f"{place}: {say(error.reason)}" if place else say(error.reason)


@cache
def _catalogue() -> dict[str, dict[str, str]]:
    """The entries of `tables` and `values`, and all others as `messages`."""
    sections = tomllib.loads(files("nadie.cli").joinpath("es.toml").read_text("utf-8"))
    apart = {name: sections.pop(name) for name in ("tables", "values")}
    return {"messages": {key: text for section in sections.values() for key, text in section.items()}, **apart}


@cache
def _templates(part: str) -> list[tuple[Any, str]]:
    """The entries with values, those with most letters of their own first, so that general ones come last."""
    from nadie.expressions import compiled  # on demand: English needs no expressions

    with_values = [item for item in _catalogue()[part].items() if "{" in item[0]]
    with_values.sort(key=lambda item: -len(re.sub(r"\{n?\}", "", item[0])))
    return [(compiled(_pattern(english)), spanish) for english, spanish in with_values]


def _pattern(english: str) -> str:
    expression = re.escape(english)
    for place, value in _VALUES.items():
        expression = expression.replace(place, value)
    return f"(?s){expression}"


def _spanish(message: str, part: str = "messages", depth: int = 0) -> str:
    if known := _catalogue()[part].get(message):
        return known
    for pattern, spanish in _templates(part) if depth < _MOST_NESTED else ():
        if found := pattern.fullmatch(message):
            return spanish.format(*(_spanish_value(value, part, depth + 1) for value in found.groups()))
    return message


def _spanish_value(value: str, part: str, depth: int) -> str:
    return _spanish(value, part, depth) if " " in value else _catalogue()["values"].get(value, value)


def translate_help(command: Any) -> None:
    """Translate the help of a command, of its parameters and of the commands in it."""
    for name in ("help", "short_help", "epilog"):
        if text := getattr(command, name, None):
            setattr(command, name, "\n\n".join(map(say, text.split("\n\n"))))
    for parameter in command.params:
        if text := getattr(parameter, "help", None):
            parameter.help = say(text)
    for inner in getattr(command, "commands", {}).values():
        translate_help(inner)


def run_translated(command: Any, arguments: list[str]) -> int:
    """Run a command whose help and wrong usage are shown in the language of this process; its exit code."""
    translate_help(command)
    output = sys.stdout
    sys.stdout = _Help(output) if {"-h", "--help"} & set(arguments) else output
    try:
        return command.main(args=arguments, prog_name="nadie", standalone_mode=False) or 0
    except typer.Abort:
        sys.stderr.write("Cancelado.\n")
        return 1
    except Exception as error:  # the parser's exceptions are private to Typer: they are known by their method
        if not hasattr(error, "format_message"):
            raise
        if not arguments:  # the error of a command without arguments is its help
            sys.stderr.write(f"{_of_parser(error.format_message())}\n")
            return int(getattr(error, "exit_code", 2))
        context = getattr(error, "ctx", None)
        usage = f"{_of_parser(context.get_usage())}\n\n" if context else ""
        sys.stderr.write(f"{usage}Error: {say(error.format_message())}\n")
        return int(getattr(error, "exit_code", 2))
    finally:
        sys.stdout = output


class _Help:
    """Standard output that translates the words of the parser in a help page."""

    def __init__(self, output: Any) -> None:
        self._output = output

    def write(self, text: str) -> int:
        return int(self._output.write(_of_parser(text)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._output, name)


def _of_parser(text: str) -> str:
    for english, spanish in _PARSER_WORDS.items():
        text = text.replace(english, spanish)
    return text
