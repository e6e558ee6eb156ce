"""A time stamping authority of a test's own: `openssl ts` behind HTTP on loopback."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.intake.served import Answer

_CONFIG = """
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[signer]
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[tsa]
serial = {folder}/serial
default_policy = 1.2.3.4.1
digests = sha256
signer_digest = sha256
ess_cert_id_chain = no
"""


@dataclass
class Authority:
    """`refuses`: it answers with this status instead; `stale`: it answers what it answered first."""

    folder: Path
    address: str = ""
    now: datetime = datetime(2026, 11, 1, tzinfo=UTC)
    refuses: int = 0
    stale: bool = False
    first: bytes = b""
    queries: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        (self.folder / "ts.cnf").write_text(_CONFIG.format(folder=self.folder), encoding="utf-8")
        self._openssl(
            "req -x509 -new -newkey ec:curve -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=Root"
            " -extensions authority"
        )
        self._openssl("req -new -newkey ec:curve -nodes -keyout tsa.key -out tsa.csr -subj /CN=Stamps")
        self._openssl(
            "x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out tsa.pem -days 30"
            " -extfile ts.cnf -extensions signer"
        )

    @property
    def root(self) -> bytes:
        return (self.folder / "ca.pem").read_bytes()

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        self.queries += (body,)
        if self.refuses:
            return self.refuses, {}
        if not (self.stale and self.first):
            (self.folder / "query").write_bytes(body)
            self._openssl("ts -reply -queryfile query -inkey tsa.key -signer tsa.pem -section tsa -out reply")
            self.first = (self.folder / "reply").read_bytes()
        return 200, self.first

    def _openssl(self, line: str) -> None:
        words = line.split()
        if words[0] in ("req", "ts"):
            words += ["-config", "ts.cnf"]
        if "ec:curve" in words:
            at = words.index("ec:curve")
            words[at : at + 1] = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)
