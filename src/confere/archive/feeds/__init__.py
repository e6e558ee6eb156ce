"""What the hub's feeds name beside orders: records with their versions, and published prices."""
