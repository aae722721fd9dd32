"""Documents into the page and out of it: files of every kind, odd characters, hostile content, exports."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from .browsing import Tab
from .conftest import NOTE, SECOND, Server, StartServer

HOSTILE = 'Nota: <img src=x onerror=alert(1)> Paciente: Ana Ruiz </script><b>54 años</b> &amp; "comillas"\n'


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server()


def test_files_are_listed_with_what_was_found_in_them(tab: Tab) -> None:
    assert tab.page.locator("#empty").is_visible()
    tab.add(primera=NOTE, segunda=SECOND)
    rows = [row.split("\n") for row in tab.page.locator("button.entry").all_inner_texts()]
    assert [row[0] for row in rows] == ["primera.txt", "segunda.txt"]
    assert rows[0][1].startswith("7 datos · 3 dudosos")
    assert tab.page.inner_text("#progress-text") == "0 de 2 revisados"
    assert tab.text() == NOTE
    assert ("Lucía Prado Ferrer", "paciente") in tab.marks()
    assert ("Hospital Santa Marta", "hospital ? 72 %") in tab.marks()


def test_many_files_come_in_the_order_they_were_given(tab: Tab) -> None:
    names = [f"nota-{number:02d}" for number in range(60)]
    tab.add(**dict.fromkeys(names, NOTE))
    shown = tab.page.locator(".entry-name").all_text_contents()
    assert shown == [f"{name}.txt" for name in names]
    tab.page.click("button[data-filter=reviewed]")
    assert tab.page.locator("button.entry").count() == 0
    tab.page.click("button[data-filter=todo]")
    assert tab.page.locator("button.entry").count() == 60


def test_emoji_and_combining_marks_keep_their_offsets(tab: Tab, tmp_path: Path) -> None:
    text = "👩‍⚕️😀 Paciente: Lucía Prado, 54 años 🏥 firma Jose\u0301 Ruiz 😀.\n"
    tab.add(emoji=text)
    assert tab.words() == ["Lucía Prado", "54 años"]
    tab.drag_over("Jose\u0301 Ruiz")
    tab.pick("personal")
    tab.press("Shift+k", "Shift+l")
    tab.page.click("#export")
    tab.page.uncheck("input[value=anonymized]")
    tab.page.check("input[value=jsonl]")
    line = json.loads(tab.download("dialog button[type=submit]", tmp_path).read_text(encoding="utf-8"))
    assert line["text"] == text
    assert [text[span["start"] : span["end"]] for span in line["spans"]] == [
        "Lucía Prado",
        "54 años",
        "Jose\u0301 Ruiz",
    ]


def test_what_is_in_a_document_never_becomes_markup(tab: Tab) -> None:
    tab.add(**{'<b onclick="alert(1)">': HOSTILE})
    assert tab.text() == HOSTILE
    assert "Ana Ruiz" in tab.words()
    assert tab.page.locator("#text img, #text b, #preview-text img, .entry-name b").count() == 0
    tab.wait_for_preview("<img src=x onerror=alert(1)>")


def test_line_ends_tabs_and_odd_spaces_come_back_as_they_were(tab: Tab, tmp_path: Path) -> None:
    text = "\ufeffPaciente: Ana Ruiz\r\n\r\n\tIngresa\u00a0el 03/01/2024\u2028fin\x0b.\r\n"
    tab.add(nota=text)
    tab.page.click("#export")
    tab.page.check("input[value=brat]")
    archive = zipfile.ZipFile(tab.download("dialog button[type=submit]", tmp_path))
    assert archive.read("con-datos-personales/brat/nota.txt").decode() == text
    expected = text.replace("Ana Ruiz", "[NOMBRE_SUJETO_ASISTENCIA]").replace("03/01/2024", "[FECHAS]")
    assert archive.read("anonimizado/0001.txt").decode() == expected


def test_export_of_all_documents_in_one_archive(tab: Tab, tmp_path: Path) -> None:
    tab.add(una=NOTE, otra=SECOND)
    tab.page.click("#export")
    assert tab.page.locator("dialog .warning:visible").count() == 1, "there are documents that nobody reviewed"
    tab.page.check("input[value=brat]")
    assert tab.page.locator("dialog .warning:visible").count() == 2, "brat holds the originals"
    tab.page.check("input[value=jsonl]")
    archive = zipfile.ZipFile(io.BytesIO(tab.download("dialog button[type=submit]", tmp_path).read_bytes()))
    assert len(archive.namelist()) == 7
    anonymized = [name for name in archive.namelist() if name.startswith("anonimizado/")]
    assert not any(b"Montoya" in archive.read(name) for name in anonymized)


def test_the_anonymized_text_alone_is_downloaded(tab: Tab, tmp_path: Path) -> None:
    tab.add(nota=NOTE)
    tab.wait_for_preview("[FECHAS]")
    assert tab.download("#download", tmp_path).read_text(encoding="utf-8") == tab.preview()


def test_a_file_in_another_encoding_is_told_and_can_be_opened(tab: Tab) -> None:
    content = "Paciente: Íñigo Peña, 54 años".encode("cp1252")
    tab.page.set_input_files("#file-input", [{"name": "vieja.txt", "mimeType": "text/plain", "buffer": content}])
    tab.page.click("text=Abrir como Windows-1252")
    tab.page.wait_for_selector("#text .mark")
    assert tab.words() == ["Íñigo Peña", "54 años"]


def test_a_note_that_looks_like_another_format_can_be_opened_as_text(tab: Tab) -> None:
    note = "<?xml Paciente: Íñigo Peña, 54 años"
    tab.page.set_input_files("#file-input", [{"name": "n.txt", "mimeType": "text/plain", "buffer": note.encode()}])
    tab.page.wait_for_selector(".failure")
    assert tab.page.locator("button.entry").count() == 0
    tab.page.click("text=Abrir como texto")
    tab.page.wait_for_selector("#text .mark")
    assert tab.words() == ["Íñigo Peña", "54 años"]
    assert tab.text() == note
    rtf = {"name": "r.rtf", "mimeType": "text/rtf", "buffer": b"{\\rtf Paciente: I\\'f1igo"}
    tab.page.set_input_files("#file-input", [rtf])
    tab.page.wait_for_selector(".failure:has-text('No se puede leer')")
    assert tab.page.locator("text=Abrir como texto").count() == 0, "names written in codes would not be found"


def test_files_can_be_dropped_with_their_annotations(tab: Tab) -> None:
    drop = """() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['Ingresa hoy.'], 'a.txt', { type: 'text/plain' }));
      transfer.items.add(new File(['T1\\tFECHAS 8 11\\thoy\\n'], 'a.ann'));
      for (const kind of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }"""
    tab.page.evaluate(drop)
    tab.page.wait_for_selector("#text .mark")
    assert tab.words() == ["hoy"]
    assert tab.page.locator("#drop").is_hidden()


def test_text_can_be_pasted(tab: Tab) -> None:
    tab.page.click("#paste")
    tab.page.fill("dialog textarea", SECOND)
    tab.page.click("dialog button[type=submit]")
    tab.page.wait_for_selector("#text .mark")
    assert "Berta Solís" in tab.words()


def test_a_document_is_removed_after_a_question(tab: Tab) -> None:
    tab.add(una=NOTE, otra=SECOND)
    tab.page.hover("li:has-text('una.txt')")
    tab.page.click("li:has-text('una.txt') .entry-delete")
    tab.page.click("dialog button[type=submit]")
    tab.page.wait_for_function("() => document.querySelectorAll('button.entry').length === 1")
    assert tab.page.inner_text("#document-name") == "otra.txt"


def test_leaving_with_documents_open_asks_first(browser: Any, server: Server) -> None:
    tab = Tab(browser, server.url).go()
    tab.add(nota=NOTE)
    tab.mark("Cuenca").click()
    with tab.page.expect_event("dialog") as asked:
        tab.page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    tab.close()


def test_an_empty_document_and_one_endless_line(tab: Tab) -> None:
    line = "Paciente: Ana Ruiz " + "palabra " * 4000 + "54 años"
    tab.add(vacia="", larga=line)
    tab.open("larga")
    assert tab.text() == line
    assert tab.words() == ["Ana Ruiz", "54 años"]
    assert tab.page.locator("#text .paragraph").count() > 5, "an endless line is rendered in pieces"
    tab.open("vacia")
    assert tab.text() == ""
    tab.page.focus("#text")
    tab.press("n", "d", "ArrowRight", "ArrowDown", "Enter", "Delete")


FOLDERS = """async (paths) => {
  // What a browser gives for a dropped folder: entries that list their children.
  const tree = { name: '', isDirectory: true, children: [] };
  for (const [path, content] of Object.entries(paths)) {
    let at = tree;
    const parts = path.split('/');
    for (const part of parts.slice(0, -1)) {
      let next = at.children.find(({ name }) => name === part);
      if (!next) at.children.push((next = { name: part, isDirectory: true, children: [] }));
      at = next;
    }
    at.children.push({ name: parts.at(-1), isFile: true, content });
  }
  const entry = ({ name, isFile, content, children }) => isFile
    ? { name, isFile, isDirectory: false, file: (done) => done(new File([content], name)) }
    : { name, isFile: false, isDirectory: true, createReader: () => {
        let left = children.map(entry);
        return { readEntries: (done) => { const batch = left; left = []; done(batch); } };
      } };
  const items = tree.children.map((child) => ({ webkitGetAsEntry: () => entry(child) }));
  const event = new Event('drop', { bubbles: true, cancelable: true });
  event.dataTransfer = { types: ['Files'], files: [], items };
  document.body.dispatchEvent(event);
}"""


def test_a_dropped_folder_pairs_texts_with_the_annotations_beside_them(tab: Tab) -> None:
    tab.page.evaluate(
        FOLDERS,
        {
            "notas/uno/a.txt": "Ingresa hoy.",
            "notas/uno/a.ann": "T1\tFECHAS 8 11\thoy\n",
            "notas/dos/a.txt": "Acude ayer.",
            "notas/dos/a.ann": "T1\tFECHAS 6 10\tayer\n",
            "notas/tres/a.txt": "Nada.",
            "notas/tres/b.ann": "T1\tFECHAS 0 4\tNada\n",
            "notas/.git/c.txt": "oculto",
        },
    )
    tab.page.wait_for_selector(".failure")
    names = tab.page.locator("button.entry .entry-name").all_text_contents()
    assert names == ["uno/a.txt", "dos/a.txt", "tres/a.txt"], "without the folder that they have in common"
    assert tab.page.inner_text("li:has(.failure)").startswith("notas/tres/b.ann")
    assert "falta el .txt" in tab.page.inner_text(".failure")
    tab.open("uno/")
    assert tab.words() == ["hoy"]
    tab.open("dos/")
    assert tab.words() == ["ayer"]
    tab.open("tres/")
    assert tab.words() == []


def test_a_file_that_is_not_understood_is_refused_by_name(tab: Tab) -> None:
    rar = {"name": "nota.txt", "mimeType": "text/plain", "buffer": b"Rar!\x1a\x07\x01\x00 Paciente: Ana Ruiz"}
    tab.page.set_input_files("#file-input", [rar])
    tab.page.wait_for_selector(".failure")
    assert "es un archivo RAR" in tab.page.inner_text(".failure")
    assert tab.page.locator("button.entry").count() == 0


def test_copy_and_download_wait_for_the_text_after_the_last_change(tab: Tab, tmp_path: Path) -> None:
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    tab.add(nota=NOTE)
    tab.wait_for_preview("natural de [TERRITORIO]")
    # A network that takes its time.
    tab.page.route("**/v1/anonymize", lambda route: (tab.page.wait_for_timeout(400), route.continue_()))
    tab.mark("Cuenca").click()
    tab.press("Delete")
    assert "natural de Cuenca" in tab.download("#download", tmp_path).read_text(encoding="utf-8")
    tab.press("Control+z")
    tab.page.click("#copy")
    tab.page.wait_for_selector(".toast:has-text('Copiado')")
    assert "natural de [TERRITORIO]" in tab.page.evaluate("navigator.clipboard.readText()")


def test_the_browser_is_told_not_to_send_notes_to_a_translator(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.page.click("#language")
    assert tab.page.get_attribute("html", "lang") == "en"
    assert tab.page.get_attribute("html", "translate") == "no"
    assert tab.page.get_attribute("meta[name=google]", "content") == "notranslate"
    for part in ("#text", "#preview-text"):
        assert tab.page.get_attribute(part, "translate") == "no"
        assert tab.page.get_attribute(part, "lang") == "es", "the note stays Spanish in an English page"
    assert tab.page.evaluate("[...document.querySelectorAll('*')].every((each) => !each.translate)")
