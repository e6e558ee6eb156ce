"""Lists of documents, what they amount to and what could be chosen are read by these indexes, whatever narrows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from confere.archive.documents import documents
from confere.archive.documents.search import facets, value_indexes
from confere.archive.documents.search.document_query import Group, Lookup
from confere.archive.documents.search.document_search import SORTS, DocumentQuery
from confere.archive.store import Archive
from tests.archive.papers import EMITTER, key, note, store
from tests.archive.query_plans import plans

LIST = "ix_document_list"
WHOLE = (f"SCAN d covering {LIST}",)  # read from one end to the other, without the table
MONTH = (f"SEARCH d covering {LIST} (issued_on>? AND issued_on<?)",)
TABLE = (f"SCAN d {LIST}",)  # its rows are read too
BY_ID = "SEARCH d INTEGER PRIMARY KEY (rowid=?)"
OF_COMPANY = (
    "SEARCH b PRIMARY KEY (tax_id=?)",
    f"SEARCH d covering {LIST} (issued_on=? AND id=? AND is_current=?)",
)
SPELLINGS = ("SEARCH taxpayer covering ix_taxpayer_tax_id (tax_id=?)",) * 3
COMPANY_SIZE = ("SEARCH belonging PRIMARY KEY (tax_id=? AND issued_on>? AND issued_on<?)",)
ALL = ("SEARCH document",)  # the highest number of all
LARGE = (COMPANY_SIZE, ALL, COMPANY_SIZE)  # how many the company has, and whether they are a large part of all
WORDS_SIZE = ("SCAN search VIRTUAL TABLE",)
SPELT = (("SCAN m",), ("SCAN w VIRTUAL TABLE",))  # which words of the index begin so
OURS = (
    "SCAN e covering sqlite_autoindex_establishment_1",
    "SEARCH a INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH t covering ix_taxpayer_tax_id (tax_id=?)",
)
NAMES = "SEARCH n INTEGER PRIMARY KEY (rowid=?)"
ALTERED = (
    "SEARCH v ix_verdict_failed (kind=? AND result=?)",
    "SEARCH x ix_document_content_id (content_id=?)",
    "SEARCH w PRIMARY KEY (content_id=? AND kind=?)",
)
WITH_FINDING = (
    "SCAN k",
    "SEARCH f covering ix_finding_open (account_id=? AND state=?)",
    "SCAN account",
    "SEARCH x covering ix_document_access_key (access_key=?)",
)
GONE = (
    "SCAN h ix_hub_document_gone",
    "SEARCH o ix_hub_document_access_key (access_key=?)",
    "SEARCH x covering ix_document_access_key (access_key=?)",
)
OTHER_RECORDS = (
    "SEARCH x INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH h ix_hub_document_access_key (access_key=?)",
    "SEARCH x INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH w ix_download_content_id (content_id=?)",
    "SEARCH h INTEGER PRIMARY KEY (rowid=?)",
)
_LINKED_PAPER = "SEARCH x covering ix_document_access_key (access_key=?)"
LINKED = (
    "SEARCH l PRIMARY KEY (account_id=? AND order_hub_id=?)",
    _LINKED_PAPER,
    "SEARCH o ix_sales_order_marketplace_id (marketplace_id=?)",
    "SEARCH l PRIMARY KEY (account_id=? AND order_hub_id=?)",
    _LINKED_PAPER,
    "SEARCH o ix_sales_order_partner_id (partner_id=?)",
    "SEARCH l PRIMARY KEY (account_id=? AND order_hub_id=?)",
    _LINKED_PAPER,
)
OF_ORDER = (
    "SEARCH h ix_hub_document_order (account_id=? AND order_id=?)",
    "SEARCH x covering ix_document_access_key (access_key=?)",
    "SEARCH h covering ix_hub_document_order (account_id=? AND order_id=?)",
    "SEARCH w ix_download_hub_document_id (hub_document_id=?)",
    "SEARCH x ix_document_content_id (content_id=?)",
)
OF_ACCOUNT = (
    "SEARCH h ix_hub_document_order (account_id=?)",
    "SEARCH account covering sqlite_autoindex_account_1 (name=?)",
    "SEARCH x covering ix_document_access_key (access_key=?)",
    "SEARCH x ix_document_access_key (access_key=?)",
    "SEARCH w ix_download_content_id (content_id=?)",
    "SEARCH h INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH account covering sqlite_autoindex_account_1 (name=?)",
)
NUMBERED = "SEARCH document ix_document_number (number=?)"
NEARLY_ENDING = ("SEARCH document ix_document_key_end (<expr>>? AND <expr><?)",) * 4
NUMBERS_ENDING = (
    NUMBERED,
    "SCAN ending",
    "SEARCH document covering ix_document_number",
    "SCAN ending",
)
NUMBERED_BESIDE = (
    "SCAN voiding",
    "SEARCH n ix_document_number (number=?)",
    "SEARCH r covering ix_relation_target_key (target_key=?)",
    "SEARCH x ix_document_access_key (access_key=?)",
)
OF_STATES = (
    "SCAN f",
    "SEARCH e INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH r INTEGER PRIMARY KEY (rowid=?)",
    "sort GROUP BY",
)
OF_KIND = "SEARCH document ix_document_type (type=?)"
DAYS = {"from_day": "2026-10-01", "to_day": "2026-10-31"}

# What narrows a list of everybody's documents, and how their ids are found.
FILTERS = {
    "nothing": (DocumentQuery(), WHOLE),
    "month": (DocumentQuery(**DAYS), MONTH),
    "kinds": (DocumentQuery(types=("nfe", "cte")), WHOLE),
    "states": (DocumentQuery(states=("authorized",)), WHOLE),
    "kinds and states of a month": (DocumentQuery(types=("nfe",), states=("authorized",), **DAYS), MONTH),
    "operations": (DocumentQuery(operations=("sale",)), WHOLE),
    "direction": (DocumentQuery(direction="in"), (*WHOLE, *OURS * 3)),
    "marketplaces": (DocumentQuery(marketplaces=("Vitrine",)), (*WHOLE, *OTHER_RECORDS)),
    "subtype": (DocumentQuery(subtype="sale"), (*TABLE, *OTHER_RECORDS)),
    "order": (DocumentQuery(order_id="900"), (BY_ID, *OF_ORDER, *LINKED)),
    "account": (DocumentQuery(account="shop"), (BY_ID, *OF_ACCOUNT)),
    "account and marketplace": (DocumentQuery(account="shop", marketplaces=("Vitrine",)), (BY_ID, *OF_ACCOUNT)),
    "number": (DocumentQuery(number=5), ("SEARCH d ix_document_number (number=?)",)),
    "series": (DocumentQuery(series=1), TABLE),
    "key": (DocumentQuery(access_key=key(1)), ("SEARCH d ix_document_access_key (access_key=?)",)),
    "CFOP": (DocumentQuery(cfop="5102"), TABLE),
    "NCM": (DocumentQuery(ncm="6911"), (BY_ID, "SCAN item")),
    "item": (
        DocumentQuery(item_words="caneca azul"),
        (BY_ID, "SCAN search VIRTUAL TABLE", "SEARCH i PRIMARY KEY (document_id=?)"),
    ),
    "state of Brazil": (DocumentQuery(uf="SP"), (*WHOLE, "SCAN taxpayer", "SCAN taxpayer", "SCAN voiding")),
    "emitter": (DocumentQuery(emitter=EMITTER), WHOLE),
    "emitter's root": (DocumentQuery(emitter=EMITTER[:8]), WHOLE),
    "recipient's name": (DocumentQuery(recipient="Maria"), WHOLE),
    "total": (DocumentQuery(total_from=1, total_to=2), WHOLE),
    "no warnings": (DocumentQuery(with_warnings=False), WHOLE),
    "findings": (DocumentQuery(with_findings=True), (BY_ID, *WITH_FINDING)),
    "no findings": (DocumentQuery(with_findings=False), (*WHOLE, *WITH_FINDING)),
    "gone": (DocumentQuery(gone=True), (BY_ID, *GONE)),
    "listed": (DocumentQuery(gone=False), (*WHOLE, *GONE)),
    "verdicts": (DocumentQuery(verdict=("failed", "none")), WHOLE),
    "altered": (DocumentQuery(verdict=("altered",)), (BY_ID, *ALTERED)),
    "altered or not": (DocumentQuery(verdict=("ok", "none", "altered")), (*WHOLE, *ALTERED)),
    "environment": (DocumentQuery(environment="1"), TABLE),
    "purposes": (DocumentQuery(purposes=("1",)), TABLE),
    "credit types": (DocumentQuery(credit_types=("03",)), ("SEARCH d ix_document_credit_type (credit_type=?)",)),
    "debit types": (DocumentQuery(debit_types=("06",)), ("SEARCH d ix_document_debit_type (debit_type=?)",)),
    "words": (DocumentQuery(matching=Lookup("words", "caneca azul")), (BY_ID, "SCAN search VIRTUAL TABLE")),
    "a typed key": (
        DocumentQuery(matching=Lookup("key", key(1))),
        (BY_ID, "SEARCH document covering ix_document_access_key (access_key=?)"),
    ),
    "the end of a key": (
        DocumentQuery(matching=Lookup("key_part", key(1)[-12:])),
        (
            BY_ID,
            "SEARCH document ix_document_key_end (<expr>=?)",
            NUMBERED,
            *NEARLY_ENDING,
            *NUMBERS_ENDING * 2,
        ),
    ),
    "the beginning of a key": (
        DocumentQuery(matching=Lookup("key_part", key(1)[:20])),
        (
            BY_ID,
            "SEARCH document covering ix_document_access_key (access_key>? AND access_key<?)",
            "SEARCH document ix_document_key_end (<expr>=?)",
            NUMBERED,
            *NEARLY_ENDING,
        ),
    ),
    "a series and number": (
        DocumentQuery(matching=Lookup("numbered", "5", 1)),
        (BY_ID, NUMBERED, *NUMBERED_BESIDE),
    ),
    "a protocol": (
        DocumentQuery(matching=Lookup("number", "135260000000001")),
        (
            BY_ID,
            *(step.replace("order_id=?", "order_id>? AND order_id<?") for step in OF_ORDER),
            *LINKED,
            "SEARCH document covering ix_document_protocol (protocol=?)",
            "SEARCH v ix_event_protocol (protocol=?)",
            "SEARCH x covering ix_document_access_key (access_key=?)",
            "SCAN voiding",
            "SEARCH document ix_document_key_end (<expr>=?)",
            NUMBERED,
            *NEARLY_ENDING,
            *WORDS_SIZE,
        ),
    ),
    "a typed number": (
        DocumentQuery(matching=Lookup("number", "900")),
        (
            BY_ID,
            "SEARCH document covering ix_document_number (number=?)",
            *NUMBERED_BESIDE,
            *OF_ORDER,
            *LINKED,
            *WORDS_SIZE,
        ),
    ),
}

# Who is meant by a party's name or number is looked up before.
MEANT = {
    EMITTER: SPELLINGS[:1],
    EMITTER[:8]: ("SEARCH taxpayer covering ix_taxpayer_tax_id (tax_id>? AND tax_id<?)",),
    "Maria": ("SCAN taxpayer covering ix_taxpayer_name",),
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    with Archive.to_write(tmp_path_factory.mktemp("plans") / "a.sqlite3", "test") as opened:
        store(opened, note(1), note(2, day="2026-11-05"))
        yield opened


@pytest.fixture
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is so rare that it is looked up in the index of its values."""
    monkeypatch.setattr(value_indexes, "picking", lambda *_: None)


def steps_of_ids(archive: Archive, query: DocumentQuery) -> tuple[tuple[str, ...], ...]:
    with archive.reading() as transaction:
        return _without_spelling(plans(transaction, lambda transaction: documents.ids(transaction, query)))


def steps_of_first(archive: Archive, query: DocumentQuery) -> tuple[str, ...]:
    """The steps that find the first rows, without those that read them."""
    with archive.reading() as transaction:
        return plans(transaction, lambda transaction: documents.page(transaction, query, 60))[-2]


def _without_spelling(found: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(steps for steps in found if steps not in SPELT)


def _without_limits(found: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """Without the questions how large a sum can be: the lowest and the highest total, and the last number."""
    return tuple(steps for steps in _without_spelling(found) if "ix_document_total" not in steps[0] or len(steps) < 3)


def sorting(sort: str) -> str:
    return "sort RIGHT PART OF ORDER BY" if sort == "issued" else "sort ORDER BY"


def _asked_before(query: DocumentQuery, steps: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """How many a search finds, and how many a finding names."""
    before = (steps[1:],) if query.with_findings or query.matching is not None else ()
    return before + tuple((step,) for step in MEANT.get(query.emitter or query.recipient or "", ()))


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("name", FILTERS)
def test_ids_are_found_by_an_index(archive: Archive, name: str) -> None:
    query, steps = FILTERS[name]
    asked_before = _asked_before(query, steps)
    along = LIST in steps[0]
    assert steps_of_ids(archive, query) == (*asked_before, (*steps, sorting("issued" if along else "other")))


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("name", FILTERS)
def test_counts_and_sums_are_read_by_the_same_index(archive: Archive, name: str) -> None:
    query, steps = FILTERS[name]
    asked_before = _asked_before(query, steps)
    with archive.reading() as transaction:
        found = plans(transaction, lambda transaction: documents.summary(transaction, query))
        assert _without_limits(found) == (*asked_before, steps)
        found = plans(transaction, lambda transaction: documents.totals(transaction, query))
        # In one pass, but that the index of states has what is void of all.
        void = (("SEARCH d ix_document_state (state=?)",),) if query == DocumentQuery() else ()
        assert _without_limits(found) == (*asked_before, steps, *void)


@pytest.mark.parametrize("descending", [True, False])
@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("name", ["nothing", "month", "kinds", "kinds and states of a month", "operations", "words"])
def test_every_order_reads_the_index_that_its_filters_read(
    archive: Archive, name: str, sort: str, descending: bool
) -> None:
    query, steps = FILTERS[name]
    if name == "nothing" and sort in ("total", "order"):
        query = replace(query, types=("nfe", "cte"))  # of all they are read along their own index
    names = {"counterparty": (NAMES, *OURS), "emitter": (NAMES,), "recipient": (NAMES,)}.get(sort, ())
    found = steps_of_ids(archive, replace(query, sort=sort, descending=descending))[-1]
    assert Counter(step for step in found if not step.startswith("sort")) == Counter((*steps, *names))
    # Where the filters leave one value of what is ordered by, the index has the order already.
    assert [step for step in found if step.startswith("sort")] in ([sorting(sort)], ["sort ORDER BY"], [])
    if name == "nothing":
        assert found[-1] == sorting(sort)


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("large", [False, True])
def test_documents_of_a_company_are_read_along_its_tree_or_along_the_list(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, sort: str, large: bool
) -> None:
    monkeypatch.setattr(documents, "_MANY", 1 if large else 4000)
    monkeypatch.setattr(documents, "_LARGE_PART", 100)
    steps = WHOLE if large else OF_COMPANY
    asked_before = (*LARGE, SPELLINGS[:1]) if large else (COMPANY_SIZE,)
    names = {"counterparty": (NAMES, SPELLINGS[0]), "emitter": (NAMES,), "recipient": (NAMES,)}.get(sort, ())
    found = steps_of_ids(archive, DocumentQuery(company=EMITTER, sort=sort))
    assert found == (*asked_before, (*steps, *names, sorting(sort)))


@pytest.mark.parametrize(
    ("query", "large", "steps"),
    [
        (DocumentQuery(company=EMITTER, **DAYS), False, (COMPANY_SIZE[0].replace("belonging", "b"), OF_COMPANY[1])),
        (DocumentQuery(company=EMITTER, **DAYS), True, MONTH),
        (DocumentQuery(company=EMITTER, direction="in"), False, OF_COMPANY),
        (DocumentQuery(company=EMITTER, direction="in"), True, (*WHOLE, *SPELLINGS)),
        (DocumentQuery(company=EMITTER, states=("authorized",)), False, OF_COMPANY),
        (DocumentQuery(company=EMITTER, order_id="900"), True, (BY_ID, *OF_ORDER, *LINKED)),
    ],
)
def test_filters_of_a_companys_list_read_it_the_same_way(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, query: DocumentQuery, large: bool, steps: tuple[str, ...]
) -> None:
    monkeypatch.setattr(documents, "_MANY", 1 if large else 4000)
    monkeypatch.setattr(documents, "_LARGE_PART", 100)
    found = steps_of_ids(archive, query)[-1]
    assert found[:-1] == steps


def test_a_frequent_word_is_looked_up_while_the_list_is_read(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_MANY", 1)
    found = steps_of_ids(archive, DocumentQuery(matching=Lookup("words", "caneca")))
    assert found == (WORDS_SIZE, (*WHOLE, *WORDS_SIZE, sorting("issued")))


def test_a_companys_documents_are_not_tried_for_a_beginning_of_keys(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another company's keys begin so: of this one's documents perhaps none does, and all would be tried."""
    monkeypatch.setattr(documents, "_MANY", 1)
    monkeypatch.setattr(documents, "_KEYS_PART", 1)
    query = DocumentQuery(company=EMITTER, matching=Lookup("key_part", key(1)[:36]))
    assert steps_of_first(archive, query)[0] == BY_ID
    assert steps_of_ids(archive, query)[-1][0] == BY_ID
    assert steps_of_ids(archive, replace(query, **DAYS))[-1][0] == MONTH[0]  # which is little to read
    monkeypatch.setattr(documents, "_KEYS_PART", 2)
    assert steps_of_ids(archive, query)[-1][0] == WHOLE[0]


@pytest.mark.parametrize(
    ("sort", "steps"),
    [
        ("total", ("SEARCH document ix_document_total (total>?)", "SEARCH document ix_document_total (total=?)")),
        ("order", ("SEARCH document ix_document_order (hub_order_id>?)", f"SCAN document {LIST}")),
    ],
)
def test_all_documents_are_read_along_the_index_of_their_order(
    archive: Archive, sort: str, steps: tuple[str, ...]
) -> None:
    with_value, without = steps_of_ids(archive, DocumentQuery(sort=sort))
    assert len(with_value) == 1
    assert tuple(step.replace(" covering", "") for step in (with_value[0], without[0])) == steps


@pytest.mark.parametrize(
    "unwanted", [Lookup("words", "azul"), Group("or", (Lookup("words", "azul"), Lookup("words", "verde")))]
)
def test_words_and_those_not_wanted_are_asked_for_at_once(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, unwanted: Lookup | Group
) -> None:
    matching = Group("and", (Lookup("words", "caneca"), Group("not", (unwanted,))))
    assert steps_of_ids(archive, DocumentQuery(matching=matching))[-1][:-1] == (BY_ID, *WORDS_SIZE)
    monkeypatch.setattr(documents, "_MANY", 0)
    assert steps_of_ids(archive, DocumentQuery(matching=matching))[-1][:-1] == (*WHOLE, *WORDS_SIZE)


def test_the_first_with_a_frequent_word_are_found_along_the_companys_tree(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "_MANY", 1)
    query = DocumentQuery(company=EMITTER, matching=Lookup("words", "caneca"))
    assert steps_of_first(archive, query) == (OF_COMPANY[0], *WORDS_SIZE, OF_COMPANY[1], sorting("issued"))
    assert steps_of_first(archive, replace(query, sort="type")) == (*WHOLE, *WORDS_SIZE)  # by day within a value
    assert steps_of_ids(archive, query)[-1] == (*WHOLE, *WORDS_SIZE, sorting("issued"))


def test_the_first_with_a_frequent_item_are_found_along_the_list(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "_MANY", 1)
    query, item = DocumentQuery(item_words="caneca azul"), "SEARCH i PRIMARY KEY (document_id=?)"
    assert steps_of_first(archive, query) == (*WHOLE, *WORDS_SIZE, item, sorting("issued"))
    assert steps_of_ids(archive, query)[-1] == (BY_ID, *WORDS_SIZE, item, sorting("other"))
    assert steps_of_ids(archive, replace(query, **DAYS))[-1] == (*MONTH, *WORDS_SIZE, item, sorting("issued"))


@pytest.mark.parametrize(
    ("query", "index"),
    [
        (DocumentQuery(with_warnings=True), "warnings (warning_count>?)"),
        (DocumentQuery(types=("cte", "voiding")), "type (type=?)"),
        (DocumentQuery(states=("cancelled",), operations=("sale",)), "state (state=?)"),
        (DocumentQuery(states=("authorized",), operations=("devolution",)), "operation (operation=?)"),
        (DocumentQuery(verdict=("failed",)), "verdict (verdict=?)"),
        (DocumentQuery(company=EMITTER, grounds=("other_document",)), "ground (state_ground=?)"),
    ],
)
def test_what_few_documents_have_is_looked_up(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, query: DocumentQuery, index: str
) -> None:
    (*_, steps) = steps_of_ids(archive, replace(query, company=None))
    assert [step.replace(" covering", "") for step in steps[:2]] == [BY_ID, f"SEARCH document ix_document_{index}"]
    if query.company is not None:  # one with few documents is walked along instead
        assert steps_of_ids(archive, query)[-1][:2] == OF_COMPANY
        monkeypatch.setattr(documents, "_MANY", 1)
        assert steps_of_ids(archive, query)[-1][0] == BY_ID


def test_a_number_picks_and_words_are_tried_on_what_it_picked(archive: Archive) -> None:
    both = Group("and", (Lookup("words", "caneca"), Lookup("numbered", "5")))
    number = ("SEARCH document covering ix_document_number (number=?)", *NUMBERED_BESIDE)
    assert steps_of_ids(archive, DocumentQuery(matching=both)) == (
        number,
        (BY_ID, *number, *WORDS_SIZE, *number, sorting("other")),
    )


def test_many_findings_are_looked_for_while_the_list_is_read(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "_MANY", 0)
    (*_, steps) = steps_of_ids(archive, DocumentQuery(with_findings=True))
    assert steps[0] == f"SCAN d {LIST}"
    assert steps[1] == "SEARCH k PRIMARY KEY (access_key=?)"


def test_rows_are_read_by_their_numbers(archive: Archive) -> None:
    row = (
        *(f"SEARCH {table} INTEGER PRIMARY KEY (rowid=?)" for table in "dcaer"),
        "SEARCH v ix_verdict_failed (kind=? AND result=? AND content_id=?)",
        "SEARCH w PRIMARY KEY (content_id=? AND kind=?)",
        "SEARCH h ix_hub_document_access_key (access_key=?)",
    )
    with archive.reading() as transaction:
        assert plans(transaction, lambda transaction: documents.by_ids(transaction, [1, 2])) == (row,)
        found = plans(transaction, lambda transaction: documents.page(transaction, DocumentQuery(), 50))
        assert found == ((*WHOLE, sorting("issued")), row)
        assert plans(transaction, lambda transaction: documents.totals_of(transaction, [1])) == ((BY_ID,), (BY_ID,))
        found = plans(transaction, lambda transaction: documents.mentioning(transaction, "word"))
        assert found == (("SEARCH document INTEGER PRIMARY KEY (rowid=?)", "SCAN search VIRTUAL TABLE"),)


@pytest.mark.parametrize(
    ("query", "steps", "voidings"),
    [
        (DocumentQuery(from_day=""), (MONTH[0].replace(" AND issued_on<?", ""),), (BY_ID, OF_KIND)),
        (DocumentQuery(**DAYS), MONTH, MONTH),
        (
            DocumentQuery(company=EMITTER),
            OF_COMPANY,
            (OF_COMPANY[0], OF_COMPANY[1].replace("is_current=?", "is_current=? AND type=?")),
        ),
    ],
)
def test_what_could_be_chosen_is_read_by_the_same_index(
    archive: Archive, query: DocumentQuery, steps: tuple[str, ...], voidings: tuple[str, ...]
) -> None:
    asked_before = (COMPANY_SIZE,) if query.company else ()
    kinds_size = ((OF_KIND,),) if OF_KIND in voidings else ()
    with archive.reading() as transaction:
        found = plans(transaction, lambda transaction: facets.choices(transaction, query))
    assert found == (
        *asked_before,
        (*steps, *ALTERED, "sort DISTINCT"),
        (*steps, *ALTERED),
        *asked_before,
        (*steps, "sort GROUP BY", *OF_STATES),
        *asked_before,
        *kinds_size,
        ("SEARCH v INTEGER PRIMARY KEY (rowid=?)", *voidings, "sort GROUP BY"),
    )


def test_what_could_be_chosen_among_all_is_read_by_the_indexes_of_its_values(archive: Archive) -> None:
    with archive.reading() as transaction:
        found = plans(transaction, lambda transaction: facets.choices(transaction, DocumentQuery()))
    read = [step.replace(" covering", "").replace("SEARCH", "SCAN") for steps in found for step in steps]
    for name in ("type", "state", "operation", "marketplace", "verdict", "ground"):
        assert any(step.startswith(f"SCAN document ix_document_{name}") for step in read)
    assert any("SCAN d ix_document_emitter (emitter_id>?)" in step for step in read)
    assert not any("sort DISTINCT" in steps for steps in found)
    assert sum(steps == WHOLE for steps in found) == 1  # what most have is counted at once


def test_choices_among_all_are_those_of_a_filter_that_all_meet(archive: Archive) -> None:
    with archive.reading() as transaction:
        assert facets.choices(transaction, DocumentQuery()) == facets.choices(transaction, DocumentQuery(from_day=""))


def test_months_are_read_by_the_list_and_a_companys_tree(archive: Archive) -> None:
    with archive.reading() as transaction:
        found = plans(transaction, lambda transaction: facets.months(transaction, None))
        assert found == ((f"SEARCH document covering {LIST} (issued_on>?)", "sort GROUP BY"),)
        found = plans(transaction, lambda transaction: facets.months(transaction, EMITTER))
        assert found == (("SEARCH belonging PRIMARY KEY (tax_id=? AND issued_on>?)", "sort GROUP BY"),)
