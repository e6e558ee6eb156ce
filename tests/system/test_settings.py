"""Settings are checked, kept whole, and a bad file costs a warning, never the program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from confere.errors import EnvironmentFault, UsageFault
from confere.system.settings import (
    APPEARANCE,
    BACKUPS_DAILY,
    BACKUPS_WEEKLY,
    BACKUPS_YEARLY,
    EXPORT_FOLDER,
    EXPORT_NAME,
    HIDE_PEOPLE,
    HUB_RATE,
    LANGUAGE,
    REGISTRY,
    AnySetting,
    Settings,
)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "settings.json"


def test_every_setting_has_its_own_key_a_good_default_and_a_label() -> None:
    assert len({setting.key for setting in REGISTRY}) == len(REGISTRY)
    for setting in REGISTRY:
        assert setting.accept(setting.default) == setting.default
        assert str(setting.label)


def test_without_a_file_there_are_defaults_and_no_warning(file: Path) -> None:
    settings = Settings(file)
    assert [settings.get(setting) for setting in REGISTRY] == [setting.default for setting in REGISTRY]
    assert settings.warnings == ()
    assert not file.exists()


def test_what_is_set_is_kept(file: Path) -> None:
    settings = Settings(file)
    settings.set(LANGUAGE, "pt-BR")
    settings.set(HUB_RATE, 5)
    settings.set(BACKUPS_DAILY, 9)
    settings.set(EXPORT_FOLDER, "{company}/{month}")
    settings.set(APPEARANCE, "dark")
    settings.set(HIDE_PEOPLE, True)
    settings.save()
    again = Settings(file)
    assert again.get(LANGUAGE) == "pt_BR"
    assert again.get(HUB_RATE) == 5.0
    assert again.get(BACKUPS_DAILY) == 9
    assert again.get(EXPORT_FOLDER) == "{company}/{month}"
    assert again.get(EXPORT_NAME) == ""
    assert again.get(APPEARANCE) == "dark"
    assert again.get(HIDE_PEOPLE) is True
    assert json.loads(file.read_text())["hide_people"] is True
    assert again.warnings == ()


def test_what_we_do_not_know_and_what_another_process_set_is_kept(file: Path) -> None:
    file.write_text(json.dumps({"from_a_newer_one": {"a": [1]}, "hub_rate": 3}))
    ours, theirs = Settings(file), Settings(file)
    theirs.set(BACKUPS_DAILY, 7)
    theirs.save()
    ours.set(LANGUAGE, "es")
    ours.save()
    assert json.loads(file.read_text()) == {
        "from_a_newer_one": {"a": [1]},
        "hub_rate": 3,
        "backups_daily": 7,
        "language": "es",
    }


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        (LANGUAGE, "klingon"),
        (LANGUAGE, 5),
        (HUB_RATE, 0),
        (HUB_RATE, "10"),
        (HUB_RATE, True),
        (HUB_RATE, float("nan")),
        (HUB_RATE, float("inf")),
        (BACKUPS_DAILY, 0),
        (BACKUPS_DAILY, 2.5),
        (BACKUPS_DAILY, True),
        (BACKUPS_DAILY, None),
        (BACKUPS_WEEKLY, -1),
        (BACKUPS_YEARLY, 1001),
        (EXPORT_NAME, "../{key}"),
        (EXPORT_NAME, "/{key}"),
        (EXPORT_NAME, "C:{key}"),
        (EXPORT_NAME, "a\\b"),
        (EXPORT_NAME, "{key"),
        (EXPORT_FOLDER, "a/../../b"),
        (EXPORT_FOLDER, ["a"]),
        (APPEARANCE, "pink"),
        (APPEARANCE, ""),
        (APPEARANCE, ["dark"]),
        (HIDE_PEOPLE, 1),
        (HIDE_PEOPLE, "true"),
        (HIDE_PEOPLE, None),
    ],
)
def test_what_makes_no_sense_is_refused_and_in_a_file_warned_about(
    file: Path, setting: AnySetting, value: object
) -> None:
    settings = Settings(file)
    with pytest.raises(UsageFault, match=setting.key):
        settings.set(setting, value)
    assert settings.get(setting) == setting.default

    file.write_text(json.dumps({setting.key: value, "backups_kept_": 1}))
    loaded = Settings(file)
    assert loaded.get(setting) == setting.default
    (warning,) = loaded.warnings
    assert setting.key in str(warning)
    assert str(file) in str(warning)


def test_the_former_name_of_a_setting_holds_until_it_is_set(file: Path) -> None:
    file.write_text(json.dumps({"backups_kept": 20}))
    settings = Settings(file)
    assert (settings.get(BACKUPS_DAILY), settings.get(BACKUPS_WEEKLY), settings.warnings) == (20, 5, ())
    settings.set(BACKUPS_DAILY, 4)
    settings.save()
    assert json.loads(file.read_text()) == {"backups_kept": 20, "backups_daily": 4}
    assert Settings(file).get(BACKUPS_DAILY) == 4
    file.write_text(json.dumps({"backups_kept": 0}))
    (warning,) = Settings(file).warnings
    assert "backups_daily" in str(warning)


@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2]", b"\xff\xfe\x00", b"null", b"[" * 200_000])
def test_a_file_that_cannot_be_understood_is_put_aside_not_lost(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    settings = Settings(file)
    assert len(settings.warnings) == 1
    assert file.read_bytes() == content
    settings.set(BACKUPS_DAILY, 3)
    settings.save()
    assert json.loads(file.read_text()) == {"backups_daily": 3}
    assert (file.parent / "settings.json.damaged").read_bytes() == content


def test_a_file_of_notepad_is_read(file: Path) -> None:
    file.write_bytes(b'\xef\xbb\xbf{"language": "en"}\r\n')
    assert Settings(file).get(LANGUAGE) == "en"
    assert Settings(file).warnings == ()


def test_a_folder_that_is_not_there_is_an_error_of_the_environment(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "nowhere" / "settings.json")
    settings.set(BACKUPS_DAILY, 3)
    with pytest.raises(EnvironmentFault, match="nowhere"):
        settings.save()
