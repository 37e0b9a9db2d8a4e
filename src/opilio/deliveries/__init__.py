"""Partners' file servers: what they offer, pulled whole, unpacked safely. No Django."""
