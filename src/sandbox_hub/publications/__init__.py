"""Publications (transmissions): the ad of a SKU on a marketplace, and the hooks that tell the marketplace of it."""
