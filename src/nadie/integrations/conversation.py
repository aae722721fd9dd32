"""The texts of one conversation with a language model: what is sent, and what comes back, whole or as a stream.

Every text of a request is shielded whatever field it is in; only names that programs resolve pass as they are. What
cannot be shielded, such as an image, is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Callable
from typing import Any

from nadie.document import Document, Span
from nadie.errors import NadieError
from nadie.files.containers.markup.data import field_of
from nadie.files.containers.tables.column_content import may_be_data
from nadie.files.containers.tables.columns import Field, field_alone
from nadie.integrations.placeholders import STRICT
from nadie.integrations.shield import Shielded, StreamRestorer, shielded_by
from nadie.run.pipeline import Pipeline

_RESOLVED = frozenset(
    "model role type id object name tool_call_id finish_reason encoding_format reasoning_effort service_tier"
    " system_fingerprint tool_choice $ref format required".split()
)
"""The fields whose strings are names that programs resolve, if they are written like one."""
_NAME = re.compile(r"[\w.:/$#@+-]{1,128}")
_DROPPED = ("user", "metadata", "safety_identifier", "prompt_cache_key", "store")
_REFUSED = frozenset(
    "image_url image images input_image input_audio audio video video_url file input_file web_search_options"
    " prediction".split()
)
_DECLARED = ("tools", "functions", "response_format", "arguments")
"""Where the names of fields are a program's own."""
_TEXT_PARTS = ("text", "refusal", "input_text", "output_text")
_LINE_END = re.compile(r"\r\n|\n|\r(?!\Z)")
_NO_CALL, _THE_CALL = -1, -2  # in place of the number of a tool call: the text, and the older `function_call`
_NAMES = ("[NOMBRE_", "[SANITARIO_", "[FAMILIAR_")

Change = Callable[[Document], str]


class RefusedError(NadieError):
    """A request that cannot be shielded."""


class Conversation:
    """The texts of one request, shielded together: a person has the same placeholder in all of them."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self.shielded = Shielded("", {})
        self.has_json = False

    def request(self, body: dict[str, Any]) -> dict[str, Any]:
        """The request to send."""
        for name in _DROPPED:
            body.pop(name, None)
        for message in _messages(body):
            if message.get("role") not in ("tool", "function"):
                message.pop("name", None)  # of a person
        if any(isinstance(item, int | list) for name in ("prompt", "input") for item in _list(body.get(name))):
            raise RefusedError("a request with token numbers cannot be shielded")
        _refuse_other_than_text(body)
        self.has_json = _has_json(body)
        # Names are looked for in all messages in any spelling, also where they stand without their context.
        names: dict[str, None] = {}
        for document in _texts(body):
            found = shielded_by(self._pipeline, document)
            names |= dict.fromkeys(value for name, value in found.originals.items() if name.startswith(_NAMES))
        known = [name for name in names if len(name.split()) > 1]
        changed: dict[str, Any] = _mapped(body, lambda document: self._shield(document, known))
        return changed

    def _shield(self, document: Document, known: list[str]) -> str:
        with_names = Document("", document.text, document.spans, known=known)
        self.shielded = shielded_by(self._pipeline, with_names, self.shielded)
        return self.shielded.text

    def answer(self, body: Any) -> Any:
        """The answer with originals in place of placeholders."""
        return _restored(body, self._all().restore)

    async def stream(self, parts: AsyncIterable[str]) -> AsyncIterator[str]:
        """The same for the events of a streamed answer, which may cut placeholders anywhere."""
        restoring = _RestoredStream(self._all(), has_json=self.has_json)
        async for line in _lines(parts):
            if not line.startswith("data:"):
                yield f"{line}\n"
                continue
            content = line.removeprefix("data:").strip()
            if content == "[DONE]":
                yield restoring.rest()
                yield f"data: {content}\n"
            else:
                yield f"data: {dumped(restoring.chunk(json.loads(content)))}\n"
        yield restoring.rest()

    def _all(self) -> Shielded:
        """The originals of all messages. Addresses of the request itself are not known to be safe in the answer."""
        return Shielded("", self.shielded.originals)


def _texts(body: Any) -> list[Document]:
    """All texts of a request, as they are shielded."""
    found: list[Document] = []

    def collect(document: Document) -> str:
        found.append(document)
        return document.text

    _mapped(body, collect)
    return found


def _messages(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [message for message in _list(body.get("messages")) if isinstance(message, dict)]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _has_json(body: dict[str, Any]) -> bool:
    """Whether the answer is to be JSON, in which originals must be escaped."""
    wanted = body.get("response_format")
    return isinstance(wanted, dict) and str(wanted.get("type", "")).startswith("json")


def _refuse_other_than_text(node: Any) -> None:
    """Raise an error if a request has anything but text, except where a program declares fields of its own."""
    if isinstance(node, dict):
        if refused := _REFUSED.intersection(node):
            raise RefusedError(f"a request with {min(refused)} cannot be shielded")
        for part in _list(node.get("content")) or [node.get("content")]:
            if isinstance(part, dict) and part.get("type") not in _TEXT_PARTS:
                raise RefusedError("a request with content other than text cannot be shielded")
        for name, value in node.items():
            if name not in _DECLARED:
                _refuse_other_than_text(value)
    for item in _list(node):
        _refuse_other_than_text(item)


def _document(text: str, field: Field | None = None, caption: str = "") -> Document:
    """The text without anything that would be taken for one of our placeholders, and what its field says it is."""
    text = STRICT.sub(lambda found: f"({found[0][1:-1]})", text)
    start, end = len(caption), len(caption) + len(text)
    spans = [Span(start, end, field.label, 1.0, field.source)] if text and field and field.label else []
    return Document("", caption + text, tuple(spans))


def _mapped(node: Any, change: Change, key: str = "") -> Any:
    """A copy of a request with every text changed, also in texts that are JSON themselves, as tools have."""
    if key == "arguments" and isinstance(node, dict | list):
        return _mapped_data(node, change, "")
    if isinstance(node, dict):
        return {name: _mapped(value, change, name) for name, value in node.items()}
    if isinstance(node, list):
        return [_mapped(item, change, key) for item in node]
    if not isinstance(node, str) or not node or (key in _RESOLVED and _NAME.fullmatch(node)):
        return node
    data = _data_in(node)
    return change(_document(node)) if data is None else dumped(_mapped_data(data, change, ""))


def _mapped_data(node: Any, change: Change, key: str) -> Any:
    """The data of a tool, changed as in a JSON file: the name of a field tells what its value is, or is data itself."""
    if isinstance(node, dict):
        return {_mapped_name(name, change): _mapped_data(value, change, name) for name, value in node.items()}
    if isinstance(node, list):
        return [_mapped_data(item, change, key) for item in node]
    is_number = isinstance(node, int | float) and not isinstance(node, bool)
    if not is_number and not (isinstance(node, str) and node):
        return node
    field = field_of(key, str(node), is_number=is_number)
    if is_number and field is None:
        return node
    caption = f"{key}: " if key and not may_be_data(key) else ""
    changed = change(_document(str(node), field, caption))
    value = changed.removeprefix(caption) if changed.startswith(caption) else change(_document(str(node), field))
    return node if value == str(node) else value


def _mapped_name(name: str, change: Change) -> str:
    return change(_document(name, field_alone(name))) if may_be_data(name) else name


def _restored(node: Any, restore: Callable[[str], str], key: str = "") -> Any:
    """A copy of an answer with originals, also in texts that are JSON themselves and in the names of their fields."""
    if isinstance(node, dict):
        return {name: _restored(value, restore, name) for name, value in node.items()}
    if isinstance(node, list):
        return [_restored(item, restore, key) for item in node]
    if not isinstance(node, str) or (key in _RESOLVED and _NAME.fullmatch(node)):
        return node
    data = _data_in(node)
    return restore(node) if data is None else dumped(_restored_data(data, restore))


def _restored_data(node: Any, restore: Callable[[str], str]) -> Any:
    if isinstance(node, dict):
        return {restore(name): _restored_data(value, restore) for name, value in node.items()}
    if isinstance(node, list):
        return [_restored_data(item, restore) for item in node]
    return restore(node) if isinstance(node, str) else node


def _data_in(text: str) -> Any:
    """The object or array that a text is in JSON, or None."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


class _RestoredStream:
    """The chunks of a streamed answer: each text of each choice is one stream."""

    def __init__(self, shielded: Shielded, *, has_json: bool) -> None:
        escaped = {name: json.dumps(value, ensure_ascii=False)[1:-1] for name, value in shielded.originals.items()}
        self._in_json = Shielded("", escaped)
        self._plain = self._in_json if has_json else shielded
        self._streams: dict[tuple[int, str, int], StreamRestorer] = {}
        self._last: dict[str, Any] = {}

    def chunk(self, chunk: dict[str, Any]) -> dict[str, Any]:
        """The chunk with what can be shown; with the end of a choice comes what was held back of it."""
        self._last = {name: value for name, value in chunk.items() if name not in ("choices", "usage")}
        for choice in chunk.get("choices") or ():
            number = choice.get("index", 0)
            delta = choice.setdefault("delta", {}) if "text" not in choice else choice
            for name, text in list(delta.items()):
                if isinstance(text, str) and name not in (*_RESOLVED, "finish_reason"):
                    delta[name] = self._stream(number, name).feed(text)
            called = [(call.get("function") or {}, call.get("index", 0)) for call in delta.get("tool_calls") or ()]
            for function, call in [*called, (delta.get("function_call") or {}, _THE_CALL)]:
                if isinstance(function.get("arguments"), str):
                    function["arguments"] = self._stream(number, "arguments", call).feed(function["arguments"])
            if choice.get("finish_reason"):
                self._end(number, delta)
        return chunk

    def rest(self) -> str:
        """An event with what is held back if the answer ends without saying so."""
        choices = []
        for number in sorted({number for number, _, _ in self._streams}):
            delta: dict[str, Any] = {}
            self._end(number, delta)
            if any(delta.values()):
                choices.append({"index": number, "delta": delta, "finish_reason": None})
        return f"data: {dumped({**self._last, 'choices': choices})}\n\n" if choices else ""

    def _stream(self, number: int, name: str, call: int = _NO_CALL) -> StreamRestorer:
        shielded = self._plain if call == _NO_CALL else self._in_json
        return self._streams.setdefault((number, name, call), StreamRestorer(shielded))

    def _end(self, number: int, delta: dict[str, Any]) -> None:
        for (of_choice, name, call), stream in self._streams.items():
            if of_choice != number or not (held := stream.end()):
                continue
            if call == _NO_CALL:
                delta[name] = (delta.get(name) or "") + held
            elif call == _THE_CALL:
                before = delta.get("function_call") or {}
                delta["function_call"] = {**before, "arguments": (before.get("arguments") or "") + held}
            else:
                calls = delta.get("tool_calls") or []
                delta["tool_calls"] = [*calls, {"index": call, "function": {"arguments": held}}]


async def _lines(parts: AsyncIterable[str]) -> AsyncIterator[str]:
    """The lines of a stream of events. Other line ends of Unicode are part of a text."""
    held = ""
    async for part in parts:
        *lines, held = _LINE_END.split(held + part)
        for line in lines:
            yield line
    if held:
        yield held.removesuffix("\r")


def dumped(value: Any) -> str:
    """JSON with letters as they are."""
    return json.dumps(value, ensure_ascii=False)
