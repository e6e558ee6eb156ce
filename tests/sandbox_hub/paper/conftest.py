"""The authority and the papers that all tests of the mill share: keys are dear, so they are made once."""

from __future__ import annotations

import pytest

from sandbox_hub.paper.document_factory import Authority
from tests.sandbox_hub.paper.cases import every_paper


@pytest.fixture(scope="session")
def authority() -> Authority:
    return Authority(7)


@pytest.fixture(scope="session")
def papers(authority: Authority) -> dict[str, bytes]:
    return every_paper(authority)
