"""Another data folder: chosen, copied to, refused, gone at the start, and never an empty archive in its place."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path, PurePosixPath, PureWindowsPath

import platformdirs
import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.maintenance import doctor, home_folder
from confere.archive.accounts import audit
from confere.archive.documents import documents
from confere.archive.maintenance import shared_memory
from confere.archive.maintenance.backups import backup_check
from confere.cli.main import run
from confere.errors import (
    ArchiveMissing,
    Cancelled,
    ConfereError,
    DiskFull,
    EnvironmentFault,
    HomeGone,
    NotInArchive,
    UsageFault,
)
from confere.system.folders import chosen_folder, cloud_folder
from confere.system.paths import Home, HomeOrigin, cloud_warning, find_home
from confere.system.processes.cancellation import Stop
from confere.system.settings import LANGUAGE
from tests.app.made import account, workspace_at
from tests.archive.papers import key, note, store
from tests.cli.json_recorder import answer_of


@pytest.fixture(autouse=True)
def own_places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The places of the system are this test's own."""
    monkeypatch.delenv("CONFERE_HOME", raising=False)
    monkeypatch.setattr(platformdirs, "user_config_dir", lambda *_, **__: str(tmp_path / "config" / "Confere"))
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "data" / "Confere"))


@pytest.fixture
def made(tmp_path: Path) -> Workspace:
    """The usual folder, with an archive and settings."""
    workspace = workspace_at(tmp_path / "data" / "Confere")
    with workspace.writing("test") as archive:
        account(archive)
        store(archive, note(1))
    workspace.settings.set(LANGUAGE, "pt_BR")
    workspace.settings.save()
    (workspace.home.root / "trust").mkdir()
    (workspace.home.root / "trust" / "own.pem").write_text("mine", encoding="ascii")
    return workspace


def holds(workspace: Workspace) -> bool:
    """Whether the document is in the archive."""
    with workspace.reading() as archive, archive.reading() as transaction:
        return documents.current(transaction, key(1)) is not None


def test_the_chosen_folder_is_used_from_the_next_start_on(made: Workspace, tmp_path: Path) -> None:
    target = tmp_path / "Dados São" / "Confere"
    target.parent.mkdir()
    done = home_folder.choose(made.home, target, copy=True)
    assert done.copied is not None and done.copied.documents == backup_check.contents(made.home.archive).documents > 0
    found = find_home()
    assert (found.root, found.origin) == (target, HomeOrigin.CHOSEN)
    moved = Workspace.at()
    assert holds(moved) and holds(made), "the archive was copied, not moved"
    assert moved.settings.get(LANGUAGE) == "pt_BR"
    assert (target / "trust" / "own.pem").read_text(encoding="ascii") == "mine"
    with moved.reading() as archive, archive.reading() as transaction:
        assert (line := audit.lines(transaction, 1)[0]).action == "archive copied" and line.subject == str(
            made.home.root
        )
    with moved.writing("test") as archive:
        store(archive, note(2))
    assert find_home(made.home.root).origin is HomeOrigin.OPTION, "--home wins"
    assert find_home(None, {"CONFERE_HOME": str(tmp_path)}).root == tmp_path, "and so does the variable"
    assert home_folder.forget() == made.home.root
    assert find_home().root == made.home.root and find_home().origin is HomeOrigin.USUAL


def test_without_a_copy_the_other_folder_begins_empty_or_with_its_own_archive(made: Workspace, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    home_folder.choose(made.home, empty, copy=False)
    assert not Workspace.at().home.archive.exists()
    other = workspace_at(tmp_path / "other")
    with other.writing("test") as archive:
        store(archive, note(7))
    done = home_folder.choose(made.home, other.home.root, copy=False)
    assert done.look.has_archive and Workspace.at().home == other.home
    with pytest.raises(UsageFault, match="has an archive already"):
        home_folder.choose(made.home, other.home.root, copy=True)
    with pytest.raises(NotInArchive, match="no archive here"):
        home_folder.choose(Home(empty), tmp_path / "another", copy=True)


@pytest.mark.parametrize(
    ("place", "error", "words"),
    [
        ("data/Confere/backups/mine", UsageFault, "inside the data folder"),
        ("photos", UsageFault, "holds other things: photo.jpg"),
        ("photos/photo.jpg", UsageFault, "is a file"),
        ("photos/photo.jpg/below", UsageFault, "in which it could be made"),
        ("phottos/Confere", UsageFault, "in which it could be made"),
        ("newer", ConfereError, "archive.sqlite3"),
    ],
)
def test_a_folder_that_cannot_be_meant_is_refused_and_nothing_is_remembered(
    made: Workspace, tmp_path: Path, place: str, error: type[ConfereError], words: str
) -> None:
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "photo.jpg").write_bytes(b"mine")
    (tmp_path / "newer").mkdir()
    (tmp_path / "newer" / "archive.sqlite3").write_bytes(b"no archive" * 100)
    with pytest.raises(error, match=words):
        home_folder.choose(made.home, tmp_path / place, copy=False)
    assert chosen_folder.read() is None
    assert (tmp_path / "photos" / "photo.jpg").read_bytes() == b"mine"
    assert sorted(path.name for path in (tmp_path / "photos").iterdir()) == ["photo.jpg"]


def test_a_folder_with_other_things_gets_one_of_its_own_in_it(made: Workspace, tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick" / "photo.jpg").touch()
    (tmp_path / "blank").mkdir()
    (tmp_path / "blank" / "System Volume Information").mkdir()
    (tmp_path / "blank" / ".DS_Store").touch()
    assert home_folder.fitting(made.home, tmp_path / "stick") == tmp_path / "stick" / "Confere"
    assert home_folder.fitting(made.home, tmp_path / "blank") == tmp_path / "blank", "what systems put there is nothing"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place where nobody can write")
def test_a_place_that_cannot_be_written_is_refused(made: Workspace) -> None:
    with pytest.raises(EnvironmentFault):
        home_folder.choose(made.home, Path("/proc/Confere"), copy=True)
    assert chosen_folder.read() is None


def test_a_copy_that_does_not_fit_or_is_stopped_leaves_nothing(
    made: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "target"
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        home_folder.choose(made.home, target, copy=True, stop=stop)
    monkeypatch.setattr(home_folder.restore, "free_bytes", lambda _: shared_memory.FREE_TO_WRITE)
    with pytest.raises(DiskFull):
        home_folder.choose(made.home, target, copy=True)
    assert chosen_folder.read() is None and find_home().root == made.home.root
    assert not list(target.glob("archive*.sqlite3")) and not list(target.glob("archive-restore-*"))


def test_a_drive_that_is_gone_never_becomes_an_empty_archive(made: Workspace, tmp_path: Path) -> None:
    drive = tmp_path / "drive"
    target = drive / "Confere"
    drive.mkdir()
    home_folder.choose(made.home, target, copy=True)
    shutil.move(drive, tmp_path / "unplugged")
    for folder in (None, target):  # as it is started, and as a child of the window or a scheduler names it
        with pytest.raises(HomeGone, match="is not there") as caught:
            Workspace.at(folder)
        assert "--forget" in str(caught.value.remedy)
    with pytest.raises(HomeGone):
        find_home().ensure()
    assert not drive.exists()
    target.mkdir(parents=True)  # a mount point that is empty, or another drive with the same letter
    with pytest.raises(HomeGone, match="is not the data folder that was chosen"):
        Workspace.at()
    assert not list(target.iterdir())
    facts = home_folder.facts(find_home())
    assert not facts.is_there and facts.problem is not None and facts.chosen == target
    shutil.rmtree(drive)
    shutil.move(tmp_path / "unplugged", drive)
    assert holds(Workspace.at())
    (target / chosen_folder.MARK).unlink()
    assert holds(Workspace.at()), "an archive is mark enough"


def test_a_folder_into_which_nobody_may_look_is_as_one_that_is_gone(
    made: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A drive that is locked, another user's folder, a share that does not answer: asking for it is an error itself."""
    hidden = tmp_path / ("a" * 300)  # as is a name that is too long
    chosen_folder.choice_file().parent.mkdir(parents=True, exist_ok=True)
    chosen_folder.choice_file().write_text(json.dumps({"path": str(hidden), "mark": "1"}), encoding="utf-8")
    with pytest.raises(HomeGone, match="is not there"):
        Workspace.at()
    facts = home_folder.facts(find_home())
    assert not facts.is_there and not facts.has_archive and facts.problem is not None
    home_folder.forget()
    with pytest.raises(EnvironmentFault):
        home_folder.choose(made.home, hidden, copy=False)
    assert find_home().root == made.home.root
    other = Workspace.at(hidden)
    assert not OpenArchive(other).exists
    with pytest.raises(ArchiveMissing, match="cannot be opened"):
        other.reading()
    found = doctor.examine(other)
    assert "cannot be opened" in str(next(entry.what for entry in found.findings if entry.topic == "archive"))
    assert run(("list", "--home", str(hidden))) == ArchiveMissing.exit_code
    assert "cannot be opened" in capsys.readouterr().err


def test_the_way_out_of_a_drive_that_is_gone(made: Workspace, tmp_path: Path) -> None:
    target = tmp_path / "drive" / "Confere"
    target.parent.mkdir()
    home_folder.choose(made.home, target, copy=False)
    shutil.rmtree(tmp_path / "drive")
    code, text = answer_of("list", "--json")
    assert code == 3 and "is not there" in text
    code, text = answer_of("home", "--json")
    shown = json.loads(text)
    assert (code, shown["there"], shown["next"], shown["origin"]) == (1, False, str(target), "chosen")
    code, text = answer_of("home", str(tmp_path / "another"), "--json")
    assert (code, json.loads(text)["next"]) == (0, str(tmp_path / "another"))
    assert find_home().root == tmp_path / "another"
    target.parent.mkdir()
    home_folder.choose(find_home(), target, copy=False)  # to begin anew in the same place is a choice too
    assert Workspace.at().home.root == target
    code, text = answer_of("home", "--forget", "--json")
    assert (code, json.loads(text)["next"]) == (0, str(made.home.root))


def test_a_choice_that_cannot_be_read_is_said_and_not_passed_over(made: Workspace, tmp_path: Path) -> None:
    home_folder.choose(made.home, tmp_path / "target", copy=False)
    chosen_folder.choice_file().write_text("{", encoding="ascii")
    with pytest.raises(HomeGone, match="cannot be read"):
        Workspace.at()
    assert holds(Workspace.at(made.home.root)), "a folder that is named needs no choice"
    home_folder.forget()
    assert holds(Workspace.at())


def test_the_choice_lies_beside_a_usual_folder_that_is_the_place_for_configuration_too(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(platformdirs, "user_config_dir", lambda *_, **__: str(tmp_path / "data" / "Confere"))
    assert not chosen_folder.choice_file().is_relative_to(chosen_folder.usual_folder())


def test_unattended_runs_of_the_old_folder_are_named(made: Workspace, tmp_path: Path) -> None:
    made.home.schedule.write_text("{}", encoding="ascii")
    (tmp_path / "target").mkdir()
    done = home_folder.choose(made.home, tmp_path / "target", copy=False)
    assert [str(made.home.root) in str(line) for line in done.notes] == [True]


def test_a_new_folder_is_said(made: Workspace, tmp_path: Path) -> None:
    done = home_folder.choose(made.home, tmp_path / "new", copy=False)
    assert list(map(str, done.notes)) == [f"The folder {tmp_path / 'new'} was not there and was made."]
    assert home_folder.choose(made.home, tmp_path / "new", copy=False).notes == ()
    assert not (tmp_path / "phottos").exists()


@pytest.mark.parametrize(
    ("path", "name"),
    [
        (PureWindowsPath(r"C:\Users\Ana\OneDrive - Loja Ltda\Confere"), "OneDrive - Loja Ltda"),
        (PureWindowsPath(r"D:\Dropbox\notas"), "Dropbox"),
        (PureWindowsPath(r"G:\My Drive\Confere"), "My Drive"),
        (PureWindowsPath(r"C:\Users\Ana\iCloudDrive\Confere"), "iCloudDrive"),
        (PureWindowsPath(r"C:\Users\Ana\AppData\Local\Confere"), None),
        (PurePosixPath("/Users/ana/Library/CloudStorage/GoogleDrive-ana@x.br/My Drive/c"), "CloudStorage"),
        (PurePosixPath("/Users/ana/Library/Mobile Documents/com~apple~CloudDocs/c"), "Mobile Documents"),
        (PurePosixPath("/home/ana/Nextcloud/c"), "Nextcloud"),
        (PurePosixPath("/home/ana/dropboxes/c"), None),
    ],
)
def test_folders_that_are_kept_equal_to_a_clouds_are_known(
    path: PureWindowsPath | PurePosixPath, name: str | None
) -> None:
    assert cloud_folder.cloud_name(path) == name


def test_a_synced_folder_is_warned_of_and_not_refused(made: Workspace, tmp_path: Path) -> None:
    (tmp_path / "anything" / ".dropbox.cache").mkdir(parents=True)
    done = home_folder.choose(made.home, tmp_path / "anything" / "Confere", copy=False)
    assert ["synced folder anything" in str(warning) for warning in done.look.warnings] == [True]
    assert cloud_warning(Workspace.at().home) is not None and cloud_warning(made.home) is None
    kept = {"OneDriveCommercial": str(tmp_path / "Loja")}
    assert cloud_folder.cloud_of(tmp_path / "Loja" / "x", kept) == "Loja"


def test_a_windows_path_without_its_drive_is_refused(
    made: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform != "win32":
        monkeypatch.setattr(home_folder.sys, "platform", "win32")
        monkeypatch.setattr(home_folder, "Path", PureWindowsPath)
    for named in ("D:data", r"\data"):
        with pytest.raises(UsageFault, match="no whole path"):
            home_folder._absolute(PureWindowsPath(named))  # type: ignore[arg-type]
