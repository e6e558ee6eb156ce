"""Whatever a paper claims to be called, its file stays within the package and has a name of its own there."""

from __future__ import annotations

import zipfile
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.archive.documents.export_queries import DocumentSheet, EventSheet
from confere.export.months import month_of
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.name_templates import Templates
from confere.export.package.paper_names import Naming, kind_of, lot_name
from confere.fiscal.model import Voiding
from confere.system.files.safe_names import segment
from tests.export.made import COMPANY, MONTH

TEXT = st.text(max_size=80) | st.sampled_from(["../../x", "..", "/etc/passwd", "C:\\x", "nul", "\x00", "é" * 90, ""])
KEY = st.from_regex(r"[0-9]{6}[A-Z0-9]{12}[0-9]{26}", fullmatch=True)
NUMBER = st.none() | st.integers(-1, 10**12)
TYPE = st.sampled_from(["nfe", "nfce", "cte", "cteos", "mdfe", "voiding"])
MODEL = st.none() | st.sampled_from(["55", "65", "57", "67", "58"]) | TEXT
DIRECTION = st.sampled_from(["in", "out"])

DOCUMENT = st.builds(
    DocumentSheet, id=st.just(1), content_id=st.just(1), digest=st.binary(min_size=32, max_size=32), size=st.just(9),
    type=TYPE, access_key=st.none() | TEXT, model=MODEL, series=NUMBER, number=NUMBER, issued_at=st.none() | TEXT,
    issued_on=TEXT, emitter_tax_id=st.none() | TEXT, recipient_tax_id=st.none() | TEXT, state=TEXT,
    cstat=st.none() | TEXT, direction=DIRECTION, documents_in_file=st.just(1), events_in_file=st.just(0),
    verdict=st.none(),
)  # fmt: skip
EVENT = st.builds(
    EventSheet, id=st.just(1), content_id=st.just(1), digest=st.binary(min_size=32, max_size=32), size=st.just(9),
    access_key=TEXT, code=st.none() | TEXT, sequence=NUMBER, occurred_at=st.none() | TEXT, registered=st.integers(0, 1),
    type=TYPE, model=MODEL, state=TEXT, issued_on=TEXT, direction=DIRECTION, documents_in_file=st.just(0),
    events_in_file=st.just(1), verdict=st.none(),
)  # fmt: skip
VOIDED = st.none() | st.builds(
    Voiding, uf_code=TEXT, year=TEXT, emitter=TEXT, model=MODEL, series=NUMBER, first=NUMBER, last=NUMBER,
    reason=TEXT, cstat=TEXT, protocol=TEXT, registered_at=TEXT, environment=TEXT,
)  # fmt: skip


def naming(profile: Profile = Profile.BOTH) -> Naming:
    folder = "{company}/{month}/{kind}/{direction}/{type}/{model}/{state}"
    document = "{key}{series}{number:09}{day}{emitter}{recipient}{ending}.xml"
    return Naming(COMPANY, month_of(MONTH), profile, Templates(folder=folder, document=document))


@given(DOCUMENT, EVENT, VOIDED, st.booleans())
def test_no_claim_leads_out_of_the_package(
    sheet: DocumentSheet, event: EventSheet, voided: Voiding | None, registered: bool
) -> None:
    names = naming()
    for paper, kind, name in (
        (sheet, kind_of(sheet), names.document(sheet)),
        (sheet, kind_of(sheet), names.voiding(sheet, voided, registered)),
        (event, "event", names.event(event)),
    ):
        path = names.folder(paper, kind) + name
        parts = PurePosixPath(path).parts
        assert len(parts) == 9 and parts[0] in ("authorized", "cancelled") and parts[1] == COMPANY
        assert all(segment(part) == part for part in parts)
        assert name.endswith(".xml")
        assert zipfile.ZipInfo(path).filename == path, "the reader of ZIPs would see another path"


@given(DOCUMENT, KEY, KEY)
def test_each_key_has_a_name_of_its_own(sheet: DocumentSheet, one: str, two: str) -> None:
    standard = Naming(COMPANY, month_of(MONTH), Profile.WITH_CANCELLATIONS, Templates())
    names = [standard.document(sheet._replace(access_key=key)) for key in (one, two)]
    assert (names[0] == names[1]) is (one == two)
    assert names[0].startswith(f"{one}-")


PLAIN = ("{key}-{ending}.xml", "{state}-{key}.xml", "{key}{key:020}-{model}.xml", "{model}.xml", "con.{key}.xml")


@given(DOCUMENT, st.lists(KEY | st.from_regex(r"[A-Za-z0-9]{1,60}", fullmatch=True) | TEXT, min_size=1, max_size=5))
@pytest.mark.parametrize("template", PLAIN)
def test_a_name_is_what_its_template_gives(template: str, sheet: DocumentSheet, keys: list[str]) -> None:
    names = Naming(COMPANY, month_of(MONTH), Profile.BOTH, Templates(document=template))
    for key in keys:  # the second of a kind is named by what the first has shown
        named = sheet._replace(access_key=key)
        assert names.document(named) == segment(names.raw(named)[-1])


@pytest.mark.parametrize(
    ("sources", "name"),
    [
        (("hub:loja/1",), "lot-" + "a" * 16 + ".xml"),
        ((), "lot-" + "a" * 16 + ".xml"),
        (("hub:loja/1", "c:\\notas\\lote.xml"), "lote.xml"),
        (("a.zip/b/Lote 1.XML",), "Lote 1.XML"),
        (("lote.txt",), "lote.txt.xml"),
        (("../..",), "__.xml"),
    ],
)
def test_a_lot_keeps_the_name_it_came_with(sources: tuple[str, ...], name: str) -> None:
    assert lot_name(sources, "a" * 64) == name
