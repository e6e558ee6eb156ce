"""The catalogues are complete and right, and the check that says so sees every fault."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.translations import catalogue

SOURCE = """
from confere.errors import message, Message, N_
from confere.system.messages import t

class Fault:
    title = N_("A title")

def say(params, text):
    raise Fault(message("{who} lacks {what}.", who=1, what=message("a thing")))

said = t("Two "
         "parts")
again = messages.t("With dots.")
built = Message("Built {x}", params)
mail = email.message("not ours")
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "room").mkdir(parents=True)
    (folder / "room" / "one.py").write_text(SOURCE)
    return folder


@pytest.fixture
def locales(tmp_path: Path, source: Path) -> Path:
    """Catalogues of `source` in order: every sentence "translated" by itself."""
    folder = tmp_path / "locale"
    catalogue.update(source, folder)
    for po in folder.glob("*/LC_MESSAGES/*.po"):
        lines = po.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines[1:], 1):
            if line == 'msgstr ""' and lines[number - 1].startswith('msgid "') and lines[number - 1] != 'msgid ""':
                lines[number] = lines[number - 1].replace("msgid", "msgstr")
        po.write_text("\n".join(lines) + "\n", encoding="utf-8")
    catalogue.compile_all(folder)
    return folder


def po(locales: Path, language: str = "es") -> Path:
    return locales / language / "LC_MESSAGES" / "confere.po"


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_catalogues_of_the_program_are_in_order() -> None:
    assert catalogue.check() == []


def test_every_sentence_is_found_once(source: Path, tmp_path: Path) -> None:
    found = {entry.id for entry in catalogue.collect(source, tmp_path) if entry.id}
    assert found == {"A title", "{who} lacks {what}.", "a thing", "Two parts", "With dots.", "Built {x}"}


def test_good_catalogues_bring_no_complaint(source: Path, locales: Path) -> None:
    assert catalogue.check(source, locales) == []


def test_an_update_keeps_translations_and_is_the_same_twice(source: Path, locales: Path) -> None:
    edit(po(locales), 'msgstr "A title"', 'msgstr "Un título"')
    (source / "two.py").write_text('t("New one")\n')
    catalogue.update(source, locales)
    first = po(locales).read_bytes()
    assert 'msgstr "Un título"' in first.decode()
    assert catalogue.check(source, locales) == [
        "pt_BR: not translated: 'New one'",
        "es: not translated: 'New one'",
    ]
    catalogue.update(source, locales)
    assert po(locales).read_bytes() == first


def test_translations_are_filled_in_by_the_sentence(source: Path, locales: Path) -> None:
    (source / "two.py").write_text('t("New “one”")\n')
    catalogue.update(source, locales)
    before = po(locales).read_text(encoding="utf-8")
    catalogue.fill("es", {"New “one”": "Nuevo"}, locales)
    catalogue.fill("pt_BR", {"New “one”": "Novo"}, locales)
    assert catalogue.check(source, locales) == []
    filled = before.replace('msgid "New “one”"\nmsgstr ""', 'msgid "New “one”"\nmsgstr "Nuevo"')
    assert po(locales).read_text(encoding="utf-8") == filled
    with pytest.raises(KeyError, match="no such sentence"):
        catalogue.fill("es", {"no such sentence": "x"}, locales)


def test_one_word_with_two_contexts_has_two_translations(source: Path, locales: Path) -> None:
    (source / "two.py").write_text('t(NC_("period", "From")); t("From"); X = NC_("source", "From")\n')
    catalogue.update(source, locales)
    catalogue.fill("es", {"From": "De", "period\x04From": "Desde", "source\x04From": "Origen"}, locales)
    catalogue.fill("pt_BR", {"From": "De", "period\x04From": "Desde", "source\x04From": "Origem"}, locales)
    assert catalogue.check(source, locales) == []
    catalogue.update(source, locales)
    assert catalogue.check(source, locales) == []
    assert 'msgctxt "source"\nmsgid "From"\nmsgstr "Origen"' in po(locales).read_text(encoding="utf-8")
    (source / "two.py").write_text('t("From"); X = NC_("source", "From")\n')
    assert catalogue.check(source, locales) == [f"{code}: stale: 'period\\x04From'" for code in catalogue.LANGUAGES]


TWO = 'ngettext("{count} file", "{count} files", n); nmessage("{count} row of {a}", "{count} rows of {a}", n, a=1)\n'
FILES, ROWS = "{count} file\0{count} files", "{count} row of {a}\0{count} rows of {a}"


def test_a_sentence_that_counts_has_all_forms_of_its_language(source: Path, locales: Path) -> None:
    (source / "two.py").write_text(TWO)
    catalogue.update(source, locales)
    assert catalogue.check(source, locales) == [
        f"{code}: not translated: {text!r}" for code in ("pt_BR", "es") for text in (FILES, ROWS)
    ]
    for code in ("pt_BR", "es"):
        said = {FILES: ["{count} a", "{count} aa"], ROWS: ["{count} de {a}", "{count} dd de {a}"]}
        catalogue.fill(code, said, locales)
    assert catalogue.check(source, locales) == []
    catalogue.update(source, locales)
    assert catalogue.check(source, locales) == []
    text = po(locales).read_text(encoding="utf-8")
    assert 'msgid "{count} file"\nmsgid_plural "{count} files"\nmsgstr[0] "{count} a"\nmsgstr[1] "{count} aa"' in text
    for wrong in (["one"], ["1", "2", "3"]):
        with pytest.raises(ValueError, match="not the forms"):
            catalogue.fill("es", {FILES: wrong}, locales)
    with pytest.raises(ValueError, match="not the forms"):
        catalogue.fill("es", {FILES: "{count}"}, locales)
    with pytest.raises(KeyError):
        catalogue.fill("es", {"{count} file": "x"}, locales)


@pytest.mark.parametrize(
    ("forms", "complaint"),
    [
        (["1 a", "{count} aa"], "has other placeholders in its translation"),
        (["{count} a", "{count aa"], "has broken braces in its translation"),
        (["{count} a", ""], "not translated"),
        (["{count} a.", "{count} aa"], "begins or ends with other spaces or another full stop in its translation"),
    ],
)
def test_each_form_is_looked_at(source: Path, locales: Path, forms: list[str], complaint: str) -> None:
    (source / "two.py").write_text('NN_("{count} file", "{count} files")\n')
    catalogue.update(source, locales)
    catalogue.fill("pt_BR", {FILES: ["{count} a", "{count} aa"]}, locales)
    catalogue.fill("es", {FILES: forms}, locales)
    assert catalogue.check(source, locales) == [f"es: {complaint}: {FILES!r}"]


def test_a_sentence_that_begins_to_count_takes_no_translation_along(source: Path, locales: Path) -> None:
    edit(source / "room" / "one.py", 't("Two "\n         "parts")', 'ngettext("Two parts", "More parts", 2)')
    catalogue.update(source, locales)
    whole = "Two parts\0More parts"
    assert catalogue.check(source, locales) == [f"{code}: not translated: {whole!r}" for code in ("pt_BR", "es")]
    (source / "two.py").write_text('t("Two parts")\n')
    assert "the singular of one sentence is another one: 'Two parts'" in catalogue.check(source, locales)


def test_moving_code_does_not_change_a_catalogue(source: Path, locales: Path) -> None:
    catalogue.update(source, locales)
    before = po(locales).read_bytes()
    file = source / "room" / "one.py"
    file.write_text("# a comment\n\n" + file.read_text())
    catalogue.update(source, locales)
    assert po(locales).read_bytes() == before


def test_a_source_that_does_not_parse_changes_nothing(source: Path, locales: Path) -> None:
    before = po(locales).read_bytes()
    (source / "two.py").write_text("def (\n")
    with pytest.raises(SyntaxError):
        catalogue.update(source, locales)
    assert po(locales).read_bytes() == before


def test_a_new_and_a_dropped_sentence_are_seen(source: Path, locales: Path) -> None:
    edit(source / "room" / "one.py", "With dots.", "With new dots.")
    assert catalogue.check(source, locales) == [
        f"{language}: {problem}"
        for language in catalogue.LANGUAGES
        for problem in ("missing: 'With new dots.'", "stale: 'With dots.'")
    ]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('msgstr "A title"', 'msgstr ""', "not translated"),
        ('msgstr "{who} lacks {what}."', 'msgstr "{who} no tiene {whta}."', "other placeholders"),
        ('msgstr "{who} lacks {what}."', 'msgstr "{who} no tiene {what."', "broken braces"),
        ('msgstr "With dots."', 'msgstr "Con puntos"', "another full stop"),
        ('msgstr "With dots."', 'msgstr " Con puntos."', "other spaces"),
        ('msgid "A title"', '#, fuzzy\nmsgid "A title"', "fuzzy"),
    ],
)
def test_a_bad_translation_is_seen(source: Path, locales: Path, old: str, new: str, complaint: str) -> None:
    edit(po(locales), old, new)
    catalogue.compile_all(locales)
    problems = catalogue.check(source, locales)
    assert len(problems) == 1
    assert problems[0].startswith("es: ")
    assert complaint in problems[0]


def test_english_is_its_own_id(source: Path, locales: Path) -> None:
    edit(po(locales, "en"), 'msgstr "A title"', 'msgstr "Another title"')
    catalogue.compile_all(locales)
    assert catalogue.check(source, locales) == ["en: is not its own id: 'A title'"]
    catalogue.update(source, locales)
    assert catalogue.check(source, locales) == []


def test_an_old_compiled_file_is_seen(source: Path, locales: Path) -> None:
    edit(po(locales), 'msgstr "A title"', 'msgstr "Un título"')
    assert catalogue.check(source, locales) == ["es: confere.mo is not what its .po compiles to"]
    po(locales, "pt_BR").with_suffix(".mo").unlink()
    assert len(catalogue.check(source, locales)) == 2
    catalogue.compile_all(locales)
    assert catalogue.check(source, locales) == []


def test_catalogues_that_are_gone_are_seen(source: Path, locales: Path) -> None:
    shutil.rmtree(locales)
    problems = catalogue.check(source, locales)
    assert sum("missing" in problem for problem in problems) == 3 * 6


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("message(text)", "not a literal"),
        ('t(f"a {b}")', "not a literal"),
        ('N_("a" + b)', "not a literal"),
        ("message()", "not a literal"),
        ('NC_(where, "From")', "not a literal"),
        ('ngettext("a", many, 2)', "not a literal"),
        ('NN_(f"{a}", "b")', "not a literal"),
        ('ngettext("1 file", "{count} files", 2)', "other placeholders than its plural"),
        ('nmessage("{count} of {a}", "{count} all of {a}", 2)', "is given no a"),
        ('ngettext("{count}", "{count}s", 2, b=1)', "has no place for b"),
        ('t(NC_("period", "From {day}"))', "is given no day"),
        ('message("{a} and {b}", a=1)', "is given no b"),
        ('message("{a}", a=1, b=2)', "has no place for b"),
        ('message("open {a", a=1)', "expected '}'"),
        ('t("{month}/{kind}")', "is given no kind, month"),
        ('BadAnswer(message("{request}: {title}"))', "is given no title"),
        ('OtherAnswer(message("{request}: {title}", title=1))', "is given no request"),
        ('BadAnswer(message("{title}", title=1)) or message("{request} {tries}", tries=2)', "is given no request"),
    ],
)
def test_a_call_that_cannot_be_translated_is_seen(source: Path, code: str, complaint: str) -> None:
    (source / "two.py").write_text(code + "\n")
    (problem,) = catalogue.wrong_calls(source)
    assert problem.startswith("two.py:1: ")
    assert complaint in problem


@pytest.mark.parametrize(
    "code",
    [
        'message("{a}", **params)',
        "Message(id, params)",
        'N_("{later}")',
        't("{a.b[0]:d}", a=1)',
        'REFUSED = message("{a} and {b}")',
        'BadAnswer(message("{request} came empty."), again=False)',
        'BadAnswer(message("{request}: {title}", title=1) if title else message("{request}."))',
        'BadAnswer(message("{title}", title=1))',
        'ngettext("{count} of {n}, {a}", "{count} all of {n}, {a}", 2, a=1)',
        'Message(NN_("{count} a", "{count} b"), {"n": 1})',
    ],
)
def test_a_call_that_is_right_is_left_in_peace(source: Path, code: str) -> None:
    (source / "two.py").write_text(code + "\n")
    assert catalogue.wrong_calls(source) == []


def test_the_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "check", lambda: ["es: missing: 'x'"])
    assert catalogue.main(["check"]) == 1
    assert capsys.readouterr().out == "es: missing: 'x'\n"
    monkeypatch.setattr(catalogue, "check", list)
    assert catalogue.main(["check"]) == 0
    assert "in order" in capsys.readouterr().out
    assert catalogue.main([]) == 2
    assert "usage" in capsys.readouterr().err
