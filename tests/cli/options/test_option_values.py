"""What options take for values: each word means one code, in every language, and codes stay what scripts write."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from confere.app.accounts import hub_calls
from confere.app.documents import browse
from confere.app.labels.reconciliation_labels import SEVERITIES
from confere.app.orders import order_moves, orders
from confere.app.overview.client_choice import ClientFlag, ClientSort
from confere.app.packages import accounting_systems, export
from confere.app.sandbox import world_words
from confere.cli.commands.closing import clients
from confere.cli.commands.documents import export as export_command
from confere.cli.commands.documents import list_
from confere.cli.options import option_values, option_words, typed_values
from confere.cli.options.option_words import Words
from confere.errors import UsageFault
from confere.sales.bridge import BridgeCode
from confere.sales.hub_feeds import HubFeed
from confere.sales.order import STATUS_MEANING_WORDS, STATUS_MEANINGS, OrderStatus
from confere.system.messages import set_language
from confere.system.schedulers.schedule import Rhythm
from sandbox_hub.faults.plan import Fault
from sandbox_hub.shapes.names import Shape

TAKEN: dict[str, tuple[tuple[str, ...], Words]] = {
    "--fail-on": (option_values.FAIL_ON_CODES, option_values.FAIL_ON),
    "verify --fail-on": (("altered", "failed", "unchecked"), option_words.of_field("verdict")),
    "list --sort": (browse.SORTS, option_values.DOCUMENT_SORTS),
    "clients --only": (tuple(ClientFlag), option_values.CLIENT_FLAGS),
    "clients --sort": (tuple(ClientSort), option_values.CLIENT_SORTS),
    "export --profile": (export.PROFILES, option_values.PACKAGE_PROFILES),
    "export --as": (tuple(export.Form), option_values.PACKAGE_FORMS),
    "export --events": (tuple(export.Events), option_values.EVENT_FOLDERS),
    "orders move --to": (order_moves.KINDS, option_values.ORDER_MOVES),
    "schedule install --every": (tuple(Rhythm), option_values.RHYTHMS),
    "sandbox --environment": (typed_values.SERVED, option_values.ENVIRONMENTS),
    "sandbox --retry-after": (typed_values.RETRY_AFTER, option_values.RETRY_AFTER),
    "bridge --line": (tuple(BridgeCode), option_values.BRIDGE_LINES),
    "feeds read --feed": (tuple(HubFeed), option_values.FEEDS),
    "hub operations --api": (tuple(hub_calls.ContractApi), option_values.HUB_APIS),
    "orders import --status": (tuple(STATUS_MEANINGS), option_words.of_labels(STATUS_MEANING_WORDS)),
    "orders import --map": (orders.FIELDS, option_words.of_labels(orders.FIELD_WORDS)),
    "sandbox --faults": (("all", *Fault), option_words.of_words(*world_words.FAULTS)),
    "sandbox --anomalies": (("none", "all"), option_words.of_words(*world_words.ALL_OR_NONE)),
    "sandbox --shape": (tuple(Shape), option_words.of_words(*world_words.SHAPES)),
    "findings list --severity": (tuple(SEVERITIES), option_words.of_labels(SEVERITIES)),
}
BOTH = pytest.mark.parametrize("option", TAKEN)


@BOTH
@pytest.mark.parametrize("language", ["pt_BR", "en", "es"])
def test_what_help_names_is_taken_in_every_language(option: str, language: str) -> None:
    set_language(language)
    codes, words = TAKEN[option]
    shown = option_words.listed(codes, words).split(", ")
    assert len(set(shown)) == len(codes)
    set_language("en")  # who has learnt them in another language goes on with them
    assert [typed_values.choice(option, word, codes, words) for word in shown] == list(codes)
    assert [typed_values.choice(option, code.upper(), codes, words) for code in codes] == list(codes)


@BOTH
def test_no_word_means_two_of_them(option: str) -> None:
    codes, words = TAKEN[option]
    meanings: dict[str, set[str]] = {}
    for code in codes:
        for word in (code, *words(code)):
            meanings.setdefault(option_words.comparable(word), set()).add(code)
    assert {word: found for word, found in meanings.items() if len(found) > 1} == {}


@BOTH
def test_every_code_has_its_words(option: str) -> None:
    """All of them but formats and proper names say something else in Portuguese than in English."""
    codes, words = TAKEN[option]
    set_language("pt_BR")
    same = {code for code in codes if option_words.comparable(words(code)[0]) == option_words.comparable(code)}
    assert same <= {"zip", "html", "sandbox", "marketplace", "ipi_icms_st"}


def test_a_refusal_names_what_there_is_in_the_language_in_use() -> None:
    set_language("pt_BR")
    with pytest.raises(UsageFault) as refused:
        typed_values.choice("--fail-on", "tudo", *TAKEN["--fail-on"])
    assert "alta, qualquer, nunca" in str(refused.value.remedy.params if refused.value.remedy else "")


def test_lists_that_help_names_without_loading_their_owners_are_whole() -> None:
    assert sorted(list_._SORTS) == sorted(browse.SORTS)
    assert tuple(ClientSort) == clients._SORTS
    assert export_command._PROFILES == export.PROFILES


@pytest.mark.parametrize("language", ["pt_BR", "es"])
def test_lists_take_the_words_that_the_window_shows(language: str) -> None:
    set_language(language)
    paid, fields = option_words.of_labels(STATUS_MEANING_WORDS)("paid")[0], option_words.of_labels(orders.FIELD_WORDS)
    told = f"Pago={option_words.comparable(paid)}"
    assert orders.parse_statuses([told]) == {"Pago": OrderStatus.PAID_WAITING_SHIP.value}
    columns = [f"Coluna {field}={option_words.shown(field, fields)}" for field in orders.FIELDS]
    assert orders.parse_mapping(columns) == {f"Coluna {field}": field for field in orders.FIELDS}
    with pytest.raises(UsageFault) as refused:
        orders.parse_mapping(["Valor=valr"])
    assert "buyer_tax_id" not in str(refused.value.remedy)


def test_the_worlds_words_are_the_sandboxs_own() -> None:
    set_language("pt_BR")
    assert world_words.faults("Limite429, erro5xx=0.1,sem-id") == "rate429,error5xx=0.1,no-id"
    assert world_words.anomalies("nenhuma") == "none"
    assert world_words.anomalies("R1=0.02,R12") == "R1=0.02,R12"
    assert world_words.shapes(["página-desde-1,arquivo-gzip"]) == "page-base-1,gzip-file"
    assert world_words.clean_months("02/2026,2026-06") == "2026-02,2026-06"
    assert accounting_systems.named("Padrão").name == accounting_systems.STANDARD


@pytest.mark.parametrize(
    "ask",
    [
        lambda: world_words.faults("lerdo"),
        lambda: world_words.faults("lento=2"),
        lambda: world_words.anomalies("R99"),
        lambda: world_words.anomalies("R1=0"),
        lambda: world_words.shapes(["redondo"]),
        lambda: world_words.shapes(["lista-completa,lista-sem-ids"]),
        lambda: world_words.clean_months("2026-13"),
        lambda: world_words.clock("2026-11-01T08:00:00"),
    ],
)
def test_a_world_that_makes_no_sense_is_refused_before_it_starts(ask: Callable[[], object]) -> None:
    with pytest.raises(UsageFault):
        ask()
