"""The use case "bring files in"."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from confere.app.authenticity import learn_authorities
from confere.app.authenticity.verify import judge_events
from confere.app.context import Workspace
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.store import Archive
from confere.errors import UsageFault, message
from confere.intake.files.file_import import ImportProblem as ImportProblem
from confere.intake.files.file_import import ImportResult as ImportResult
from confere.intake.files.file_import import import_files
from confere.sales.declarations import CompleteFor
from confere.system.processes.cancellation import Stop
from confere.system.processes.command_text import argument
from confere.system.progress import Reporter


def import_paths(
    workspace: Workspace,
    paths: Sequence[Path],
    *,
    complete: CompleteFor | None = None,
    account: str | None = None,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> ImportResult:
    """Import XML files, folders and ZIPs; what cannot be read is kept and told in the result.

    Of files with certificates the authorities are learned that lead to a root of ICP-Brasil.
    `complete` declares them to be all documents of months, of the account named or of the only one there is; raises
    `UsageFault` where that is not clear, or where the account names no establishment.
    """
    with workspace.writing("import") as archive:
        claim = None if complete is None else (_owner(archive, account), complete)
        result = import_files(archive, paths, complete=claim, reporter=reporter, stop=stop)
        judge_events(archive, workspace.home, stop)
        result.authorities = learn_authorities.learn_met(workspace.home, result.certificates)
        return result


def _owner(archive: Archive, name: str | None) -> Account:
    with archive.reading() as transaction:
        owner = accounts.only(transaction, name)
    if not owner.establishments:
        raise UsageFault(
            message("The account {account} names no establishment (CNPJ).", account=argument(owner.name)),
            message("Name them first: confere account change {account} --cnpj CNPJ.", account=argument(owner.name)),
        )
    return owner


__all__ = ["ImportProblem", "ImportResult", "import_paths"]
