"""The whole command line: every command with its name and help, in the order in which people need them."""

from __future__ import annotations

import typer

from confere.cli.command import PROGRAM, add, group
from confere.cli.commands.account_add import account_add
from confere.cli.commands.account_change import account_change
from confere.cli.commands.account_list import account_list
from confere.cli.commands.account_remove import account_remove
from confere.cli.commands.account_test import account_test
from confere.cli.commands.account_token import account_token
from confere.cli.commands.account_trust import account_trust
from confere.cli.commands.demo import demo
from confere.cli.commands.doctor import doctor
from confere.cli.commands.export import export
from confere.cli.commands.import_ import import_
from confere.cli.commands.list_ import list_
from confere.cli.commands.pdf import pdf
from confere.cli.commands.reindex import reindex
from confere.cli.commands.relations import relations
from confere.cli.commands.sandbox import sandbox
from confere.cli.commands.show import show
from confere.cli.commands.sync import sync
from confere.cli.commands.verify import verify
from confere.system.messages import t


def build() -> typer.Typer:
    """The application, in the language that was chosen before this module was imported."""
    app = group(PROGRAM, help=t("Archives, explains and hands over the fiscal documents of a marketplace seller."))
    add(app, "demo", demo, job=True, help=t("Try everything on invented documents: sandbox, sync, package."))
    account = group("account", help=t("The seller's accounts at hubs."))
    add(account, "add", account_add, help=t("Add an account; its token goes to the system's keyring."))
    add(account, "list", account_list, help=t("List the accounts."))
    add(account, "test", account_test, help=t("Ask the hub for one small page with the account's token."))
    add(account, "token", account_token, help=t("Give an account another token."))
    add(account, "change", account_change, help=t("Change an account's address, platform name or establishments."))
    add(account, "trust", account_trust, help=t("Trust a sandbox's own certificates for the papers of its account."))
    add(account, "remove", account_remove, help=t("Take an account out of use; its documents stay."))
    app.add_typer(account)
    add(app, "sync", sync, job=True, help=t("Fetch what is new and what changed at the hubs."))
    add(app, "import", import_, job=True, help=t("Bring XML files, folders and ZIPs in."))
    add(app, "list", list_, help=t("Find documents."))
    add(app, "show", show, help=t("Show everything about one document, or give its XML."))
    add(app, "relations", relations, help=t("Show what a document refers to, what refers to it, and its chain."))
    add(app, "pdf", pdf, job=True, help=t("Write documents as PDF: DANFE, DACTE, correction letter."))
    add(app, "export", export, job=True, help=t("Write the filing package of a company and month."))
    add(app, "verify", verify, job=True, help=t("Check whether documents are authentic, line by line."))
    add(app, "reindex", reindex, job=True, help=t("Read the archive's XML again with this version's reader."))
    add(app, "doctor", doctor, job=True, help=t("Look whether everything is well, and say what to do."))
    add(app, "sandbox", sandbox, help=t("Run the embedded hub with its invented world until Ctrl+C."))
    return app
