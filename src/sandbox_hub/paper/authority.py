"""The sandbox's certificate authority: deterministic test keys and certificates, made when first needed."""

from __future__ import annotations


class Authority:
    """Root, intermediate and signers, all a function of `seed`; creating one costs nothing."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
