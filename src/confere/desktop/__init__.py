"""The Qt face: the only place that may import PySide6."""
