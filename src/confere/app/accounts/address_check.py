"""The check of a hub's address while it is typed: the same one that an account is added with."""

from __future__ import annotations

from confere.hub.address import normalise as normalise
