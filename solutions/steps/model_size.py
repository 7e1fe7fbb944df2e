"""Answers of the steps about a model's parameters, row by row, for the notes' sizes."""

token_rows = 512000

place_rows = 32768

qkv = 49536

mixed = 16512

way_up = 66048

way_down = 65664

one_block = 198272

whole = 1338112

enlarged = 3486720


def rule(V: int, D: int, L: int) -> float:
    """About how many parameters a model with a tied head has, leaving out what grows only like D.

    V tokens, width D, L layers, hidden width 4 D; positions are not counted.
    """
    ### BEGIN SOLUTION
    return V * D + 12 * L * D**2
    ### END SOLUTION
