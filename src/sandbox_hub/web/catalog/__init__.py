"""The catalog over HTTP: reading bodies, the rules between resources, the endpoints."""
