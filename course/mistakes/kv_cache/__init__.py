"""Known wrong answers to the exercises of `minillm.kv_cache`."""
