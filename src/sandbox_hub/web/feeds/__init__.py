"""The feeds over HTTP."""
