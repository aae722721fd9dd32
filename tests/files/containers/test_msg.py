"""Outlook's messages: nothing is left of what was replaced, and other programs read the copy."""

from __future__ import annotations

import io
import random

import olefile
import pytest
from oxmsg import Message

from nadie.errors import FormatError
from nadie.files.containers.mail.msg import rich_text
from nadie.files.containers.mail.msg.compound import Storage, read, written
from nadie.files.signatures import format_of
from nadie.files.source import Source

from .helpers import anonymized, opened, texts_of
from .msg_files import CLSID, RTF, attached, message, planted
from .office import parts_of

VALUES = {"Ana Muñoz": "[NOMBRE]", "7654321": "[ID]", "ana@x.es": "[CORREO]", "Luis Gil": "[NOMBRE]"}
PLANTED = ("Ana", "Muñoz", "Mu\\'f1oz", "Mu&ntilde;oz", "7654321", "Luis Gil", "luisgil", "LUISGIL", "ana@x.es")


def left_in(content: bytes) -> list[str]:
    """What of the planted values is in the bytes, in any encoding, or in a part of an attachment."""
    with olefile.OleFileIO(io.BytesIO(content)) as file:
        raws = [content, *(file.openstream(path).read() for path in file.listdir())]
    raws += [part for raw in raws[1:] if raw.startswith(b"PK") for part in parts_of(raw).values()]
    encodings = ("utf-8", "cp1252", "utf-16-le")
    return [value for value in PLANTED if any(value.encode(e) in raw for raw in raws for e in encodings)]


def test_nothing_that_was_replaced_is_left() -> None:
    content = planted()
    assert left_in(content) == list(PLANTED)
    copy, account = anonymized(content, "a.msg", VALUES)
    assert left_in(copy) == []
    assert account.remarks[0].endswith(" properties left out")
    assert [failure.reason.endswith("it is left out of the copy") for failure in account.failures] == [True]


def test_another_program_reads_the_copy() -> None:
    copy = anonymized(planted(), "a.msg", VALUES)[0]
    assert format_of(io.BytesIO(copy)) == "msg"
    read_back = Message.load(io.BytesIO(copy))
    assert (read_back.subject, read_back.body) == ("Informe de [NOMBRE]", "Vista [NOMBRE] hoy, NHC [ID].\r\n")
    assert str(read_back.html_body).count("Vista <b>[NOMBRE]</b></p>") == 1
    assert [(one.name, one.email_address) for one in read_back.recipients] == [("[CAMPO]", "CAMPO@anonymized.invalid")]
    assert [one.file_name for one in read_back.attachments][:2] == ["[NOMBRE].docx", "tabla.csv"]
    table = read_back.attachments[1].file_bytes
    assert table == b"nhc;nota\r\n[CAMPO];Vista [NOMBRE]\r\n"


def test_a_copy_without_edits_says_the_same() -> None:
    simple = message()
    simple.storages |= dict([attached(0, "nota.txt", b"hola")])
    text = texts_of(written(simple, CLSID), "a.msg")
    assert "Vista Ana Muñoz hoy, NHC 7654321.\r\n" in text[0]
    assert "2020-05-04" in text[0]
    assert text[1] == "hola"


def test_packed_rich_text_is_unpacked() -> None:
    """The example of the specification (MS-OXRTFCP, 4.1.1)."""
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert rich_text.unpacked(packed, "") == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


@pytest.mark.parametrize("seed", range(6))
def test_compound_files_of_any_size_come_back(seed: int) -> None:
    chance = random.Random(seed)
    root = Storage({f"s{n}": chance.randbytes(chance.choice((0, 1, 63, 64, 4095, 4096, 70_000))) for n in range(40)})
    root.storages = {f"t{n}": Storage({"x": b"1" * n}, {"u": Storage({"y": b"2"})}) for n in range(20)}
    if seed == 5:
        root.streams["large"] = bytes(8_000_000)  # more tables than the header has room for
    content = written(root, CLSID)
    with olefile.OleFileIO(io.BytesIO(content), raise_defects=olefile.DEFECT_UNSURE) as file:
        assert file.parsing_issues == []
    assert read(Source("a", "a", None, content)) == root


def test_signed_and_encrypted_messages_are_refused() -> None:
    made = message(more={0x001A: "IPM.Note.SMIME"})
    with pytest.raises(FormatError, match="signed or encrypted"):
        opened(written(made, CLSID), "a.msg")


def test_a_message_with_many_properties_is_still_one() -> None:
    made = Storage({f"__substg1.0_{number:04X}001F": b"x\0" for number in range(0x6000, 0x6040)})
    assert format_of(io.BytesIO(written(made, CLSID))) == "msg"


def test_a_damaged_rich_text_body_is_left_out() -> None:
    damaged = rich_text.packed(RTF[:-1])
    made = message(more={0x1009: damaged})
    copy, account = anonymized(written(made, CLSID), "a.msg", {"Ana": "Eva"})
    assert [failure.reason for failure in account.failures] == ["is damaged or truncated; it is left out of the copy"]
    assert b"rtf1" not in copy
    assert "Vista Eva" in str(Message.load(io.BytesIO(copy)).body)
