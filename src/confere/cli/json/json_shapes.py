"""The JSON that scripts rely on: money as decimal strings, tax ids and times as they are kept, nothing masked."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from confere.cli.json import declaration_json, document_json
from confere.cli.json.encoder import Shape, each_of, fields_of, months
from confere.system.formatting import decimal_string
from confere.system.messages import render

if TYPE_CHECKING:
    from confere.app.accounts.account_status import AccountStanding
    from confere.app.accounts.accounts import Account, Preferences, Tested
    from confere.app.accounts.feeds import FeedResult
    from confere.app.accounts.hub_traits import ContractView, HubTrait
    from confere.app.accounts.sync import SyncResult
    from confere.app.authenticity.untrusted_events import NotBelieved
    from confere.app.documents.browse import DocumentPage, UnreadableFile
    from confere.app.documents.import_files import ImportResult
    from confere.app.documents.unread_records import RawRecord, UnreadRecord
    from confere.app.maintenance.doctor import Examination
    from confere.app.overview.token_standing import TokenStanding
    from confere.app.packages.accounting_systems import AccountingSystem
    from confere.app.packages.export import PackageResult, Undeclared
    from confere.app.packages.file_names import Placeholder
    from confere.app.sandbox.demo import DemoResult

_PACKAGE = (
    *("company=contents.company", "month=contents.month", "path", "documents=contents.documents"),
    *("events=contents.events", "xml=contents.xml", "left_out=contents.left_out", "bytes", "paths=contents.paths"),
    *("earlier_events=contents.earlier_events", "manifest=manifests", "verdicts=contents.verdicts", "identical"),
)
_UNREAD = ("account", "name", "access_key", "hub_id", "problem")


def sync(result: SyncResult) -> Shape:
    failures = _failures(result)
    if result.orders is not None:
        of_orders = each_of(result.orders.failures, "item_id=order_id", "reason")
        failures += [failure | {"account": False, "order": True} for failure in of_orders]
    if result.feeds is not None:
        for feed in result.feeds.feeds:
            failures += [failure | {"account": False, "order": False} for failure in feed_failures(feed)]
    return {"sync": figures_of(result), "failures": failures, "stopped": result.stopped}


def feed_failures(result: FeedResult) -> list[Shape]:
    """What did not come of a feed; `item_id` is the hub's id of the record."""
    return [failure | {"feed": result.feed} for failure in each_of(result.lost, "item_id=name", "reason")]


def figures_of(result: SyncResult) -> Shape:
    """The figures of a sync: `listed` counts documents, `downloaded` and `already` XML files, times in seconds.

    `shortfalls` are lists that stand as short of what the hub has, from this sync or an earlier one; `orders` has the
    figures of the orders, None where none were asked for, `feeds` those of the other feeds. `conservation` is of all
    that the account's hub ever listed: what is not archived, waiting or refused with a reason is lost.
    """
    return {
        **result.counts(),
        "shortfalls": [shortfall.figures for shortfall in result.shortfalls],
        "orders": None if result.orders is None else result.orders.counts(),
        "feeds": None if result.feeds is None else result.feeds.counts()["feeds"],
        "conservation": fields_of(result.conservation, "listed", "archived", "waiting", "refused", "lost"),
    }


def demo(result: DemoResult) -> Shape:
    return {
        "sync": figures_of(result.sync),
        "packages": [package(each) for each in result.packages],
        "account": result.account,
        "month": result.month,
        "verified": result.verified.counts() if result.verified is not None else None,
        "failures": _failures(result.sync),
        "stopped": result.sync.stopped,
        "catalog": result.catalog.counts() if result.catalog is not None else None,
    }


def package(result: PackageResult) -> Shape:
    shape = fields_of(result, *_PACKAGE, "not_authentic=contents.not_authentic")
    pdfs = [
        fields_of(each, "path", "documents") | {"not_drawn": each_of(each.not_drawn, "name", "why")}
        for each in result.pdfs
    ]
    missing = [lack.what for lack in result.contents.missing]
    return shape | {"manifest": result.manifests[0], "missing": missing, "pdfs": pdfs}


def exported(packages: Iterable[PackageResult], undeclared: Iterable[Undeclared]) -> Shape:
    """`undeclared`: who issued documents of the month that are in no package, as no account names the company."""
    shapes = [package(each) for each in packages]
    return {"packages": shapes, "undeclared": each_of(undeclared, "tax_id", "name", "documents")}


def layouts(systems: Iterable[AccountingSystem], placeholders: Iterable[Placeholder]) -> Shape:
    """Accounting systems with what is known of each, and what a template may have in braces."""
    return {
        "systems": [
            {
                **fields_of(system, "name", "title", "profile", "form", "events", "folder", "document"),
                "facts": each_of(system.facts, "text", "confidence", "source"),
            }
            for system in systems
        ],
        "placeholders": each_of(placeholders, "name", "meaning", "in_folders", "example"),
    }


def imported(result: ImportResult) -> Shape:
    return {
        **result.counts(),
        "authorities": result.authorities,
        "tried_again": result.tried_again,
        "stopped": result.stopped,
        "problems": each_of(result.problems, "source", "reason"),
        **declaration_json.declared(result.declared, result.not_declared),
    }


def account(named: Account, wanted: Preferences) -> Shape:
    """An account without what was learned of its hub: an embedded one's token is among that."""
    terms = ("tolerance", "high_from", "invoice_after_hours", "freight_after_days", "standing_days", "freight_by_cte")
    return {
        **fields_of(named, "name", "environment", "address", "platform"),
        "establishments": each_of(named.establishments, "tax_id", "name"),
        "terms": fields_of(wanted.terms, *terms, "scored_days", "visible_series", money=("tolerance", "high_from")),
        **fields_of(wanted, "relist_days", "relist_documents_days", "mark_feed", "mark_feeds"),
    }


def account_standing(standing: AccountStanding) -> Shape:
    """When the account's list was last read to its newest end, how many days ago, and what lists were short of.

    `feed_read_at` and `feed_days` say when the hub's feed of orders was, `feeds` when each was.
    """
    listed_at = None if standing.listed_at is None else standing.listed_at.isoformat()  # as it is kept
    fed = standing.order_feed
    return {
        "listed_at": listed_at,
        "listed_days": standing.days,
        "short": standing.short,
        "feed_read_at": None if fed is None else fed.read_at.isoformat(),
        "feed_days": None if fed is None else fed.days,
        "feeds": [
            {"feed": feed.feed, "read_at": feed.read_at.isoformat(), "days": feed.days} for feed in standing.feeds
        ],
    }


def token_standing(standing: TokenStanding) -> Shape:
    """Where the account's token was given for, null where nobody gave one here; `disarmed`: nothing is asked until a
    person gives one for the address."""
    return {"token_origin": standing.origin, "disarmed": standing.is_disarmed}


def tested(result: Tested) -> Shape:
    record = None if result.record is None else fields_of(result.record, "understood", "raw")
    shape = fields_of(result, "account", "address", "documents")
    shape |= {"record": record, "shape": hub_shape(result.shape)}
    return shape | ({"warning": result.warning} if result.warning else {})


def hub_shape(traits: Iterable[HubTrait]) -> Shape:
    """What was learnt of a hub, by list and trait: the value and when it was learnt."""
    lists: dict[str, Shape] = {}
    for trait in traits:
        lists.setdefault(trait.list, {})[trait.trait] = fields_of(trait, "value", "learned_at")
    return lists


def hub_contract(contract: ContractView) -> Shape:
    """A hub's contract beside what was learnt; `operations` is 0 where it publishes none."""
    shape = fields_of(contract, "asked_at", "operations", "missing_lists")
    return shape | {"drift": each_of(contract.drift, "list", "trait", "declared", "seen", "used", "differs")}


def listing(page: DocumentPage) -> Shape:
    return {
        **fields_of(page, "total", "worth", money=("worth",)),
        "void": {"total": page.void, "worth": decimal_string(page.void_worth)},
        "other_months": months(page.other_months),
        "documents": [
            document_json.document(row)
            | {
                "findings": document_json.findings(row),
                "tags": document_json.tags(row),
                "reason": "; ".join(map(render, page.reasons.get(row.id, ()))) or None,
            }
            for row in page.documents
        ],
    }


def unreadable(files: Iterable[UnreadableFile]) -> Shape:
    shapes = each_of(files, "sha256", "size", "problem", "sources")
    return {"total": len(shapes), "unreadable": shapes}


def not_believed(papers: Iterable[NotBelieved]) -> Shape:
    shapes = []
    for paper in papers:
        shape: Shape = {"kind": "answer" if paper.event is None else "event"}
        shape |= {} if paper.event is None else document_json.event(paper.event, paper.why)
        shape |= {} if paper.answer is None else document_json.answer(paper.answer)
        shapes.append(shape | {"why": paper.why})
    return {"total": len(shapes), "not_believed": shapes}


def not_understood(records: Iterable[UnreadRecord]) -> Shape:
    shapes = each_of(records, *_UNREAD)
    return {"total": len(shapes), "not_understood": shapes}


def record(raw: RawRecord) -> Shape:
    """A hub's record that is no paper of the archive, with the hub's answers as they came."""
    return {"record": {**fields_of(raw.record, *_UNREAD), "answers": [json.loads(answer) for answer in raw.answers]}}


def examination(result: Examination) -> Shape:
    return {"well": result.well, "findings": each_of(result.findings, "topic", "well", "what"), "facts": result.facts}


def _failures(result: SyncResult) -> list[Shape]:
    return each_of(result.failures, "item_id", "reason", "account=is_account")
