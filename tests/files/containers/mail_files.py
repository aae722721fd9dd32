"""A mail message with an identifier planted in every place that can hold one."""

from __future__ import annotations

from email.message import EmailMessage

from . import word_files

HTML = "<html><body><p>Sra. A<b>na</b> Mu&ntilde;oz</p><img src='cid:logo'></body></html>"


def inner() -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Luis Gil <luisgil@x.es>"
    message["To"] = "ana@x.es"
    message["Subject"] = "Resultado de Ana Muñoz"
    message["Message-ID"] = "<dentro-7654321@mail.x.es>"
    message.set_content("Adjunto lo de Ana Muñoz.\n", cte="base64")
    return message


def message() -> EmailMessage:
    made = EmailMessage()
    made["Received"] = "from pc-luisgil.x.es (10.1.2.3) by mx.x.es for <ana@x.es>; Mon, 4 May 2020 10:03:00 +0200"
    made["From"] = "Luis Gil <luisgil@x.es>"
    made["To"] = 'Ana Muñoz <ana@x.es>, "Gil, Luis" <luisgil@x.es>'
    made["Cc"] = "luisgil@x.es (Luis Gil)"
    made["Subject"] = "Informe de Ana Muñoz, NHC 7654321, con un asunto largo, que hay que partir en varias líneas"
    made["Date"] = "Mon, 4 May 2020 10:03:00 +0200"
    made["Message-ID"] = "<20200504.7654321@mail.x.es>"
    made["References"] = "<dentro-7654321@mail.x.es> <otro-7654321@mail.x.es>"
    made["Importance"] = "high"
    made["X-Originating-IP"] = "[10.1.2.3]"
    made.set_content("Estimados:\n\nVista Ana Muñoz hoy, NHC 7654321.\n\nUn saludo\n", cte="quoted-printable")
    made.add_alternative(HTML, subtype="html", charset="iso-8859-1", cte="8bit")
    html = list(made.iter_parts())[1]
    assert isinstance(html, EmailMessage)
    html.add_related(word_files.png(), "image", "png", cid="<logo>")
    made.add_attachment(word_files.workbook(), "application", "octet-stream", filename="Ana Muñoz.xlsx")
    made.add_attachment("nhc;nota\r\n7654321;Vista Ana Muñoz\r\n".encode(), "text", "csv", filename="tabla.csv")
    made.add_attachment(inner())
    made.add_attachment(b"\0\1\2", "application", "octet-stream", filename="otro.bin")
    for number, part in enumerate(made.walk()):
        if part.is_multipart() and part.get_content_maintype() == "multipart":
            part.set_boundary(f"=={number}==")  # the same every time
    return made


def planted() -> bytes:
    return message().as_bytes()


def simple() -> bytes:
    """What a server keeps: CRLF, no attachments."""
    return (
        b"From: a@b.es\r\nSubject: =?utf-8?q?Alta_de?= =?utf-8?q?_Ana?= =?utf-8?q?_Mu=C3=B1oz?=\r\n"
        b"MIME-Version: 1.0\r\n"
        b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"
        b"Vista Ana Mu=C3=\r\n=B1oz hoy =E2=82=AC\r\n"
    )
