"""A preview is what the export then writes, to the name; and whose documents no export has is told."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.packages import export
from confere.app.packages.export import ExportChoice, PackageOptions, Split
from confere.errors import Cancelled, ExportRefused, UsageFault
from confere.system.processes.cancellation import Stop
from tests.export.made import CARRIER, COMPANY, MONTH, OTHER, event, freight, key, note, store


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.at(tmp_path / "home")


@pytest.fixture
def opened(workspace: Workspace) -> OpenArchive:
    return OpenArchive(workspace)


def fill(workspace: Workspace) -> None:
    with workspace.writing("test") as archive:
        store(
            archive,
            *(note(number) for number in range(1, 20)),
            note(40, model="65"),
            event(key(3)),
            event(key(77, month="2026-09")),
            freight(1),
            note(77, day="2026-09-30"),
            note(60, emitter=OTHER, recipient=COMPANY),
        )


@pytest.mark.parametrize("profile", export.PROFILES)
@pytest.mark.parametrize("split", [False, True])
def test_a_preview_says_what_the_export_writes(
    workspace: Workspace, opened: OpenArchive, tmp_path: Path, profile: str, split: bool
) -> None:
    fill(workspace)
    choice = ExportChoice(
        PackageOptions(MONTH, split=Split.MODEL if split else Split.ONE), COMPANY, tmp_path / "out", profile=profile
    )
    (told,) = export.preview(opened, choice)
    assert not (tmp_path / "out").exists() and not list(workspace.home.exports.iterdir())
    (done,) = export.export(workspace, choice)
    assert told.contents == done.contents
    inside: list[str] = []
    size = 0
    for path in done.contents.paths:
        with zipfile.ZipFile(path) as archive:
            inside += archive.namelist()
            size += sum(entry.file_size for entry in archive.infolist())
    assert told.bytes == size
    assert len(told.names) == min(12, done.contents.xml)
    assert set(told.names) <= set(inside)
    if not split:
        assert list(told.names) == inside[:12]
    assert told.existing == () and not told.exists
    assert export.preview(opened, choice)[0].existing == done.contents.paths
    opened.close()


def test_nothing_to_hand_over_is_no_error_for_one_company(
    workspace: Workspace, opened: OpenArchive, tmp_path: Path
) -> None:
    fill(workspace)
    (told,) = export.preview(opened, ExportChoice(PackageOptions("2026-01"), COMPANY, tmp_path / "out"))
    assert (told.contents.xml, told.names, told.contents.paths) == (
        0,
        (),
        (tmp_path / "out" / f"{COMPANY}-2026-01.zip",),
    )
    with pytest.raises(ExportRefused):
        export.preview(opened, ExportChoice(PackageOptions("2026-01")))


def test_a_preview_refuses_what_the_export_refuses(workspace: Workspace, opened: OpenArchive, tmp_path: Path) -> None:
    fill(workspace)
    assert {entry.contents.company for entry in export.preview(opened, ExportChoice(PackageOptions(MONTH)))} >= {
        COMPANY,
        OTHER,
    }
    for choice in (
        ExportChoice(PackageOptions(MONTH), target=tmp_path / "one.zip"),
        ExportChoice(PackageOptions(MONTH), COMPANY, profile="nonsense"),
        ExportChoice(PackageOptions("2026-13"), COMPANY),
        ExportChoice(PackageOptions(MONTH), "1"),
    ):
        with pytest.raises(UsageFault):
            export.preview(opened, choice)
    with pytest.raises(UsageFault, match="its braces do not come in pairs"):
        export.preview(opened, ExportChoice(PackageOptions(MONTH), COMPANY, name_template="{key.xml"))
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        export.preview(opened, ExportChoice(PackageOptions(MONTH), COMPANY), stop)


def test_whose_documents_no_package_has_is_told(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        store(
            archive,
            note(1),
            note(2, emitter=OTHER, recipient=COMPANY),
            note(3, emitter=OTHER, recipient="52998224725"),
            note(4, emitter=OTHER, recipient="52998224725", day="2026-09-30"),
            freight(1, sender=OTHER),
            freight(2, sender=OTHER),
        )
    assert export.undeclared(opened, MONTH) == ()  # without accounts everybody is known
    accounts.add(workspace, NewAccount("shop", "https://hub.example", "p", "sandbox", (COMPANY,)), None)
    found = export.undeclared(opened, MONTH)
    assert [(entry.tax_id, entry.documents) for entry in found] == [(CARRIER, 2), (OTHER, 1)]
    assert found[1].name == "Loja São João"
    packages = export.export(workspace, ExportChoice(PackageOptions(MONTH)))
    assert [entry.contents.documents for entry in packages] == [2]
    with pytest.raises(UsageFault):
        export.undeclared(opened, "2026-13")
    opened.close()
