"""What keeps a command from doing its work, told in one line."""


class GraderError(Exception):
    """The message names the file and what is wrong with it; nothing was changed half-way."""
