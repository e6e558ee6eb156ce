"""The other models by command: brought in, listed, shown, judged, handed over, read again, and no rule's business."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from sandbox_hub.paper.authority import Authority
from tests.cli.running import Call
from tests.fiscal import heads_made as made
from tests.fiscal.authenticity.test_other_models import signed_cancellation
from tests.fiscal.made import EMITTER

KEYS = {"gtve": made.gtve_key(), "dce": made.dce_key(), "cfe": made.cfe_key(), "nfse": made.nfse_key()}
WORTH = {"gtve": None, "dce": "45.90", "cfe": "10.00", "nfse": "200.00"}


@pytest.fixture
def home(call: Call, tmp_path: Path) -> Path:
    """An archive with one of each that is written by hand, and a manifest that lists a note."""
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in KEYS:
        (folder / f"{name}.xml").write_text(getattr(made, name)(), encoding="utf-8")
    home = tmp_path / "home"
    done = call("import", folder, "--home", home, "--json")
    assert (done.code, done.json["documents"]) == (0, 4)
    return home


@pytest.mark.parametrize("kind", KEYS)
def test_each_is_listed_by_its_type_and_shown_by_its_key(call: Call, home: Path, kind: str) -> None:
    (listed,) = call("list", "--type", kind, "--home", home, "--json").json["documents"]
    assert (listed["access_key"], listed["type"], listed["total"]) == (KEYS[kind], kind, WORTH[kind])
    assert listed["state"] == "authorized"
    shown = call("show", KEYS[kind], "--home", home, "--json").json
    assert shown["access_key"] == KEYS[kind]
    assert shown["detail"]["parties"][0]["party"]["tax_id"] == EMITTER
    assert KEYS[kind] in call("show", KEYS[kind], "--home", home).out
    # By company and month, by the words of its field, and by its key alone.
    of_month = call("list", "--company", EMITTER, "--month", "2026-08", "--home", home, "--json").json["documents"]
    assert KEYS[kind] in {entry["access_key"] for entry in of_month}
    for words in (f"tipo:{kind}", KEYS[kind]):
        found = call("list", words, "--home", home, "--json").json["documents"]
        assert [entry["access_key"] for entry in found] == [KEYS[kind]], words


def test_the_service_and_what_is_withheld_are_shown(call: Call, home: Path) -> None:
    shown = call("show", KEYS["nfse"], "--home", home, "--json").json["detail"]["service"]
    assert (shown["code"], shown["price"], shown["iss_base"], shown["iss_rate"], shown["iss"]) == (
        "100501",
        "200.00",
        "200.00",
        "5.00",
        "10.00",
    )
    assert (shown["iss_withheld_by"], shown["withheld"], shown["net"]) == (
        "2",
        [{"name": "vRetIRRF", "amount": "3.00"}],
        "187.00",
    )
    said = call("show", KEYS["nfse"], "--home", home).out
    for words in ("Comissão sobre vendas de julho", "100501", "R$ 10,00", "R$ 13,00", "R$ 187,00"):
        assert words in said


def test_what_is_not_signed_in_good_order_cancels_nothing(call: Call, home: Path, tmp_path: Path) -> None:
    for name in ("nfse_event", "cfe_cancelled"):
        path = tmp_path / f"{name}.xml"
        path.write_text(getattr(made, name)(), encoding="utf-8")
        assert call("import", path, "--home", home).code == 0
    doubted = call("list", "--not-believed", "--home", home, "--json")
    assert doubted.code == 0
    for kind in ("nfse", "cfe"):
        shown = call("show", KEYS[kind], "--home", home, "--json").json
        assert (shown["standing"]["state"], shown["standing"]["ground"]) == ("authorized", "contradicted")
        assert len(shown["events"]) == 1


def test_a_coupon_that_its_equipment_cancelled_is_cancelled(call: Call, home: Path, tmp_path: Path) -> None:
    """Authorities of SAT equipment are no part of ICP-Brasil: its signature holds, and is not checked to its end."""
    path = tmp_path / "cancelled.xml"
    path.write_text(signed_cancellation(Authority(7)), encoding="utf-8")
    assert call("import", path, "--home", home).code == 0
    shown = call("show", KEYS["cfe"], "--home", home, "--json").json
    assert shown["state"] == "cancelled"
    assert shown["standing"]["ground"] == "unchecked_event"


def test_verify_tells_what_it_cannot_know(call: Call, home: Path) -> None:
    done = call("verify", "--home", home, "--json")
    assert done.code in (0, 1)
    lines = {
        line["check"]: line["result"]
        for entry in call("show", KEYS["nfse"], "--home", home, "--json").json["verdicts"]
        for line in entry["lines"]
    }
    assert (lines["check_digit"], lines["protocol"]) == ("ok", "not_applicable")


def test_the_package_has_a_folder_and_a_name_for_each(call: Call, home: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.zip"
    package = ("export", "--company", EMITTER, "--month", "2026-08", "--with-not-authentic", "--to", target)
    assert call(*package, "--home", home).code == 0
    with zipfile.ZipFile(target) as package_file:
        names = {name.partition("2026-08/")[2] for name in package_file.namelist()}
    assert names == {
        f"gtve/out/{KEYS['gtve']}-procGTVe.xml",
        f"dce/out/{KEYS['dce']}-procDCe.xml",
        f"cfe/out/{KEYS['cfe']}-cfe.xml",
        f"nfse/out/{KEYS['nfse']}-nfse.xml",
    }


def test_they_are_read_again_and_printed(call: Call, home: Path, tmp_path: Path) -> None:
    done = call("reindex", "--all", "--home", home, "--json")
    assert done.code == 0
    assert len(call("list", "--home", home, "--json").json["documents"]) == len(KEYS)
    for kind, key in KEYS.items():
        assert call("pdf", key, "--output", tmp_path / f"{kind}.pdf", "--home", home).code == 0
        assert (tmp_path / f"{kind}.pdf").read_bytes()[:5] == b"%PDF-"


def test_a_manifest_names_what_it_lists(call: Call, home: Path, tmp_path: Path) -> None:
    path = tmp_path / "manifest.xml"
    listed = made.cte_listed()
    path.write_text(made.mdfe(listed), encoding="utf-8")
    assert call("import", path, "--home", home).code == 0
    shown = call("show", made.mdfe_key(), "--home", home, "--json").json
    assert [(entry["kind"], entry["access_key"]) for entry in shown["relations"]] == [("manifests", listed)]
    assert listed in call("relations", made.mdfe_key(), "--home", home).out.replace(" ", "")
