"""`confere export`: write the filing package of a company and month."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.options import option_values, option_words, typed_values
from confere.cli.render import reports
from confere.errors import UsageFault, message
from confere.system.messages import render, t

if TYPE_CHECKING:
    from collections.abc import Iterable

    from confere.app.packages.export import PackageResult

# `export.PROFILES`, which is not loaded to explain a command.
_PROFILES = ("authorizations", "with-cancellations", "cancellations", "both")
_MOST_NAMES = 3  # of what a package lacks; the manifest has all


def export(
    face: Face,
    month: Annotated[
        str | None, typer.Option("--month", "--period", metavar="YYYY-MM", help=t("The month to hand over."))
    ] = None,
    company: Annotated[
        str | None, typer.Option("--company", metavar="CNPJ", help=t("One company (default: every establishment)."))
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR|FILE.zip", help=t("Where to (default: the data folder's exports).")),
    ] = None,
    profile: Annotated[
        str,
        typer.Option(
            "--profile",
            metavar="PROFILE",
            help=t(
                "Cancelled documents in the package: {words} (default: {default}); {both}: in a folder of their own.",
                words=option_words.listed(_PROFILES, option_values.PACKAGE_PROFILES),
                default=option_words.shown("with-cancellations", option_values.PACKAGE_PROFILES),
                both=option_words.shown("both", option_values.PACKAGE_PROFILES),
            ),
        ),
    ] = "with-cancellations",
    replace: Annotated[
        bool, typer.Option("--replace", metavar="", help=t("Take the place of an earlier package."))
    ] = False,
    with_not_authentic: Annotated[
        bool,
        typer.Option(
            "--with-not-authentic",
            metavar="",
            help=t("Put in what is not authentic too; without it that is told as missing."),
        ),
    ] = False,
    split_models: Annotated[bool, typer.Option("--split-models", metavar="", help=t("A ZIP for each model."))] = False,
    no_ledger: Annotated[
        bool, typer.Option("--no-ledger", metavar="", help=t("Write no ledger beside the package."))
    ] = False,
    with_pdf: Annotated[
        bool,
        typer.Option(
            "--with-pdf",
            metavar="",
            help=t("The documents as PDF too (DANFE, DACTE), in a ZIP of their own beside the package."),
        ),
    ] = False,
    name_template: Annotated[
        str | None, typer.Option("--name-template", metavar="TEMPLATE", help=t("A template for the names of files."))
    ] = None,
    folder_template: Annotated[
        str | None, typer.Option("--folder-template", metavar="TEMPLATE", help=t("A template for the folders."))
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar=option_words.alternatives(("zip", "folder"), option_values.PACKAGE_FORMS),
            help=t("What it is written as (default: zip); into a folder a second run goes on where the first stopped."),
        ),
    ] = None,
    events: Annotated[
        str | None,
        typer.Option(
            "--events",
            metavar=option_words.alternatives(("own", "beside", "inside"), option_values.EVENT_FOLDERS),
            help=t(
                "Where events go: to a folder of their own (default), beside their documents, or inside a folder for "
                "each document."
            ),
        ),
    ] = None,
    bag: Annotated[
        bool, typer.Option("--bagit", metavar="", help=t("A BagIt bag (RFC 8493), the XML below data/."))
    ] = False,
    system: Annotated[
        str | None,
        typer.Option("--system", metavar="NAME", help=t("Folders and names for an accounting system; see --systems.")),
    ] = None,
    systems: Annotated[
        bool, typer.Option("--systems", metavar="", help=t("Only show the accounting systems, and what each imports."))
    ] = False,
    placeholders: Annotated[
        bool, typer.Option("--placeholders", metavar="", help=t("Only show what templates may have in braces."))
    ] = False,
) -> int:
    """1 where something is missing from a package; it is written all the same and says what."""
    if systems or placeholders:
        return _shown(face, systems, placeholders)
    if month is None:
        raise UsageFault(
            message("No month was named."), message("Name the month to hand over, as in --period 2026-10.")
        )
    wanted = typed_values.month(month)
    owner = typed_values.tax_id(company) if company is not None else None
    from confere.app.archive_session import OpenArchive
    from confere.app.packages import accounting_systems, export

    split = export.Split.MODEL if split_models else export.Split.ONE
    layout = accounting_systems.named(system or accounting_systems.STANDARD)
    choice = export.ExportChoice(
        options=export.PackageOptions(
            wanted,
            split,
            replace,
            with_not_authentic,
            export.Form(
                typed_values.choice("--as", form or layout.form, tuple(export.Form), option_values.PACKAGE_FORMS)
            ),
            export.Events(
                typed_values.choice(
                    "--events", events or layout.events, tuple(export.Events), option_values.EVENT_FOLDERS
                )
            ),
            bag,
        ),
        company=owner,
        target=to,
        profile=typed_values.choice("--profile", profile, export.PROFILES, option_values.PACKAGE_PROFILES),
        name_template=name_template or layout.document,
        folder_template=folder_template or layout.folder,
        with_ledger=not no_ledger,
        with_pdf=with_pdf,
    )
    with face.job() as reporter:
        packages = export.export(face.workspace, choice, reporter=reporter, stop=face.stop)
    others: tuple[export.Undeclared, ...] = ()
    if owner is None:
        opened = OpenArchive(face.workspace)
        others = export.undeclared(opened, wanted)
        opened.close()
    code = 1 if any(entry.contents.missing for entry in packages) else 0
    face.out.result(json_shapes.exported(packages, others), code)
    if face.out.for_people:
        reports.packages(face.out, packages)
        reports.undeclared(face.out, others, wanted)
        face.out.ends_with_1(*_lacks(packages))
    return code


def _shown(face: Face, systems: bool, placeholders: bool) -> int:
    """The lists that a person writes templates by; nothing is read of the archive."""
    from confere.app.packages import accounting_systems, file_names

    known = accounting_systems.every() if systems else ()
    names = file_names.placeholders() if placeholders else ()
    face.out.result(json_shapes.layouts(known, names))
    if face.out.for_people:
        reports.systems(face.out, known)
        reports.placeholders(face.out, names)
    return 0


def _lacks(found: Iterable[PackageResult]) -> list[str]:
    """What is missing from which package, by the name of its file, with the first of what it is about."""
    reasons = []
    for entry in found:
        file = ", ".join(path.name for path in entry.contents.paths) or entry.contents.company
        for lack in entry.contents.missing:
            names = [*lack.names[:_MOST_NAMES], *(["…"] if lack.count > _MOST_NAMES else [])]
            about = f" ({', '.join(names)})" if lack.names else ""
            reasons.append(f"{file}: {render(lack.what).rstrip('.')}{about}")
    return reasons
