"""One window for one data folder: a second start brings the first window forward."""

from __future__ import annotations

import hashlib

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from confere.errors import EnvironmentFault, message
from confere.system.paths import Home

_WAIT_MS = 5000  # a window that reads a large archive for the first time may be busy for a moment
_STALE_MS = 0  # a lock is stale only when its process is gone, never by age


class SingleWindow(QObject):
    """Holds the lock of the data folder's window; `asked_for` comes when somebody starts Confere on it once more."""

    asked_for = Signal()

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        home.ensure()
        self._name = "confere-" + hashlib.sha256(str(home.root).encode()).hexdigest()[:24]
        self._file = str(home.root / "window.lock")
        self._lock = QLockFile(self._file)
        self._lock.setStaleLockTime(_STALE_MS)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._called)

    def claim(self) -> bool:
        """True for the first; False where there is a window already (see `call`)."""
        if not self._lock.tryLock(0):
            if self._lock.error() is not QLockFile.LockError.LockFailedError:
                raise EnvironmentFault(
                    message("The file {path} cannot be made, by which one window knows of another.", path=self._file),
                    message("Take away what stands there, or choose another data folder with --home."),
                )
            return False
        QLocalServer.removeServer(self._name)  # a killed one leaves its file behind
        self._server.listen(self._name)
        return True

    def release(self) -> None:
        self._server.close()
        self._lock.unlock()

    def call(self) -> bool:
        """Ask the window that is there to come forward; False where it does not answer."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(_WAIT_MS):
            return False
        # The system connects us also to a program that hangs: only its answer shows that it is well.
        answers = socket.bytesAvailable() > 0 or socket.waitForReadyRead(_WAIT_MS)
        socket.disconnectFromServer()
        return answers

    def _called(self) -> None:
        connection = self._server.nextPendingConnection()
        if connection is not None:
            connection.disconnected.connect(connection.deleteLater)
            connection.write(b"here")
            connection.flush()
            self.asked_for.emit()
