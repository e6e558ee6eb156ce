"""Why the page Orders lists nothing, and which months have what was asked for."""

from __future__ import annotations

from functools import partial

from confere.app.orders import browse_orders
from confere.app.orders.browse_orders import OrdersScope
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.orders.order_list import OrderModel
from confere.desktop.services import Services
from confere.desktop.widgets.long_list.empty_list import EmptyList
from confere.fiscal.periods import MonthSpan

_NONE = MonthSpan()


class NothingListed:
    """Says it in `empty`, as long as `model` is without rows."""

    def __init__(self, services: Services, reader: TopicReader, model: OrderModel, empty: EmptyList) -> None:
        self._services = services
        self._reader = reader
        self._model = model
        self._empty = empty
        self._known: tuple[OrdersScope, MonthSpan] | None = None  # what was asked for last, and what there is of it

    def explain(self, *, narrowed: bool) -> None:
        """Say why nothing is listed; `narrowed` by filters or a text."""
        scope, asked = self._services.scope, self._model.query
        if not self._services.opened.exists or not (narrowed or scope.company or scope.first_day):
            self._empty.nothing_here()
            return
        # What was known is said again until it is known anew: a sync asks every second.
        known = self._known[1] if self._known is not None and self._known[0] == asked else _NONE
        self._say(asked, narrowed, known)
        if scope.first_day is not None:
            opened = self._services.opened
            self._reader.ask(
                "elsewhere", lambda: browse_orders.in_any_month(opened, asked), partial(self._say, asked, narrowed)
            )

    def _say(self, asked: OrdersScope, narrowed: bool, months: MonthSpan) -> None:
        self._known = (asked, months)
        if asked != self._model.query or self._model.ids:
            return
        if months.number and months.last is not None:
            self._empty.found_elsewhere(months, narrowed=narrowed)
        else:
            in_a_month = self._services.scope.first_day is not None
            self._empty.nothing_found(narrowed=narrowed, in_a_month=in_a_month, elsewhere=months.number > 0)
