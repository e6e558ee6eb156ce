"""How a sandbox is started: size, seed, misbehaviour, clock and files."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Literal

NONE = "none"
CLEAN_MONTHS = ("2026-02", "2026-06")
RetryAfter = Literal["none", "seconds", "date"]
ContractKind = Literal["own", "plain", "none"]
SANDBOX = "sandbox"
PRODUCTION = "production"
Environments = Literal["sandbox", "production", "both"]
DEFAULT_DOCUMENTS = 2_000
DEFAULT_SEED = 1
LARGEST_PRODUCTION = 240


@dataclass(frozen=True, slots=True)
class SandboxOptions:
    """`rate_limit` is in requests a second for each token; `clock` is ISO 8601 with its offset.

    `faults` is a comma list (see `sandbox_hub.faults.plan`). `port` 0 takes a free one. The tokens follow from the
    seed unless given. `documents` counts documents of the sandbox environment, not events; production holds a
    small world of its own. `orders` and `returns` False: the hub has no list of orders, or of returns.
    `anomalies` is `none`, `all` or a list like `R1=0.02,R12` (see `sandbox_hub.world.anomalies.spec`); nothing is
    planted in the `clean_months` (YYYY-MM). `withhold`: the share of the documents that the hub holds and never shows.
    `forget`: of each order only some evidence of its documents is left (see
    `sandbox_hub.world.orders.surviving_evidence`).
    `shape`: how the hub differs from the plain one (names of `sandbox_hub.shapes.names`, each may be a comma list).
    `catalog_errors`: the share of the products that the catalog describes otherwise than the invoices do (NCM, EAN,
    origin or unit).
    `strict_bodies`: writes to orders and feeds may hold what the specification shows and nothing else.
    `contract`: what the Spec lookup says: `own` is what this hub does, `plain` what the plain hub would do, and with
    `none` there is no lookup.
    `middleware`: a marketplace's middleware runs beside the hub and answers its hooks; `hooks` is the address of
    another one on this machine (http://127.0.0.1:PORT). Without either no publication passes pre-validation.
    `hook_timeout` is in seconds. `app_id` and the two app tokens are what a middleware says to the hub, `hook_secret`
    signs the hooks of both environments; they follow from the seed unless given.
    `callback`: where the sandbox environment (production, where that alone is served) posts a notification of each
    document that is created or edited, an http address of this machine.
    `environment`: which are served, each at an origin of its own; None: both at one, production below /production.
    `production_port` is that of production beside the sandbox, 0 a free one.
    """

    documents: int = DEFAULT_DOCUMENTS
    seed: int = DEFAULT_SEED
    faults: str = ""
    rate_limit: float | None = None
    retry_after: RetryAfter = "none"
    clock: str | None = None
    state_file: Path | None = None
    truth_file: Path | None = None
    port: int = 0
    host: str = "127.0.0.1"
    token: str | None = None
    production_token: str | None = None
    forget: bool = False
    anomalies: str = NONE
    clean_months: tuple[str, ...] = CLEAN_MONTHS
    withhold: float = 0.0
    orders: bool = True
    returns: bool = True
    shape: tuple[str, ...] = ()
    catalog_errors: float = 0.0
    strict_bodies: bool = False
    contract: ContractKind = "own"
    middleware: bool = False
    hooks: str | None = None
    hook_timeout: float = 5.0
    app_id: str | None = None
    app_token: str | None = None
    production_app_token: str | None = None
    hook_secret: str | None = None
    callback: str | None = None
    environment: Environments | None = None
    production_port: int = 0

    @property
    def served(self) -> tuple[str, ...]:
        """The environments that answer; the first is the one that is meant where none is named."""
        return (SANDBOX, PRODUCTION) if self.environment in (None, "both") else (str(self.environment),)

    @property
    def sandbox_token(self) -> str:
        return self.token or f"sandbox-token-{_tail(self.seed, 'sandbox')}"

    @property
    def token_of_production(self) -> str:
        return self.production_token or f"production-token-{_tail(self.seed, 'production')}"

    @property
    def marketplace_app_id(self) -> str:
        return self.app_id or f"app-{_tail(self.seed, 'app id')}"

    def app_token_of(self, environment: str) -> str:
        """What the middleware says to `sandbox` or `production`."""
        given = self.production_app_token if environment == "production" else self.app_token
        return given or f"{environment}-app-token-{_tail(self.seed, f'app {environment}')}"

    @property
    def secret_of_hooks(self) -> str:
        return self.hook_secret or f"hook-secret-{_tail(self.seed, 'hooks')}"

    @property
    def production_documents(self) -> int:
        return min(self.documents, LARGEST_PRODUCTION)


def _tail(seed: int, environment: str) -> str:
    return blake2b(f"{seed}:{environment}".encode(), digest_size=8).hexdigest()
