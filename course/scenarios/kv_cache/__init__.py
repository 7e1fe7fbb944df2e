"""How the pieces of `minillm.kv_cache` are tried."""
