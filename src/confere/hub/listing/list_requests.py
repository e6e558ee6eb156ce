"""The requests for one list: which parameters the hub takes at all, and how it says that there is nothing.

The first page is asked for by its size alone, since nobody needs to say where a list begins: a hub that refuses
parameters it does not know is met without a refusal. Where it refuses that too, smaller sizes, other names for the
size and no parameter at all follow. A refusal under a filter is first held against the list without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from confere.errors import HubError, HubNotFound, HubRefusedRequest
from confere.hub.http.exchange import HubAnswer
from confere.hub.json.json_reader import ListBody, read_listing
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.hub.traits import hub_traits
from confere.hub.traits.hub_traits import HubShape

SMALLEST, LARGEST = 5, 100
LIMIT, OFFSET = "limit", "offset"
_SMALLER = (50, 20, SMALLEST)
_OTHER_LIMITS = ("size", "pageSize")
_EMPTY_STATUS = 204
WRONG = (400, 422)
"""By which status a hub says that it does not take a parameter, or not this value of it."""

Query = Mapping[str, str | int]


class ListRequests:
    """Asks for pages of the list `name` at `path` under the filter `params`; `siblings` are other lists of the hub.

    `limit` is the size of a page that is asked for, as far as the hub takes one.
    """

    def __init__(
        self,
        session: HubSession,
        name: str,
        path: str,
        params: Query,
        limit: int,
        *,
        siblings: Sequence[str] = (),
        stop: StopSignal | None = None,
    ) -> None:
        self._session = session
        self._name = name
        self.path = path
        self._params = dict(params)
        self._siblings = siblings
        self._stop = stop
        self._answered = False  # in this reading
        self._largest = limit
        self.limit = min(limit, self.shape.page_size or limit)

    @property
    def shape(self) -> HubShape:
        """What is known of this list."""
        return self._session.shapes.of(self._name)

    def learn(self, **traits: str | int) -> None:
        """Remember traits of this list."""
        self._session.shapes.learn(self._name, **traits)

    def learn_end(self, size: int) -> None:
        """Remember that nothing came after a page of `size` items although nothing said that it was the last.

        A smaller page is the last then, since a hub that caps its pages would have given more; one as large may be
        full.
        """
        if size > (self.shape.end or 0):
            self.learn(end=size)

    def forget_paging(self) -> None:
        """Forget how pages are asked for, and start with the usual size again."""
        self._session.shapes.forget(self._name)
        self.limit = self._largest

    def first(self) -> ListBody:
        """The first page, in whatever way the hub takes the question."""
        was_known = self.shape.limit is not None
        try:
            return self._ask({}, {})
        except HubRefusedRequest as refused:
            if refused.status not in WRONG:
                raise
            if not self._params:
                if was_known:  # it took this before
                    self.forget_paging()
                return self._less_and_less(refused)
            if was_known:
                raise
            first = refused
        self._without_filter(first)
        return self._ask({}, {})  # a refusal now is one of the filter

    def at(self, place: Query, extra: Query | None = None) -> ListBody:
        """The page at a place; `extra` are parameters of the hub's own link, which give way to ours."""
        return self._ask(place, extra or {})

    def _ask(self, place: Query, extra: Query) -> ListBody:
        known = self.shape
        query: dict[str, str | int] = {**extra, **self._params}
        name = LIMIT if known.limit is None else known.limit
        if name and name not in extra:
            query[name] = self.limit
        if not place and not extra and known.first_place == hub_traits.SENT:
            query[OFFSET] = 0
        listing = self._send({**query, **place}, self._params)
        if known.limit is None and not extra:
            self.learn(limit=name)
        return listing

    def _send(self, query: Query, filters: Query) -> ListBody:
        try:
            listing = self._session.get(self.path, query, read=_read, stop=self._stop)
        except HubNotFound as absent:
            if absent.status != 404 or not self._means_empty(filters):  # 410 is gone for good
                raise
            listing = ListBody((), None)
        self._answered = True
        return listing

    def _means_empty(self, filters: Query) -> bool:
        """Whether a 404 says that there is nothing here, and not that there is no such list.

        It is believed where the list has answered before. One without a filter that once had something must not be
        empty by a 404: its address may have changed. On the very first contact another list of the hub must answer.
        """
        known = self.shape
        if self._answered:
            return True
        if filters:
            if known.limit is None:
                unfiltered = ListRequests(
                    self._session, self._name, self.path, {}, self._largest, siblings=self._siblings, stop=self._stop
                )
                try:
                    unfiltered.first()
                except HubNotFound:
                    return False
            self.learn(empty="404")
            return True
        return known.totals is None and any(self._answers(path) for path in self._siblings)

    def _answers(self, path: str) -> bool:
        try:
            self._session.get(path, None, read=_read, stop=self._stop)
        except HubError:
            return False
        return True

    def _without_filter(self, first: HubRefusedRequest) -> None:
        """Find out what the hub takes for its list without any filter. Raises `first` where it takes nothing."""
        plain = ListRequests(
            self._session, self._name, self.path, {}, self._largest, siblings=self._siblings, stop=self._stop
        )
        try:
            plain.first()
        except HubRefusedRequest:
            raise first from None
        self.limit = plain.limit

    def _less_and_less(self, refused: HubRefusedRequest) -> ListBody:
        ways: list[tuple[dict[str, str | int], dict[str, str | int]]] = [
            ({LIMIT: size}, {"limit": LIMIT, "page_size": size}) for size in _SMALLER if size < self.limit
        ]
        ways.append(({LIMIT: self.limit, OFFSET: 0}, {"limit": LIMIT, "first_place": hub_traits.SENT}))
        ways += [({name: self.limit}, {"limit": name, "unknown": hub_traits.REFUSED}) for name in _OTHER_LIMITS]
        ways.append(({}, {"limit": "", "unknown": hub_traits.REFUSED}))
        for query, traits in ways:
            try:
                listing = self._send(query, {})
            except HubRefusedRequest:
                continue
            self.learn(**traits)
            size = traits.get("page_size")
            self.limit = size if isinstance(size, int) else self.limit
            return listing
        raise refused


def _read(answer: HubAnswer) -> ListBody:
    return ListBody((), None) if answer.status == _EMPTY_STATUS else read_listing(answer)
