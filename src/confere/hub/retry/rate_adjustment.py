"""The rule by which a pace follows a limit that the hub does not name: arithmetic on times, without a clock or a lock.

There is no kept library for this: those for limiting (pyrate-limiter, limits, aiolimiter) want the limit told,
and botocore's adaptive mode (CUBIC, the nearest relative) is bound to its own clients and asks for a refusal every
few seconds.

- No pace until the hub refuses (or the account has a ceiling). A refusal holds everybody back, as long as
  Retry-After says or a little, longer and longer while the hub stays shut.
- The first refusal sets the pace to 0.9 of what the last second achieved; each later one cuts it to what was
  measured since (see `tally`), a tenth at most unless the hub was shut.
- Between refusals it grows, and each refusal makes the growth four times gentler, down to one twentieth of a per
  cent a second; a long quiet makes it bolder again. So a limit is found in seconds, used almost fully, asked for
  again about once a minute, and a limit that was raised is noticed.
- Some refusals are not about pace but a fault of the hub. At full speed a limit refuses nearly everything that was
  sent right after the first refused request, a fault soon lets it through: these echoes of a refusal decide. When
  refusals have halved the pace, full speed is tried for a moment to hear them. While refusals are known to be a
  fault, each refused request waits for itself alone.

All times are seconds of one monotonic clock, rates requests a second.
"""

from __future__ import annotations

from confere.hub.retry.learned_limit import RateTally

_SLOWEST = 0.1
_BOLDEST, _FIRST_GROWTH, _GENTLEST = 0.5, 0.03, 0.0005  # growth a second
_SMALLEST_CUT, _LARGEST_CUT = 0.03, 0.1
_SURE, _DEEP = 0.92, 0.9
_TRIES = (0.15, 0.35, 0.6, 1.02)  # after the first refusal of a series; most windows are whole seconds
_DOUBLINGS, _LONGEST_HOLD = 5, 30.0
_UNEXPECTED = 1.01  # grown so far beyond the pace that was refused
_LATE = 0.05  # how far a slot that nobody took can be made up for
_QUIET = 5.0
_ENOUGH_ECHOES = 4
_NOISE_LASTS, _NOISE_WAIT = 8.0, 0.5
_HALVED = 0.5
_NEVER, _ALWAYS = float("inf"), float("-inf")


class Pace:
    """When the next request may start. Not thread-safe: `rate.RateLimiter` guards it."""

    def __init__(self, ceiling: float | None = None) -> None:
        self.ceiling = ceiling
        self.rate = ceiling
        self.generation = 0  # grows when slots that were handed out are void
        self._hold_until = _ALWAYS
        self._tally = RateTally()
        self._next_slot = _ALWAYS
        self._changed_at = _ALWAYS
        self._growth = _FIRST_GROWTH
        self._grown_at = _ALWAYS
        self._bolder_at, self._bolder_above = _ALWAYS, _NEVER
        self._echoes: list[bool] | None = None  # accepted or not, while a refusal at full speed is looked into
        self._late, self._refused_sent_at = 0, _ALWAYS
        self._known: float | None = None  # the pace before full speed was tried
        self._highest = 0.0  # pace that was refused since full speed was tried
        self._noise_until, self._noise_lasts = _ALWAYS, _NOISE_LASTS

    def reserve(self, now: float) -> float:
        """Take the next slot and return when it starts; `now` or earlier means at once."""
        self.settle(now)
        if self.rate is None:
            return max(now, self._hold_until)
        earliest = max(self._next_slot, self._hold_until, now - max(_LATE, 1.0 / self.rate))
        if earliest > now:
            self._grow(earliest)
        else:
            self._grown_at = earliest  # nobody waits: the pace is not what limits us, so it proves nothing
        self._next_slot = earliest + 1.0 / self.rate
        return earliest

    def settle(self, now: float) -> None:
        """Conclude what a refusal at full speed meant, once its echoes are in. To be called before a slot is used."""
        if self._echoes is None:
            return
        if len(self._echoes) >= _ENOUGH_ECHOES and all(self._echoes[-_ENOUGH_ECHOES:]):
            self._echoes = None
            self._noise_until = now + self._noise_lasts
            self._noise_lasts *= 2
            self._hold_until = _ALWAYS
            self._tally.forget()
        elif now >= self._hold_until:
            self._set_from_burst(now, self._tally.last_second(self._tally.series_at) + self._late)
            self._echoes = None
        else:
            return
        self._known = None
        self.generation += 1

    def accepted(self, now: float, sent_at: float) -> None:
        """The hub let a request through that was sent at `sent_at`."""
        echo = sent_at < self._changed_at
        if echo:
            self._note_echo(sent_at, good=True)
        self._tally.accept(now, echo=echo)

    def refused(self, now: float, sent_at: float, retry_after: float | None) -> float:
        """The hub answered 429 to a request sent at `sent_at`; returns how long that request itself must wait."""
        tally = self._tally
        tally.refuse()
        if now < self._noise_until:
            if tally.often_refused():  # it is about pace after all
                self._noise_until = _ALWAYS
                self._set_from_burst(now, tally.last_second(now))
                tally.begin_series(now)
                self._changed_at = now
                self.generation += 1
            return _NOISE_WAIT if retry_after is None else retry_after
        if retry_after is not None:
            self._hold(now + retry_after)
        if sent_at < self._changed_at:  # an echo: it was under way when the pace changed
            self._note_echo(sent_at, good=False)
            return max(0.0, self._hold_until - now)
        if tally.accepted_since or not tally.series_length:
            if self.rate is None:
                self._echoes, self._late, self._refused_sent_at = [], 0, sent_at
            else:
                self._cut(now, self.rate)
            tally.begin_series(now)
        else:
            tally.series_length += 1
        if retry_after is None:
            self._hold(tally.series_at + self._patience())
        self._changed_at = now
        return max(0.0, self._hold_until - now)

    def _note_echo(self, sent_at: float, *, good: bool) -> None:
        if self._echoes is not None:
            self._late += good
            if sent_at > self._refused_sent_at:  # the others may have reached the hub before its limit did
                self._echoes.append(good)

    def _patience(self) -> float:
        """How long after the first refusal of a series to ask again."""
        again = self._tally.series_length - len(_TRIES)
        if again > 0:
            return _TRIES[-1] * 2.0 ** min(again, _DOUBLINGS) + _LONGEST_HOLD * max(0, again - _DOUBLINGS)
        if again > 1 - len(_TRIES) or self.rate is None:
            return _TRIES[again - 1]
        return min(_TRIES[0], max(0.05, 2.0 / self.rate))

    def _hold(self, until: float) -> None:
        if until > self._hold_until:
            self._hold_until = self._next_slot = until
            self.generation += 1

    def _set_from_burst(self, now: float, achieved: float) -> None:
        if self._known is not None:
            self.rate = (1 - _SMALLEST_CUT) * self._known
        else:
            self.rate = max(1.0, 0.9 * achieved)
            self._growth = _FIRST_GROWTH if achieved >= 4 else _BOLDEST  # few were let through: hardly a guess
        self._be_patient(now, max(self.rate, achieved))

    def _cut(self, now: float, rate: float) -> None:
        self._highest = max(self._highest, rate)
        if rate < _HALVED * self._highest and self.ceiling is None:
            self._highest, self._known, self.rate = rate, rate, None
            return
        cut = min(_LARGEST_CUT, _SMALLEST_CUT + 2 * self._growth)
        lower = min((1 - cut) * rate, (1 - cut) * self._tally.measured(now))
        if not self._tally.was_shut():  # a count over a few seconds is coarse, so never much at once
            lower = max(lower, (_SURE if now - self._changed_at > _QUIET else _DEEP) * rate)
        self.rate = max(_SLOWEST, lower)
        self._growth = max(_GENTLEST, self._growth / 4, 0.3 * (1 - lower / rate) ** 2)  # a deep cut is soon regained
        self._be_patient(now, rate)

    def _be_patient(self, now: float, rate: float) -> None:
        self._bolder_at, self._bolder_above = now + _QUIET, _UNEXPECTED * rate
        self._grown_at = now

    def _grow(self, now: float) -> None:
        """Grow up to a slot that starts at `now`: slots are handed out ahead, and the rate is that of the newest."""
        assert self.rate is not None
        passed = min(now - self._grown_at, 1.0)
        self._grown_at = now
        if passed <= 0:
            return
        self.rate *= 1 + self._growth * passed
        if self.rate > self._bolder_above and now > self._bolder_at:
            self._growth = min(_BOLDEST, 2 * self._growth)
            self._be_patient(now, self.rate)
        if self.ceiling is not None:
            self.rate = min(self.rate, self.ceiling)
