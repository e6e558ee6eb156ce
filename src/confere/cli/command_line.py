"""The whole command line: every command with its name and help, in the order in which people need them."""

from __future__ import annotations

import typer

from confere.cli.command import PROGRAM, add, group
from confere.cli.commands.accounts.account_add import account_add
from confere.cli.commands.accounts.account_change import account_change
from confere.cli.commands.accounts.account_list import account_list
from confere.cli.commands.accounts.account_record import account_record
from confere.cli.commands.accounts.account_remove import account_remove
from confere.cli.commands.accounts.account_shape import account_shape
from confere.cli.commands.accounts.account_test import account_test
from confere.cli.commands.accounts.account_token import account_token
from confere.cli.commands.accounts.account_trust import account_trust
from confere.cli.commands.accounts.sync import sync
from confere.cli.commands.documents.export import export
from confere.cli.commands.documents.import_ import import_
from confere.cli.commands.documents.list_ import list_
from confere.cli.commands.documents.pdf import pdf
from confere.cli.commands.documents.relations import relations
from confere.cli.commands.documents.show import show
from confere.cli.commands.documents.verify import verify
from confere.cli.commands.maintenance.demo import demo
from confere.cli.commands.maintenance.doctor import doctor
from confere.cli.commands.maintenance.reindex import reindex
from confere.cli.commands.maintenance.sandbox import sandbox
from confere.cli.commands.maintenance.trust_import import trust_import
from confere.cli.commands.orders.orders_import import orders_import
from confere.cli.commands.orders.orders_invoice import orders_invoice
from confere.cli.commands.orders.orders_list import orders_list
from confere.cli.commands.orders.orders_show import orders_show
from confere.cli.commands.orders.person import person
from confere.cli.commands.reconciliation.declarations import declarations_list, declarations_revoke
from confere.cli.commands.reconciliation.findings_decide import (
    findings_explain,
    findings_ignore,
    findings_note,
    findings_reopen,
)
from confere.cli.commands.reconciliation.findings_list import findings_list, findings_report, findings_show
from confere.cli.commands.reconciliation.links_decide import (
    links_accept,
    links_confirm,
    links_link,
    links_merge,
    links_redo,
    links_split,
    links_undo,
    links_unlink,
)
from confere.cli.commands.reconciliation.links_list import (
    findings_explained,
    links_history,
    links_list,
    links_suggestions,
    links_ties,
)
from confere.cli.commands.reconciliation.reconcile import reconcile
from confere.cli.commands.reconciliation.stock_and_taxes import stock, taxes
from confere.system.messages import t


def build() -> typer.Typer:
    """The application, in the language that was chosen before this module was imported."""
    app = group(PROGRAM, help=t("Archives, explains and hands over the fiscal documents of a marketplace seller."))
    add(
        app,
        "demo",
        demo,
        job=True,
        help=t("Try everything on invented documents: sandbox, sync, reconciliation, package."),
    )
    account = group("account", help=t("The seller's accounts at hubs."))
    add(account, "add", account_add, help=t("Add an account; its token goes to the system's keyring."))
    add(account, "list", account_list, help=t("List the accounts."))
    add(account, "test", account_test, help=t("Ask the hub for a few small pages and show what they teach."))
    add(account, "shape", account_shape, help=t("Show what was learnt of how the account's hub wants to be asked."))
    add(account, "token", account_token, help=t("Give an account another token."))
    add(
        account,
        "change",
        account_change,
        help=t("Change an account's address, platform name, establishments or terms."),
    )
    add(account, "trust", account_trust, help=t("Trust a sandbox's own certificates for the papers of its account."))
    add(
        account,
        "record",
        account_record,
        job=True,
        help=t("Write a few answers of the account's hub to a file, with every value replaced."),
    )
    add(account, "remove", account_remove, help=t("Take an account out of use; its documents stay."))
    app.add_typer(account)
    add(app, "sync", sync, job=True, help=t("Fetch what is new and what changed at the hubs."))
    add(app, "import", import_, job=True, help=t("Bring XML files, folders and ZIPs in."))
    add(app, "list", list_, help=t("Find documents."))
    orders = group("orders", help=t("The orders of the marketplaces: bring them in, look at them, write to them."))
    add(orders, "import", orders_import, job=True, help=t("Bring orders in from a CSV or XLSX file."))
    add(orders, "list", orders_list, help=t("Find orders."))
    add(orders, "show", orders_show, help=t("Show everything about one order."))
    add(orders, "invoice", orders_invoice, job=True, help=t("Give orders at the hub the invoices that are here."))
    app.add_typer(orders)
    declarations = group("declarations", help=t("What was declared complete, so that what is missing is missing."))
    add(declarations, "list", declarations_list, help=t("List what was declared complete, by whom and by which file."))
    add(declarations, "revoke", declarations_revoke, help=t("Take a declaration back."))
    app.add_typer(declarations)
    add(app, "show", show, help=t("Show everything about one document, or give its XML."))
    add(app, "relations", relations, help=t("Show what a document refers to, what refers to it, and its chain."))
    add(app, "pdf", pdf, job=True, help=t("Write documents as PDF: DANFE, DACTE, correction letter."))
    add(app, "export", export, job=True, help=t("Write the filing package of a company and month."))
    add(app, "reconcile", reconcile, job=True, help=t("Hold orders, documents and freight against each other."))
    _add_desk(app)
    covered = t(
        "A signature covers what the issuer wrote. It does not cover the authority's answer (protocol, retEvento):"
        " nobody signs that, so anybody who edits a file can invent one, and only a look at the authority's site"
        " tells. Exit code: 0, or 1 where --fail-on says so, where bytes are damaged, or where it was stopped."
    )
    add(
        app,
        "verify",
        verify,
        job=True,
        help=f"{t('Check whether documents are authentic, line by line.')}\n\n{covered}",
    )
    trust = group("trust", help=t("The authorities of ICP-Brasil by which signatures are checked."))
    add(trust, "import", trust_import, help=t("Learn authorities from files; each is proved up to a root first."))
    app.add_typer(trust)
    add(app, "reindex", reindex, job=True, help=t("Read the archive's XML again with this version's reader."))
    add(app, "person", person, help=t("Show where a person's data is, or erase what no law keeps."))
    add(app, "doctor", doctor, job=True, help=t("Look whether everything is well, and say what to do."))
    add(app, "sandbox", sandbox, help=t("Run the embedded hub with its invented world until Ctrl+C."))
    return app


def _add_desk(app: typer.Typer) -> None:
    """What reconciliation found, and what a person says about it."""
    findings = group("findings", help=t("What does not agree, and what was said about it."))
    add(findings, "list", findings_list, help=t("List the findings, as the last run left them."))
    add(findings, "show", findings_show, help=t("Show both sides of a finding, its evidence and its history."))
    add(findings, "explain", findings_explain, help=t("These disagreements are as they should be."))
    add(findings, "ignore", findings_ignore, help=t("Let findings rest, for a reason."))
    add(findings, "reopen", findings_reopen, help=t("Open again what was explained or ignored."))
    add(findings, "note", findings_note, help=t("Write a note to findings."))
    add(findings, "explained", findings_explained, help=t("List the differences that R3 explains itself."))
    _add_acts(findings)
    add(findings, "report", findings_report, job=True, help=t("Write the reconciliation to a spreadsheet."))
    app.add_typer(findings)
    links = group("links", help=t("Which orders and documents belong together, and why."))
    add(links, "list", links_list, help=t("List the links, each with its evidence."))
    add(links, "ties", links_ties, help=t("List what fits in more than one way: only a person decides it."))
    add(
        links,
        "suggestions",
        links_suggestions,
        help=t("List the pairs that nearly fit, each with what agrees."),
    )
    add(links, "accept", links_accept, help=t("Link what is suggested."))
    add(links, "link", links_link, help=t("Link orders with documents, whatever the program thinks."))
    add(links, "unlink", links_unlink, help=t("Cut links; no evidence makes them again."))
    add(links, "confirm", links_confirm, help=t("Confirm links: they stay, whatever is found later."))
    add(links, "merge", links_merge, help=t("Put orders and documents together as one business."))
    add(links, "split", links_split, help=t("Take orders and documents apart from all others."))
    _add_acts(links)
    app.add_typer(links)
    add(app, "stock", stock, help=t("Show the goods at the marketplaces' warehouses, item by item."))
    add(app, "taxes", taxes, help=t("Show the taxes by CFOP, CST and state."))


def _add_acts(parent: typer.Typer) -> None:
    """The acts of findings and links are one list: each undoes and tells what was done to both."""
    add(parent, "undo", links_undo, help=t("Take back what was done last, to findings or links."))
    add(parent, "redo", links_redo, help=t("Do again what was taken back."))
    add(parent, "history", links_history, help=t("Show who decided what and when."))
