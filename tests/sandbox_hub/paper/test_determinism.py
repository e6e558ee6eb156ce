"""The same facts and seed give the same bytes in any process; another seed gives other signatures."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

from sandbox_hub.paper.document_factory import Authority, note_xml
from tests.conftest import ROOT
from tests.sandbox_hub.paper.cases import SALE

PROGRAM = """
import hashlib
from sandbox_hub.paper.document_factory import Authority
from tests.sandbox_hub.paper.cases import every_paper
for name, data in every_paper(Authority(7)).items():
    print(hashlib.sha256(data).hexdigest(), name)
"""


def in_another_process(hash_seed: str, zone: str) -> list[str]:
    """What a fresh interpreter makes of every case, under its own hash seed and time zone."""
    environment = os.environ | {"PYTHONHASHSEED": hash_seed, "TZ": zone, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout.splitlines()


def test_same_bytes_in_every_process(papers: dict[str, bytes]) -> None:
    here = [f"{hashlib.sha256(data).hexdigest()} {name}" for name, data in papers.items()]
    assert in_another_process("1", "UTC") == here
    assert in_another_process("4242", "Asia/Tokyo") == here


def test_another_seed_signs_otherwise(papers: dict[str, bytes]) -> None:
    here = papers["note: sale between states, 2026"]
    other = note_xml(SALE, Authority(8))
    assert other != here
    assert other.split(b"<Signature ")[0] == here.split(b"<Signature ")[0]
