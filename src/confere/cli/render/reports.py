"""What a command says to people when its work is done: figures, what failed, what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from confere.app.labels import labels as words_of
from confere.app.labels.feed_labels import feed_word
from confere.cli import tables
from confere.cli.options import option_words
from confere.cli.output import Output
from confere.cli.render import labels, reconciliation_reports
from confere.cli.render.accounts import token_reports
from confere.errors import NC_, Message
from confere.fiscal.model import State
from confere.system import formatting
from confere.system.messages import ngettext, render, t
from confere.system.plain_text import plain
from confere.system.processes.command_text import command_text

if TYPE_CHECKING:
    from confere.app.accounts.account_status import AccountStanding
    from confere.app.accounts.accounts import Account, Added, Preferences
    from confere.app.accounts.sync import SyncResult
    from confere.app.documents.import_files import ImportResult
    from confere.app.maintenance.doctor import Examination
    from confere.app.packages.accounting_systems import AccountingSystem
    from confere.app.packages.export import PackageResult, Undeclared
    from confere.app.packages.file_names import Placeholder
    from confere.app.sandbox.demo import DemoResult

MOST_TOLD = 50

_MOST_SET_ASIDE = 50


def sync(out: Output, result: SyncResult) -> None:
    """Figures to stdout, failures to stderr."""
    count = formatting.count
    out.print(
        tables.facts(
            [
                (t("Documents listed"), count(result.listed)),
                (t("New"), count(result.new)),
                (t("Changed"), count(result.updated)),
                (t("XML downloaded"), count(result.downloaded)),
                (t("XML already here"), count(result.already)),
                (t("Downloads that failed"), count(result.failed)),
                (t("Not understood"), count(result.not_understood) if result.not_understood else ""),
                (t("Events without a file"), count(result.without_file) if result.without_file else ""),
                (t("No longer listed by the hub"), count(result.gone) if result.gone else ""),
                (t("Requests"), count(result.requests)),
                (t("Asked to slow down"), count(result.throttled) if result.throttled else ""),
                (t(NC_("duration", "Time")), formatting.duration(result.seconds)),
            ]
        )
    )
    if result.date_filter == "ignored":
        out.aside(t("This hub ignores date filters: everything was listed."))
    elif result.date_filter == "refused":
        out.aside(t("This hub takes dates in no form that Confere knows: everything was listed."))
    whole = result.conservation
    if whole.listed:
        out.print(
            t(
                "{listed} listed in all: {archived} archived, {waiting} waiting, {refused} refused with a reason.",
                listed=count(whole.listed),
                archived=count(whole.archived),
                waiting=count(whole.waiting),
                refused=count(whole.refused),
            )
        )
    if not whole.balances:
        out.aside(
            t("The sum does not come out: {count} are none of these. Run `confere doctor`.", count=count(whole.lost))
        )
    told = [(entry.item_id, entry.reason) for entry in result.failures]
    _failures(out, told, max(len(told), result.failed + result.not_understood))
    if result.not_understood > result.nameless:
        out.aside(t("See what the hub said with `confere list --not-understood`; --retry asks for it again."))
    elif result.not_understood:
        out.aside(t("See what the hub said with `confere list --not-understood`."))
    if result.nameless:
        out.aside(
            t("A record without an id and a key cannot be asked for again; only the hub's list can show more of it.")
        )
    if result.failed:
        out.aside(t("They stay in the queue; the next sync tries them again."))
    _stopped(out, result.stopped)


def imported(out: Output, result: ImportResult) -> None:
    """Figures to stdout, what could not be read to stderr."""
    count = formatting.count
    out.print(
        tables.facts(
            [
                (t("Files"), count(result.files)),
                (t("Recorded"), count(result.recorded)),
                (t("Already here"), count(result.duplicates)),
                (t("Set aside before, read again"), count(result.tried_again) if result.tried_again else ""),
                (t("Not readable"), count(result.unreadable)),
                (t("Neither XML nor ZIP"), count(result.ignored)),
                (t("Authorities learned"), count(result.authorities) if result.authorities else ""),
                (t("Documents"), count(result.documents)),
                (t("Events"), count(result.events)),
                (t(NC_("duration", "Time")), formatting.duration(result.seconds)),
            ]
        )
    )
    _failures(out, [(entry.source, entry.reason) for entry in result.problems], result.unreadable)
    _stopped(out, result.stopped)


def packages(out: Output, found: Iterable[PackageResult]) -> None:
    """One block a package, with what is missing from it."""
    for entry in found:
        out.print(*_package(entry), "")


def systems(out: Output, known: Iterable[AccountingSystem]) -> None:
    """Each accounting system with its layout and what is known of it."""
    from confere.app.packages import file_names

    sure = {
        "maker": t("its maker says so"),
        "third_party": t("somebody who uses it says so"),
        "not_confirmed": t("not confirmed"),
    }
    for system in known:
        out.print(
            Text(f"{system.word}: {system.title}", style="bold"),
            tables.facts(
                [
                    (t("Form"), t("a folder") if system.form == "folder" else t("a ZIP")),
                    (t("Folders"), file_names.shown(system.folder) if system.folder else t("the standard ones")),
                    (t("File names"), file_names.shown(system.document) if system.document else t("the standard ones")),
                ]
            ),
        )
        for fact in system.facts:
            source = f" {fact.source}" if fact.source else ""
            out.print(Text(f"- {fact.text} ({sure[fact.confidence]}){source}"))
        out.print("")


def placeholders(out: Output, names: Iterable[Placeholder]) -> None:
    """Each name that a template may have in braces."""
    out.print(*[tables.facts([(f"{{{each.word}}}", f"{render(each.meaning)} ({each.example})")]) for each in names])


def undeclared(out: Output, found: Sequence[Undeclared], month: str) -> None:
    """Whose documents no package has, and how they get into one."""
    for entry in found[:MOST_TOLD]:
        company = f"{labels.party_word(entry.tax_id, entry.name)} ({labels.tax_id_word(entry.tax_id)})"
        out.aside(
            ngettext(
                "In no package: {count} document of {month} issued by {company}, whom no account names.",
                "In no package: {count} documents of {month} issued by {company}, whom no account names.",
                entry.documents,
                month=month,
                company=company,
            )
        )
    if found:
        out.aside(t("Hand them over with --company, or name the company in an account."))


def demo(out: Output, result: DemoResult, home: Path | None) -> None:
    """The figures, the packages and what can be tried next, with the values of this very archive."""
    sync(out, result.sync)
    if result.verified is not None:
        found = result.verified.documents
        out.print(
            t(
                "Documents that are authentic: {ok}; that could not be checked: {unchecked}; that are not: {failed}.",
                ok=formatting.count(found.ok),
                unchecked=formatting.count(found.unchecked),
                failed=formatting.count(found.failed),
            )
        )
        if result.verified.failing_events:
            count = formatting.count(result.verified.failing_events)
            out.print(t("Events that are not authentic: {count}. `confere verify` names their documents.", count=count))
    if result.reconciled is not None:
        reconciliation_reports.demo(out, result.reconciled)
    out.print("")
    packages(out, result.packages)
    if not result.packages:
        return
    first = result.packages[0]
    place = ["--home", str(home)] if home is not None else []
    chosen = ["--company", first.contents.company, "--month", first.contents.month]
    out.print(Text(t("What to try next"), style="bold"))
    states = option_words.of_field("state")
    cancelled = ",".join(option_words.listed([state], states) for state in (State.CANCELLED, State.CANCELLED_LATE))
    tries = [
        (t("the documents of that month"), ["list", *chosen]),
        (t("what was cancelled in the whole year"), ["list", "--state", cancelled, "--all"]),
        (t("what does not agree in that month"), ["findings", "list", "--period", first.contents.month]),
        (t("the package once more"), ["export", *chosen, "--replace"]),
        (t("whether everything is well"), ["doctor", "--verify"]),
    ]
    if result.example is not None:
        tries[1:1] = [
            (t("a sale of the archive, in full"), ["show", result.example]),
            (t("whether it is authentic, line by line"), ["verify", result.example]),
            (t("what it refers to and what refers to it"), ["relations", result.example]),
            (t("its DANFE as a PDF"), ["pdf", result.example]),
        ]
    for why, line in tries:
        out.print(Text(f"# {why}", style="dim"))
        out.text(command_text(["confere", *line, *place]) + "\n")  # not folded, so that it can be copied


def examination(out: Output, found: Examination) -> None:
    """One line a finding: what needs a hand or an eye stands out."""
    for entry in found.findings:
        mark = (t("look"), "yellow" if entry.well else "bold red") if entry.attention else (t("ok"), "green")
        out.print(Text.assemble(mark, f"  {labels.topic_word(entry.topic)}: {plain(render(entry.what))}"))


def sandbox(out: Output, said: Mapping[str, Any]) -> None:
    """Where the sandbox is, and the line that makes an account of it."""
    companies = said["companies"]
    two = said["production_address"] != said["address"]
    out.print(
        tables.facts(
            [
                (t("Address"), said["address"]),
                (t("Token"), said["token"]),
                (
                    t("Production"),
                    said["production_address"] if two else None,
                ),
                (t("Production's token"), said["production_token"] if two else None),
                (t("Middleware"), said["middleware"]),
                (t("Documents"), formatting.count(int(said["documents"]))),
                (t("Its time"), formatting.moment(said.get("clock"))),
                *((t("Company"), f"{labels.tax_id_word(entry['cnpj'])}  {entry['name']}") for entry in companies),
            ]
        )
    )
    line = ["confere", "account", "add", f"sandbox-{said['seed']}", "--address", said["address"]]
    line += ["--platform", "confere", "--environment", "embedded"]
    for entry in companies:
        line += ["--cnpj", entry["cnpj"]]
    out.print("", t("To use it, run this in another terminal and paste the token when asked:"))
    # One line however narrow the terminal is, so that it can be copied.
    out.text(f"  {command_text(line)}\n")
    out.print("", t("It runs until Ctrl+C."))


def account_added(out: Output, added: Added) -> None:
    """What was added, and where its token is."""
    out.aside(t("The account {name} was added.", name=added.account.name))
    if added.token_kept is None:
        line = command_text(["confere", "account", "token", added.account.name])
        out.aside(t("It has no token yet; give it one with `{command}`.", command=line))
    else:
        out.aside(token_reports.token_kept(added.token_kept))


def accounts(out: Output, found: Sequence[Account], standings: Mapping[str, AccountStanding] | None = None) -> None:
    """One line an account, with how old its newest listing is; what its hub's lists were short of beside."""
    if not found:
        out.aside(t("There is no account yet. Add one with `confere account add`, or try `confere demo`."))
        return
    titles = [t("Listed")] if standings else []
    out.print(
        tables.table(
            [t("Name"), t("Environment"), t("Platform"), t("Address"), t("Establishments"), *titles],
            [
                (
                    entry.name,
                    words_of.environment_word(entry.environment),
                    entry.platform,
                    entry.address,
                    "\n".join(labels.tax_id_word(company.tax_id) for company in entry.establishments),
                    *((_listed(standings[entry.name]),) if standings else ()),
                )
                for entry in found
            ],
        )
    )
    for name, standing in (standings or {}).items():
        for short in standing.short:
            out.aside(f"- {plain(name)}: {plain(render(short))}")
        for feed in standing.ending_feeds:
            told = t(
                "the feed of {feed} was last read {days} days ago; the hub keeps it for 30",
                feed=render(feed_word(feed.feed)),
                days=formatting.count(feed.days or 0),
            )
            out.aside(f"- {plain(name)}: {told}")


def _listed(found: AccountStanding) -> str:
    """When the list was last read, and how long ago where that is worth a word."""
    if found.listed_at is None:
        return t("never")
    told = formatting.moment(found.listed_at)
    return f"{told}\n{t('{days} days ago', days=formatting.count(found.days or 0))}" if found.is_stale else told


def preferences(out: Output, found: Preferences) -> None:
    """What an account wants of its reconciliation and of its hub."""
    terms = found.terms
    out.print(
        tables.facts(
            [
                (t("Tolerance, in reais"), formatting.money(terms.tolerance).removeprefix("R$ ")),
                (t("High severity from, in reais"), formatting.money(terms.high_from).removeprefix("R$ ")),
                (t("Hours until an order must have its invoice"), terms.invoice_after_hours),
                (t("Days until a shipped sale must have its CT-e"), terms.freight_after_days),
                (t("Days that goods may stand at the marketplace"), terms.standing_days),
                (t("Days between an order and an invoice that may belong together"), terms.scored_days),
                (t("Days back that orders are listed again for their status"), found.relist_days),
                (t("Days back that documents are listed again once a day"), found.relist_documents_days),
                (t("Its freight comes as CT-e"), t("yes") if terms.freight_by_cte else t("no")),
                (t("Series that this account sees whole"), "\n".join(terms.visible_series)),
            ]
        )
    )


def _package(entry: PackageResult) -> list[Any]:
    count = formatting.count
    made: list[Any] = [
        tables.facts(
            [
                (t("Company"), labels.tax_id_word(entry.contents.company)),
                (t("Month"), words_of.month_word(entry.contents.month)),
                *((t("Package"), str(path)) for path in entry.contents.paths),
                (t("Written"), t("no: the identical package was there already") if entry.identical else ""),
                (t("Size"), formatting.size(entry.bytes)),
                (t("Documents"), count(entry.contents.documents)),
                (t("Events"), count(entry.contents.events)),
                (
                    t("On documents of earlier months"),
                    count(entry.contents.earlier_events) if entry.contents.earlier_events else "",
                ),
                (t("XML files"), count(entry.contents.xml)),
                (t("Left out by the profile"), count(entry.contents.left_out) if entry.contents.left_out else ""),
                (t("Authenticity"), words_of.verdict_counts(entry.contents.verdicts)),
                *((t("PDFs"), f"{each.path} ({count(each.documents)})") for each in entry.pdfs),
            ]
        )
    ]
    made += [
        Text(t("Missing: {what}", what=plain(render(lack.what))), style="yellow") for lack in entry.contents.missing
    ]
    lacking = [each for pdfs in entry.pdfs for each in pdfs.not_drawn]
    made += [Text(t("No PDF of {name}: {why}", name=each.name, why=plain(render(each.why)))) for each in lacking]
    return made


def _failures(out: Output, found: Sequence[tuple[str, Message]], total: int) -> None:
    for name, reason in found[:MOST_TOLD]:
        out.aside(f"- {name}: {render(reason)}")
    if total > min(len(found), MOST_TOLD):
        out.aside(
            t("… and {count} more; --json names them.", count=formatting.count(total - min(len(found), MOST_TOLD)))
        )


def _stopped(out: Output, stopped: bool) -> None:
    if stopped:
        out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))


def set_aside(out: Output, digests: Sequence[str], command: str) -> None:
    """The contents with which a process ended, by their SHA-256, and the command that tries them again."""
    out.aside(t("These contents ended the process that worked on them; `{command}` tries again:", command=command))
    out.aside("\n".join(f"  {digest}" for digest in digests[:_MOST_SET_ASIDE]))
