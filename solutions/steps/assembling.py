"""Answers of the steps about how the parts are put together."""

silent = "b"

shown_by = "d"

order = "c"

two_uses = "a"

wrong_mode = "b"
