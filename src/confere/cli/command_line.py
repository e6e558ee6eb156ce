"""The whole command line: every command with its name and help, in the order in which people need them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from confere.cli.command import PROGRAM, CommandSpec, GroupSpec, LocalizedGroup, made_group
from confere.errors import N_

_COVERED: Final = N_(
    "A signature covers what the issuer wrote. It does not cover the authority's answer (protocol, retEvento):"
    " nobody signs that, so anybody who edits a file can invent one, and only a look at the authority's site"
    " tells. Exit code: 0, or 1 where --fail-on says so, where bytes are damaged, or where it was stopped."
)
# The acts of findings and links are one list: each undoes and tells what was done to both.
_ACTS: Final[Mapping[str, CommandSpec]] = {
    "undo": CommandSpec(
        "reconciliation.links_decide", "links_undo", N_("Take back what was done last, to findings or links.")
    ),
    "redo": CommandSpec("reconciliation.links_decide", "links_redo", N_("Do again what was taken back.")),
    "history": CommandSpec("reconciliation.links_list", "links_history", N_("Show who decided what and when.")),
}
COMMANDS: Final[Mapping[str, CommandSpec | GroupSpec]] = {
    "demo": CommandSpec(
        "maintenance.demo",
        "demo",
        N_("Try everything on invented documents: sandbox, sync, reconciliation, package."),
        job=True,
    ),
    "account": GroupSpec(
        N_("The seller's accounts at hubs."),
        {
            "add": CommandSpec(
                "accounts.account_add", "account_add", N_("Add an account; its token goes to the system's keyring.")
            ),
            "list": CommandSpec("accounts.account_list", "account_list", N_("List the accounts.")),
            "test": CommandSpec(
                "accounts.account_test",
                "account_test",
                N_("Ask the hub for a few small pages and show what they teach."),
            ),
            "shape": CommandSpec(
                "accounts.account_shape",
                "account_shape",
                N_("Show what was learnt of how the account's hub wants to be asked."),
            ),
            "token": CommandSpec("accounts.account_token", "account_token", N_("Give an account another token.")),
            "change": CommandSpec(
                "accounts.account_change",
                "account_change",
                N_("Change an account's address, platform name, establishments or terms."),
            ),
            "trust": CommandSpec(
                "accounts.account_trust",
                "account_trust",
                N_("Trust a sandbox's own certificates for the papers of its account."),
            ),
            "record": CommandSpec(
                "accounts.account_record",
                "account_record",
                N_("Write a few answers of the account's hub to a file, with every value replaced."),
                job=True,
            ),
            "remove": CommandSpec(
                "accounts.account_remove", "account_remove", N_("Take an account out of use; its documents stay.")
            ),
        },
    ),
    "sync": CommandSpec("accounts.sync", "sync", N_("Fetch what is new and what changed at the hubs."), job=True),
    "feeds": GroupSpec(
        N_("The hub's feeds of changes: orders, products, publications, prices, reservations."),
        {
            "list": CommandSpec(
                "accounts.feeds", "feeds_list", N_("Show which feeds there are, when they were read and what is kept.")
            ),
            "read": CommandSpec(
                "accounts.feeds", "feeds_read", N_("Read the feeds now, and keep the records that they name."), job=True
            ),
        },
    ),
    "listen": CommandSpec(
        "accounts.listen", "listen", N_("Fetch what a hub announces, as soon as it does, until stopped."), job=True
    ),
    "import": CommandSpec("documents.import_", "import_", N_("Bring XML files, folders and ZIPs in."), job=True),
    "list": CommandSpec(
        "documents.list_", "list_", N_("Find documents, and save them as XML, PDF or a spreadsheet."), job=True
    ),
    "saved": GroupSpec(
        N_("Searches that are saved under a name."),
        {
            "list": CommandSpec("documents.saved", "saved_list", N_("List the saved searches.")),
            "add": CommandSpec(
                "documents.saved", "saved_add", N_("Save a search: the words and filters of `confere list`.")
            ),
            "rename": CommandSpec("documents.saved", "saved_rename", N_("Give a saved search another name.")),
            "remove": CommandSpec("documents.saved", "saved_remove", N_("Forget a saved search; no document changes.")),
        },
    ),
    "tag": GroupSpec(
        N_("Tags: words of your own on documents, by which to find them again."),
        {
            "list": CommandSpec("documents.tag", "tag_list", N_("List the tags, each with its documents counted.")),
            "add": CommandSpec("documents.tag", "tag_add", N_("Put a tag on documents; it is made where it is new.")),
            "remove": CommandSpec("documents.tag", "tag_remove", N_("Take a tag off documents.")),
            "rename": CommandSpec("documents.tag", "tag_rename", N_("Give a tag another name.")),
            "delete": CommandSpec("documents.tag", "tag_delete", N_("Let a tag go, from every document.")),
        },
    ),
    "orders": GroupSpec(
        N_("The orders of the marketplaces: bring them in, look at them, write to them."),
        {
            "import": CommandSpec(
                "orders.orders_import", "orders_import", N_("Bring orders in from a CSV or XLSX file."), job=True
            ),
            "list": CommandSpec(
                "orders.orders_list", "orders_list", N_("Find orders, and save them or their documents."), job=True
            ),
            "show": CommandSpec("orders.orders_show", "orders_show", N_("Show everything about one order.")),
            "invoice": CommandSpec(
                "orders.orders_invoice",
                "orders_invoice",
                N_("Give orders at the hub the invoices that are here."),
                job=True,
            ),
            "move": CommandSpec(
                "orders.orders_move",
                "orders_move",
                N_("Tell the hub that orders were shipped, delivered, are over or cancelled."),
                job=True,
            ),
        },
    ),
    "catalog": GroupSpec(
        N_("The products at the hub: bring them here, look at them, write them from a file."),
        {
            "sync": CommandSpec(
                "catalog.catalog_read",
                "catalog_sync",
                N_("Fetch products that are new or changed at the hub."),
                job=True,
            ),
            "list": CommandSpec(
                "catalog.catalog_read", "catalog_list", N_("Find products, and save them as a spreadsheet."), job=True
            ),
            "show": CommandSpec(
                "catalog.catalog_read", "catalog_show", N_("Show a product, its SKUs and how it changed.")
            ),
            "push": CommandSpec(
                "catalog.catalog_push", "catalog_push", N_("Write products of a file to the hub."), job=True
            ),
        },
    ),
    "declarations": GroupSpec(
        N_("What was declared complete, so that what is missing is missing."),
        {
            "list": CommandSpec(
                "reconciliation.declarations",
                "declarations_list",
                N_("List what was declared complete, by whom and by which file."),
            ),
            "revoke": CommandSpec("reconciliation.declarations", "declarations_revoke", N_("Take a declaration back.")),
        },
    ),
    "hub": GroupSpec(
        N_("What the hub itself offers, by its own contract."),
        {
            "operations": CommandSpec(
                "hub.operations", "operations", N_("List the operations of the hub's contract, or explain one.")
            ),
            "call": CommandSpec(
                "hub.call", "call", N_("Call an operation; one that writes is shown first and sent once.")
            ),
        },
    ),
    "clients": CommandSpec(
        "closing.clients", "clients", N_("List the companies and how each stands in a month, the worst first.")
    ),
    "show": CommandSpec("documents.show", "show", N_("Show everything about one document, or give its XML.")),
    "relations": CommandSpec(
        "documents.relations", "relations", N_("Show what a document refers to, what refers to it, and its chain.")
    ),
    "pdf": CommandSpec(
        "documents.pdf", "pdf", N_("Write documents as PDF: DANFE, DACTE, correction letter."), job=True
    ),
    "export": CommandSpec(
        "documents.export", "export", N_("Write the filing package of a company and month."), job=True
    ),
    "close": CommandSpec(
        "closing.close", "close", N_("Freeze what was filed of a month, or open it again for a reason."), job=True
    ),
    "changes": CommandSpec(
        "closing.changes", "changes", N_("Show what changed in a month since it was closed, and what it does to taxes.")
    ),
    "ledger": CommandSpec(
        "closing.ledger", "ledger", N_("Write the month's ledger of a company: documents, items and taxes."), job=True
    ),
    "reconcile": CommandSpec(
        "reconciliation.reconcile", "reconcile", N_("Hold orders, documents and freight against each other."), job=True
    ),
    "findings": GroupSpec(
        N_("What does not agree, and what was said about it."),
        {
            "list": CommandSpec(
                "reconciliation.findings_list",
                "findings_list",
                N_("List the findings, as the last run left them."),
                job=True,
            ),
            "show": CommandSpec(
                "reconciliation.findings_list",
                "findings_show",
                N_("Show both sides of a finding, its evidence and its history."),
            ),
            "explain": CommandSpec(
                "reconciliation.findings_decide", "findings_explain", N_("These disagreements are as they should be.")
            ),
            "ignore": CommandSpec(
                "reconciliation.findings_decide", "findings_ignore", N_("Let findings rest, for a reason.")
            ),
            "reopen": CommandSpec(
                "reconciliation.findings_decide", "findings_reopen", N_("Open again what was explained or ignored.")
            ),
            "note": CommandSpec("reconciliation.findings_decide", "findings_note", N_("Write a note to findings.")),
            "candidates": CommandSpec(
                "reconciliation.matching",
                "findings_candidates",
                N_("List what could belong to a finding's order or document, the nearest first."),
            ),
            "assign": CommandSpec(
                "reconciliation.review", "findings_assign", N_("Say who is to settle findings, and by which day.")
            ),
            "signoff": CommandSpec(
                "reconciliation.review", "findings_signoff", N_("Sign the findings of a company's month as a reviewer.")
            ),
            "signoffs": CommandSpec(
                "reconciliation.review", "findings_signoffs", N_("List who signed which month, and whether it stands.")
            ),
            "explained": CommandSpec(
                "reconciliation.links_list", "findings_explained", N_("List the differences that R3 explains itself.")
            ),
            **_ACTS,
            "report": CommandSpec(
                "reconciliation.findings_list",
                "findings_report",
                N_("Write the reconciliation to a spreadsheet."),
                job=True,
            ),
        },
    ),
    "links": GroupSpec(
        N_("Which orders and documents belong together, and why."),
        {
            "list": CommandSpec(
                "reconciliation.links_list", "links_list", N_("List the links, each with its evidence.")
            ),
            "ties": CommandSpec(
                "reconciliation.links_list",
                "links_ties",
                N_("List what fits in more than one way: only a person decides it."),
            ),
            "in-order": CommandSpec(
                "reconciliation.matching",
                "links_in_order",
                N_("Link a tie by its hours: the earliest order with the earliest document, and so on."),
            ),
            "suggestions": CommandSpec(
                "reconciliation.links_list",
                "links_suggestions",
                N_("List the pairs that nearly fit, each with what agrees."),
            ),
            "accept": CommandSpec("reconciliation.links_decide", "links_accept", N_("Link what is suggested.")),
            "link": CommandSpec(
                "reconciliation.links_decide",
                "links_link",
                N_("Link orders with documents, whatever the program thinks."),
            ),
            "unlink": CommandSpec(
                "reconciliation.links_decide", "links_unlink", N_("Cut links; no evidence makes them again.")
            ),
            "confirm": CommandSpec(
                "reconciliation.links_decide", "links_confirm", N_("Confirm links: they stay, whatever is found later.")
            ),
            "merge": CommandSpec(
                "reconciliation.links_decide", "links_merge", N_("Put orders and documents together as one business.")
            ),
            "split": CommandSpec(
                "reconciliation.links_decide", "links_split", N_("Take orders and documents apart from all others.")
            ),
            **_ACTS,
        },
    ),
    "bridge": CommandSpec(
        "closing.bridge", "bridge", N_("Show how the orders of a month lead to its invoices, to the centavo.")
    ),
    "stock": CommandSpec(
        "reconciliation.stock_and_taxes", "stock", N_("Show the goods at the marketplaces' warehouses, item by item.")
    ),
    "taxes": CommandSpec("reconciliation.stock_and_taxes", "taxes", N_("Show the taxes by CFOP, CST and state.")),
    "verify": CommandSpec(
        "documents.verify",
        "verify",
        N_("Check whether documents are authentic, line by line."),
        details=_COVERED,
        job=True,
    ),
    "trust": GroupSpec(
        N_("The authorities of ICP-Brasil by which signatures are checked."),
        {
            "import": CommandSpec(
                "maintenance.trust_import",
                "trust_import",
                N_("Learn authorities from files; each is proved up to a root first."),
            ),
        },
    ),
    "reindex": CommandSpec(
        "maintenance.reindex", "reindex", N_("Read the archive's XML again with this version's reader."), job=True
    ),
    "person": CommandSpec("orders.person", "person", N_("Show where a person's data is, or erase what no law keeps.")),
    "doctor": CommandSpec(
        "maintenance.doctor", "doctor", N_("Look whether everything is well, and say what to do."), job=True
    ),
    "backup": CommandSpec(
        "maintenance.backup",
        "backup",
        N_("Copy the archive to safety, checked and counted; warn where no copy is young enough."),
        job=True,
    ),
    "restore": CommandSpec(
        "maintenance.restore",
        "restore",
        N_("Put a backup into the archive's place, once it was checked; what is there is kept beside it."),
        job=True,
    ),
    "home": CommandSpec(
        "maintenance.home",
        "home",
        N_("Show where the data folder is, or choose another one for the starts to come."),
        job=True,
    ),
    "keeping": CommandSpec(
        "maintenance.keeping", "keeping", N_("Show what must be kept until when, by company and year.")
    ),
    "run": CommandSpec(
        "maintenance.run",
        "run",
        N_("Do a night's work unattended: sync, verify, reconcile, report."),
        job=True,
    ),
    "schedule": GroupSpec(
        N_("Unattended runs by the system's own scheduler."),
        {
            "install": CommandSpec(
                "maintenance.schedule", "schedule_install", N_("Have `confere run` started by the system, at a time.")
            ),
            "remove": CommandSpec("maintenance.schedule", "schedule_remove", N_("Take the schedule out again.")),
            "status": CommandSpec(
                "maintenance.schedule",
                "schedule_status",
                N_("Show when the next run is, how the last one ended, and what grows old."),
            ),
        },
    ),
    "sandbox": CommandSpec(
        "maintenance.sandbox", "sandbox", N_("Run the embedded hub with its invented world until Ctrl+C.")
    ),
}
"""Every command by its name; its module is imported when it is called."""


def build() -> LocalizedGroup:
    """The application; the help of its options is in the language that was chosen before."""
    what = N_("Archives, explains and hands over the fiscal documents of a marketplace seller.")
    return made_group(PROGRAM, GroupSpec(what, COMMANDS))
