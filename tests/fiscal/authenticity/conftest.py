"""The signed papers of the sandbox and the trust that goes with them: keys are dear, so they are made once."""

from __future__ import annotations

import pytest

from confere.fiscal.authenticity.certificates.trust_chain import Trust
from sandbox_hub.paper.document_factory import Authority
from tests.sandbox_hub.paper.cases import every_paper


@pytest.fixture(scope="session")
def authority() -> Authority:
    return Authority(7)


@pytest.fixture(scope="session")
def papers(authority: Authority) -> dict[str, bytes]:
    return every_paper(authority)


@pytest.fixture(scope="session")
def sandbox_trust(authority: Authority) -> Trust:
    """As a sandbox account's: the sandbox's root and issuer beside nothing else."""
    return Trust.of(extra=[authority.root_pem(), authority.issuer_pem()])
