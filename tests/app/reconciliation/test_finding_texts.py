"""What is typed into the search of findings finds what people read of them, in the language that they read it in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery
from confere.archive.accounts import accounts
from confere.errors import message
from confere.system import messages
from confere.system.messages import set_language
from tests.app import business
from tests.app.business import ACCOUNT, a_finding
from tests.archive.papers import EMITTER, RECIPIENT, key

KEY = key(2)
GROUPS = " ".join(KEY[place : place + 4] for place in range(0, 44, 4))
INTEREST = message(
    "Freight {order_freight} against {note_freight}, discount {order_discount} against {note_discount},"
    " interest {interest} against {other} do not explain it.",
    order_freight="R$ 2,00", note_freight="R$ 0,00", order_discount="R$ 0,00", note_discount="R$ 114,48",
    interest="R$ 14,48", other="R$ 0,00",
)  # fmt: skip
RETURN = message(
    "The hub booked the return {name} of order {order} on {day} ({total}); no return document in effect belongs to it.",
    name="Vovó Conceição", order="o3", day="31/10/2026", total="R$ 1.234,56",
)  # fmt: skip
NESTED = message("{what} {remedy}", what=message("interest and other charges"), remedy="id: total")
FOUND = (
    a_finding("R3", "o2", keys=(KEY,), amount=1200, evidence=(INTEREST,)),
    a_finding("R7", "o3", keys=(key(16),), evidence=(RETURN,)),
    a_finding("R4", "o4", evidence=(NESTED,)),
)

PORTUGUESE = {
    "juros": "R3 R4",
    "JUROS": "R3 R4",
    "interest": "",
    "devolução": "R7",
    "devolucao": "R7",
    "DEVOLUÇÃO conceicao": "R7",
    "devolução juros": "",
    "conceição": "R7",
    "conceic\u0327a\u0303o": "R7",
    "vovo": "R7",
    "31/10/2026": "R7",
    "2026-10-31": "R7",  # as English shows it
    "2026-10-30": "",
    "14,48": "R3",  # and not within 114,48
    "4,48": "",
    "R$ 14,48": "R3",
    "R$ 1.234,56": "R7",
    "juros 14,48": "R3",
    "despesas": "R4",
    "total": "R4",  # the word of a value: the name of a value is nothing that anybody reads
    "interest-and-other-charges": "",
    "order_freight": "",
    "params": "",
    "Café": "R4",
    "cafe estornado": "R4",
    "pedido o3": "R7",
    "o3": "R7",
    "cliente avo": "R3 R4 R7",  # the buyer of their orders
    "2": "R3",
    "1/2": "R3",
    "1/000.002": "R3",
    "2/2": "",
    "juros 2": "R3",
    "juros 3": "",
    '"juros" (14,48)': "R3",
    KEY: "R3",
    GROUPS: "R3",
    KEY[:8]: "R3 R7",
    KEY[-8:]: "R3",
    GROUPS[:14]: "R3 R7",
    GROUPS[-14:]: "R3",
    f"juros {KEY}": "R3",
    EMITTER: "R3",
    "11.222.333/0001-81": "R3",
    RECIPIENT: "R3",
    "100%": "",
    "_": "",
    "[": "",
    "x" * 100_000: "",
    "": "R3 R4 R7",
}
ENGLISH = {"interest": "R3 R4", "juros": "", "return": "R7", "charges": "R4"}
SPANISH = {"intereses": "R3 R4", "devolución": "R7", "devolucion": "R7", "juros": "", "interest": ""}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    made = business.workspace_at(tmp_path_factory.mktemp("read"), reconciled=False)
    with made.writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        business.run(archive, owner, found=FOUND)
    opened = OpenArchive(made)
    (row,) = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(rules=("R4",))))
    decisions.explain(made, [row.id], "Café já estornado")
    opened.close()
    return made


@pytest.fixture
def opened(workspace: Workspace) -> Iterator[OpenArchive]:
    before = messages._Choice.code
    session = OpenArchive(workspace)
    yield session
    session.close()
    messages._Choice.code = before


@pytest.mark.parametrize(
    ("code", "text", "expected"),
    [
        (code, *pair)
        for code, table in (("pt_BR", PORTUGUESE), ("en", ENGLISH), ("es", SPANISH))
        for pair in table.items()
    ],
)
def test_what_is_typed_finds_what_is_read(opened: OpenArchive, code: str, text: str, expected: str) -> None:
    set_language(code)
    query = FindingQuery(ACCOUNT, FindingFilter(text=text))
    found = queries.findings(opened, query)
    assert " ".join(sorted(row.finding.rule for row in found)) == expected
    assert queries.count(opened, query) == len(found)
    assert sum(group.open + group.explained for group in queries.groups(opened, query)) == len(found)


def test_the_title_of_a_rule_is_looked_through_too(opened: OpenArchive) -> None:
    set_language("pt_BR")
    row = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(rules=("R3",))))[0]
    words = messages.render(row.title)
    assert [one.id for one in queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(text=words)))] == [row.id]


def _rules(opened: OpenArchive, text: str) -> str:
    found = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(text=text)))
    return " ".join(sorted(row.finding.rule for row in found))


def test_kinds_list_and_length_look_through_the_findings_once_for_each_word(opened: OpenArchive) -> None:
    set_language("pt_BR")
    wanted = FindingFilter(text="juros 14,48")
    narrowed = FindingQuery(ACCOUNT, replace(wanted, rules=("R3",), states=("open",)))
    statements: list[str] = []
    with opened.reading() as transaction:
        transaction.connection.driver.set_trace_callback(statements.append)
    (group,) = queries.groups(opened, FindingQuery(ACCOUNT, wanted))
    assert group.rule == "R3"
    assert queries.count(opened, narrowed) == len(queries.findings(opened, narrowed)) == 1
    assert sum("LIKE" in statement for statement in statements) == 2
    set_language("es")
    assert queries.groups(opened, FindingQuery(ACCOUNT, wanted)) == (), "in another language they are other words"


def test_what_is_written_meanwhile_is_found_at_once(workspace: Workspace, opened: OpenArchive) -> None:
    set_language("pt_BR")
    (row,) = queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(rules=("R3",))))
    assert _rules(opened, "conferido juros") == ""
    decisions.note(workspace, [row.id], "Já conferido")
    assert _rules(opened, "conferido juros") == "R3"
    decisions.note(workspace, [row.id], "")
    assert _rules(opened, "conferido juros") == ""
