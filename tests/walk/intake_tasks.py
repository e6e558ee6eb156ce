"""Tasks that bring something in: an account with a wrong token first, a folder with bad files, a sync cut short."""

from __future__ import annotations

import zipfile
from pathlib import Path

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import start
from tests.archive.papers import key, note
from tests.walk.hand import Hand
from tests.walk.papers_tasks import answer_file_dialog
from tests.walk.stage import Stage
from tests.walk.window_view import View

ACCOUNT = "Segunda loja"
WORLD = SandboxOptions(documents=60, seed=21, faults="slow=1")
_WRONG = "not-the-token"
_ADDS = "Connect an account"
_HOSTILE = ("../../escaped.xml", "/tmp/confere-walk-absolute.xml", "C:\\Windows\\evil.xml", "..\\..\\escaped.xml")
_ODD = ("CON.xml", "nota\u202elmx.exe.xml", "a" * 200 + ".xml")


def add_account(hand: Hand, stage: Stage) -> None:
    """With a wrong token first: a sentence says so; the right one is tested, and Enter saves."""
    hub = start(WORLD)
    stage.at_end(hub.stop)
    hand.click("Settings", "QToolButton")
    hand.click("Add an account…", "QPushButton")
    hand.window(_ADDS)
    hand.type(ACCOUNT)
    hand.chord("Tab", "Down", "Tab")  # the environment: the hub's test one
    hand.type(hub.address)
    hand.chord("Tab")
    hand.type("walk")
    hand.click("Token", "QLineEdit")
    hand.type(_WRONG)
    hand.click("Token file", "QLineEdit")
    hand.type(str(stage.desk / "token.txt"))
    hand.click("Test connection", "QPushButton")
    hand.until(lambda view: any("(401)" in text for text in _sentences(view)), "why the token was refused")
    assert ACCOUNT not in _accounts(stage), "an account is kept although its token was refused"
    hand.click("Token", "QLineEdit")
    hand.chord("ctrl+a")
    hand.type(hub.token)
    hand.click("Test connection", "QPushButton")
    lists = f" {WORLD.documents} "
    hand.until(lambda view: any(lists in text for text in _sentences(view)), "what the hub answers")
    hand.chord("Return")
    hand.main_window()
    hand.until(lambda _: ACCOUNT in _accounts(stage), "the account in the archive")


def import_folder(hand: Hand, stage: Stage) -> None:
    """Good notes, a broken XML, one that is not fiscal, a text, and a ZIP with hostile names."""
    inbox = stage.desk / "inbox"
    inbox.mkdir()
    good = [901, *(920 + place for place in range(len(_ODD)))]
    (inbox / "good.xml").write_bytes(note(901))
    (inbox / "broken.xml").write_bytes(note(902)[:400])
    (inbox / "news.xml").write_text("<rss><channel/></rss>")
    (inbox / "letter.txt").write_text("Bom dia")
    with zipfile.ZipFile(inbox / "hostile.zip", "w") as packed:
        for place, name in enumerate(_HOSTILE):
            packed.writestr(name, note(910 + place))
        for place, name in enumerate(_ODD):
            packed.writestr(name, note(920 + place))
    before = _files_outside(stage, inbox)
    hand.chord("ctrl+shift+o")
    answer_file_dialog(hand, inbox)
    wanted = {key(number) for number in good}
    hand.until(lambda view: wanted <= _keys(stage) and not view.facts["jobs"], "the good notes here", patience=180)
    assert _keys(stage) & {key(number) for number in range(902, 920)} == set(), "a hostile name was let in"
    assert _files_outside(stage, inbox) == before, "a file was written beside the folder"
    assert not Path("/tmp/confere-walk-absolute.xml").exists()
    kept = stage.rows("SELECT count(*) FROM content WHERE problem IS NOT NULL")
    assert kept == [(1 + len(_HOSTILE),)], "what cannot be read is kept with its reason"
    hand.until(lambda view: view.has("Show what failed", "QPushButton"), "a way to what failed")


def stop_and_resume(hand: Hand, stage: Stage) -> None:
    """A sync that is stopped goes on where it stopped."""
    _sync(hand)
    hand.until(lambda _: 0 < _downloaded(stage) < WORLD.documents, "some of the XML")
    hand.click("Stop what is running", "QToolButton")
    hand.until(lambda view: not view.facts["jobs"], "the end of the sync", patience=180)
    kept = _downloaded(stage)
    assert 0 < kept < WORLD.documents, f"{kept} of {WORLD.documents} XML when it was stopped"
    asked = _runs(stage)
    assert asked[-1][0] == "stopped", asked
    _sync(hand)
    hand.until(lambda _: _downloaded(stage) == WORLD.documents, "all of the XML", patience=180)
    hand.until(lambda view: not view.facts["jobs"], "the end of what follows a sync", patience=180)
    assert [outcome for outcome, _ in _runs(stage)][-2:] == ["stopped", "done"]


def _sync(hand: Hand) -> None:
    hand.click("Sync ▾", "QToolButton")
    hand.click(lambda view: next(found for found in view.matching("Only {account}", "QMenu") if ACCOUNT in found.text))
    hand.until(lambda view: "sync" in view.facts["jobs"], "the sync")


def _sentences(view: View) -> list[str]:
    """The texts of the dialog in front."""
    return [widget["text"] for widget in view.of_class("Label") if widget["window"] == view.facts["active"]]


def _accounts(stage: Stage) -> set[str]:
    return {account["name"] for account in stage.told("account", "list")["accounts"]}


def _keys(stage: Stage) -> set[str]:
    return {row[0] for row in stage.rows("SELECT access_key FROM document WHERE access_key IS NOT NULL")}


def _downloaded(stage: Stage) -> int:
    """Documents of the account that are here with their XML."""
    sql = (
        "SELECT count(DISTINCT document.id) FROM document JOIN account ON account.id = document.hub_account_id"
        " WHERE account.name = ?"
    )
    return int(stage.rows(sql, ACCOUNT)[0][0])


def _runs(stage: Stage) -> list[tuple[str, str]]:
    """How the syncs of the account ended, the newest last."""
    sql = (
        "SELECT run.outcome, run.counts FROM run JOIN account ON account.id = run.account_id"
        " WHERE account.name = ? AND run.kind = 'sync' ORDER BY run.id"
    )
    return [(outcome, counts) for outcome, counts in stage.rows(sql, ACCOUNT)]


def _files_outside(stage: Stage, inbox: Path) -> set[Path]:
    """Every XML file near the data folder and the accountant's folder, but for those that were put there."""
    return {path for path in stage.desk.parent.rglob("*.xml") if inbox not in path.parents}
