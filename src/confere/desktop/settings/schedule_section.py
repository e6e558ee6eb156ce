"""Unattended runs: whether the system starts them, when, of which accounts, and how the last one ended."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QLineEdit, QWidget

from confere.app.accounts import account_status
from confere.app.labels import labels
from confere.app.schedule import schedule_plan, scheduling
from confere.app.schedule.schedule_plan import schedule_of
from confere.app.schedule.scheduling import SchedulePlan, ScheduleStatus
from confere.desktop.core.actions import SECTIONS
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.services import Services, keep
from confere.desktop.settings.setting_field import KeptText, read_whole
from confere.desktop.widgets.form import FormCard, FormField, SettingsSection, set_rank, text
from confere.errors import Message
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.settings import STALE_AFTER, TRAY

_NARROW: Final = 280
_SHORT: Final = 160
_CALM_MS: Final = 600  # somebody who turns the hour turns the minutes next
_LOOK_AGAIN_MS: Final = 3000  # the system's programs are asked, and a sync changes the archive all the time
_ALL: Final[tuple[str, ...]] = ()


class _Shown(NamedTuple):
    """How it stands, which accounts there are, and what was said when it was written last."""

    status: ScheduleStatus
    accounts: tuple[str, ...]
    problem: Message | None = None
    note: Message | None = None


class ScheduleSection(SettingsSection):
    """Every change is given to the system's scheduler beside the window, once the hand rests."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(render(Message(SECTIONS["schedule"].title)), parent)
        self._services = services
        self.topic = f"settings.schedule.{id(self)}"
        self._plan: SchedulePlan | None = None
        self._writing = 0  # choices that the system was not told yet
        self._failure = ""  # why what was chosen last could not be written
        self.values: dict[str, QLabel] = {}
        self._lay_out_plan()
        self._lay_out_news()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(_CALM_MS)
        self._later.timeout.connect(self._write)
        self._again = QTimer(self)
        self._again.setSingleShot(True)
        self._again.setInterval(_LOOK_AGAIN_MS)
        self._again.timeout.connect(self.refresh)

    def arrive(self) -> None:
        self._failure = ""
        self.refresh()

    def archive_changed(self) -> None:
        if not self._again.isActive():
            self._again.start()

    def refresh(self) -> None:
        """Look again how it stands."""
        if not self._is_waiting:
            self._services.reader.ask(self.topic, partial(_look, self._services), self._show)

    @property
    def _is_waiting(self) -> bool:
        """Whether what is shown is not yet what the system has."""
        return self._writing > 0 or self._later.isActive()

    def finish(self) -> None:
        """Write what was chosen just now: the window closes."""
        if self._later.isActive():
            self._later.stop()
            self._write()

    def _lay_out_plan(self) -> None:
        card = FormCard(t("Every night by itself"))
        card.body.addWidget(
            text(
                t(
                    "The system starts Confere, with or without this window: it synchronises, checks what is new,"
                    " reconciles, and writes a spreadsheet of each month in which something changed."
                ),
                "muted",
            )
        )
        self.on = QCheckBox(t("Do this by itself"))
        self.on.clicked.connect(self._changed)
        card.body.addWidget(self.on)
        self.every = QComboBox()
        for rhythm, title in (
            ("day", t("every day")),
            ("weekday", t("Monday to Friday")),
            ("hour", t("every hour")),
        ):
            self.every.addItem(title, rhythm)
        self.every.setMaximumWidth(_NARROW)
        self.every.activated.connect(self._changed)
        card.body.addWidget(FormField(t("How often"), self.every))
        self.at = QLineEdit(schedule_plan.DEFAULT_AT)
        self.at.setMaximumWidth(_SHORT)
        self.at.textEdited.connect(self._typed)
        self.at_field = FormField(
            t("At what time"), self.at, t("By the clock of this machine. An hourly run takes the minute.")
        )
        card.body.addWidget(self.at_field)
        self.accounts = QComboBox()
        self.accounts.setMaximumWidth(_NARROW)
        self.accounts.activated.connect(self._changed)
        card.body.addWidget(FormField(t("Which accounts"), self.accounts))
        self.backups = QCheckBox(t("Write the backups that are due after each run"))
        self.backups.clicked.connect(self._changed)
        card.body.addWidget(self.backups)
        card.body.addLayout(self._grid(("next", t("Next run")), ("last", t("Last run")), ("outcome", t("Outcome"))))
        self.said = text("", selectable=True)
        self.said.hide()
        card.body.addWidget(self.said)
        self.body.addWidget(card)

    def _lay_out_news(self) -> None:
        card = FormCard(t("What you are told"))
        self.tray = QCheckBox(t("Tell it in the system's tray"))
        self.tray.setChecked(self._services.workspace.settings.get(TRAY))
        self.tray.clicked.connect(lambda on: keep(self._services, TRAY, on))
        card.body.addWidget(self.tray)
        card.body.addWidget(
            text(
                t("While this window is open, and only where there is news. The window itself tells it always."),
                "muted",
            )
        )
        self.stale = KeptText(
            self._services,
            STALE_AFTER,
            QLineEdit(),
            t("Days without a sync until an account is an alarm"),
            t("Told below the list, on the overview, and by the exit code of `confere doctor`."),
            read_whole,
        )
        card.body.addWidget(self.stale)
        self.body.addWidget(card)

    def _grid(self, *lines: tuple[str, str]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for row, (name, title) in enumerate(lines):
            grid.addWidget(text(title, "muted"), row, 0)
            self.values[name] = text("…", selectable=True)
            self.values[name].setAccessibleName(title)
            grid.addWidget(self.values[name], row, 1)
        return grid

    def _typed(self, typed: str) -> None:
        """The time is being written: told once it is one."""
        self.at_field.tell("" if self._is_time(typed) else t("Write the time as 02:30."))
        self._changed()

    def _is_time(self, typed: str) -> bool:
        try:
            schedule_of(typed, "day")
        except ValueError:
            return False
        return True

    def _changed(self, *_: object) -> None:
        """A person changed something; what is not switched on has nothing to be told, and half a time is none yet."""
        if self.at_field.problem and self.on.isChecked():
            self._later.stop()
        elif self.on.isChecked() or self._plan is not None:
            self._later.start()

    def _write(self) -> None:
        """Give the system what is chosen now."""
        self._writing, self._failure = self._writing + 1, ""
        self._say(t("Telling the system…"), "muted")
        work: Callable[[], _Shown] = partial(_remove, self._services)
        if self.on.isChecked():
            at, every = self.at.text(), str(self.every.currentData())
            names = tuple(self.accounts.currentData() or ())
            plan = scheduling.plan_of(at, every, names, self.backups.isChecked())
            work = partial(_install, self._services, plan)
        self._services.reader.write(work, self._written, self._failed)  # in order: the newest choice is written last

    def _written(self, shown: _Shown) -> None:
        self._writing -= 1
        self._show(shown)

    def _failed(self, error: Exception) -> None:
        self._writing -= 1
        fault = of_exception(error)
        self._failure = f"{fault.what} {fault.remedy}".strip()
        self._say(self._failure, "bad")
        self.refresh()

    def _show(self, shown: _Shown) -> None:
        if self._is_waiting:
            return
        status, plan = shown.status, shown.status.plan
        self._plan = plan
        self.on.setChecked(plan is not None and status.present)
        if plan is not None:
            self.backups.setChecked(plan.backups)
            self.every.setCurrentIndex(max(0, self.every.findData(plan.schedule.every.value)))
            if not self.at.hasFocus() or not self._is_same_time(plan):
                self.at.setText(plan.schedule.at)
                self.at_field.tell("")
        self._show_accounts(shown.accounts, _ALL if plan is None else plan.accounts)
        last = status.last_run
        never, none = t("never"), t("none")
        self.values["next"].setText(none if status.next_run is None else formatting.moment(status.next_run))
        self.values["last"].setText(never if last is None else formatting.moment(last.entry.started_at))
        self.values["outcome"].setText("—" if last is None else _outcome(shown))
        raised = [alarm.what for alarm in status.alarms if alarm.account is None]
        if self._failure:  # how it stands now does not say why it could not be changed
            self._say(self._failure, "bad")
        elif shown.problem is not None or raised:
            self._say(" ".join(map(render, filter(None, (shown.problem, *raised)))), "warn")
        elif plan is not None and status.active is False:
            self._say(t("The system has it written down, but does not start it."), "warn")
        else:
            self._say("" if shown.note is None else render(shown.note), "muted")

    def _is_same_time(self, plan: SchedulePlan) -> bool:
        """Whether what is written means the plan's time: `2:30` stays as it was written while somebody writes."""
        typed = self.at.text()
        return self._is_time(typed) and schedule_of(typed, "day").at == plan.schedule.at

    def _show_accounts(self, names: tuple[str, ...], chosen: tuple[str, ...]) -> None:
        """All, each by itself, and the choice of a command line where it is another."""
        choices = [_ALL, *((name,) for name in names)]
        if chosen not in choices:
            choices.append(chosen)
        self.accounts.clear()
        for choice in choices:
            self.accounts.addItem(", ".join(choice) or t("all accounts"), choice)
        self.accounts.setCurrentIndex(choices.index(chosen))

    def _say(self, sentence: str, rank: str) -> None:
        self.said.setText(sentence)
        set_rank(self.said, rank)
        self.said.setVisible(bool(sentence))


def _outcome(shown: _Shown) -> str:
    last = shown.status.last_run
    if last is None:
        return ""
    number = formatting.count
    return t(
        "{outcome}; new documents: {documents}; new findings: {findings}",
        outcome=labels.outcome_word(last.entry.outcome),
        documents=number(last.count("new")),
        findings=number(last.count("new_findings")),
    )


def _look(services: Services) -> _Shown:
    status = scheduling.status(services.workspace, services.opened)
    return _Shown(status, tuple(account_status.every(services.opened)))


def _install(services: Services, plan: SchedulePlan) -> _Shown:
    done = scheduling.install(services.workspace, services.opened, plan)
    return _look(services)._replace(problem=done.problem, note=done.note)


def _remove(services: Services) -> _Shown:
    scheduling.remove(services.workspace)
    return _look(services)
