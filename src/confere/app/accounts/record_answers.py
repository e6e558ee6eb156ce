"""The use case "make a fixture of a real account": a few answers of its hub in a file, with every value replaced."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from confere.app.accounts.account_choice import one_account
from confere.app.context import Workspace
from confere.app.sandbox.sandbox_accounts import awake
from confere.errors import EnvironmentFault, message
from confere.system.files.atomic_file import write_text
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent
from confere.system.secrets.token_store import Prompt


@dataclass(frozen=True, slots=True)
class RecordedAccount:
    """What the file at `path` holds: answers in all, and how many documents, files and orders are whole in it."""

    account: str
    path: Path
    answers: int
    documents: int
    files: int
    orders: int
    requests: int


def record(
    workspace: Workspace,
    file: Path,
    *,
    account: str | None = None,
    replace: bool = False,
    prompt: Prompt | None = None,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> RecordedAccount:
    """Ask the account's hub (the only account's, where none is named) for samples, and write them to `file`.

    Only reads at the hub, and nothing of the archive goes into the file. Raises `HubError`, `UsageFault` where the
    account is not clear, and `EnvironmentFault` where the file is there already or cannot be written.
    """
    from confere.hub.traits.anonymized_answers import Anonymiser, recording_file
    from confere.hub.traits.sampling import sample

    if file.exists() and not replace:
        raise EnvironmentFault(
            message("There is a file {path} already.", path=str(file)),
            message("Choose another name, or give --replace."),
        )
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            owner = one_account(transaction, account)
        meter = Meter(reporter or Silent(), message("Recording answers for {account}", account=owner.name))
        with awake(workspace, owner) as woken, workspace.session(archive, woken, stop=stop, prompt=prompt) as session:
            samples = sample(session, meter.advance)
            requests = session.requests
        meter.finish()
    private = (owner.name, woken.platform, *(entry.tax_id for entry in owner.establishments))
    anonymiser = Anonymiser(samples.answers, woken.address, private=private)
    write_text(file, recording_file(samples.answers, anonymiser, samples.trimmed))
    return RecordedAccount(
        owner.name, file, len(samples.answers), samples.documents, samples.files, samples.orders, requests
    )
