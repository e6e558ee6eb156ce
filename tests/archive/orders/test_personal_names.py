"""What somebody wrote names a person with whatever signs stand around the name, and no one else."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.archive.documents.search import document_tags
from confere.archive.orders.personal_names import named_in
from confere.archive.store import Archive

NAMES = ("Maria Aparecida Souza", "ana@correio.example", "52998224725")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Maria Souza", True),
        ("maria souza, cobrar", True),
        ("Souza, Maria (cliente)", True),
        ('"Maria Aparecida Souza"', True),
        ('destinatário:"maria souza"', True),
        ("maria_souza", True),
        ("ana@correio.example: boleto", True),
        ("cpf 529.982.247-25.", True),
        ("Maria Lima", False),
        ("Mariana Souzas", False),
        ("Souza", False),
    ],
)
def test_signs_around_a_name_do_not_hide_it(text: str, expected: bool) -> None:
    assert named_in((text,), NAMES) is expected


def test_a_tag_with_an_arrow_in_its_name_is_found_in_the_audit_trail(tmp_path: Path) -> None:
    with Archive.to_write(tmp_path / "archive.sqlite3", "test") as archive, archive.writing() as transaction:
        document_tags.make(transaction, "Maria → Souza")
        document_tags.make(transaction, "Maria → Lima")
        assert document_tags.names_in_trail(transaction, NAMES) == {"Maria → Souza"}
