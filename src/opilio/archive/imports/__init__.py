"""Archives of others: their files brought into one folder unaltered, and the captures that are in them."""
