"""The embedded sandbox hub: its process, its accounts, and the demo."""
