"""How a deployment of the hub differs from the specification's plain reading: each shape a small transformation."""
