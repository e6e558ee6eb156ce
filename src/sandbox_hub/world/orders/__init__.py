"""Orders of the world: their life, contents, numbers, feed and what clients wrote to them."""
