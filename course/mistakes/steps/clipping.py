"""Known wrong answers to the steps on clipping and on the schedule."""

from .. import wrong_choice, wrong_number

CLIPPED = "steps.clipping.clipped"
wrong_number(CLIPPED, 1, "you clipped this parameter by itself. All gradients are one vector of "
             "length √(3² + 4²), and all get one factor.")
wrong_number(CLIPPED, 3 / 7, "norms do not add, their squares do: √(3² + 4²).")
wrong_number(CLIPPED, 3, "together they are longer than 1, so they are scaled.")
wrong_number(CLIPPED, 0.75, "you divided by the largest. The length of all together is √(3² + 4²).")
wrong_number(CLIPPED, 3 / 25, "that is 3/(3² + 4²). The root is missing.")
wrong_number(CLIPPED, 0.2, "that is the factor. The first gradient had length 3.")
wrong_number(CLIPPED, 0.8, "that is the second parameter. The first one has 3.")
wrong_number(CLIPPED, 3 / 3.5, "you divided by the mean of the norms. The length of all together "
             "is √(3² + 4²).")

WHEN = "steps.clipping.when"
wrong_choice(WHEN, "a", "before backward there is nothing to clip, or the gradients of the last "
             "step.")
wrong_choice(WHEN, "c", "the step has been taken by then, with the long gradient.")
wrong_choice(WHEN, "d", "clipping works on gradients, and it is the step that puts them into the "
             "weights. Clipped weights are something else.")

ALWAYS = "steps.clipping.always_clipped"
wrong_choice(ALWAYS, "a", "that would be so for plain gradient descent. AdamW divides by √v̂, which "
             "shrinks by the same factor.")
wrong_choice(ALWAYS, "b", "v holds squares, but its root is taken: √v̂ shrinks tenfold, as m̂ does.")

HALFWAY = "steps.clipping.halfway"
wrong_number(HALFWAY, 1e-3, "half of the peak would be right for a floor of 0. The wave runs "
             "between floor and peak.")
wrong_number(HALFWAY, 0.9e-3, "that is half of peak − floor. It stands on the floor: add it.")
wrong_number(HALFWAY, 0.0002 + 0.0018 * 0.42884259086853146,
             "you divided the step by the total. The wave begins at the end of the warm-up: "
             "(600 − 100) / (1100 − 100).")
wrong_number(HALFWAY, 0.0002 + 0.0018 * 0.5711574191331463,
             "the wave takes total − warm-up steps: (600 − 100) / (1100 − 100).")
wrong_number(HALFWAY, 2e-3, "that is the peak, where the wave begins, at step 100.")
wrong_number(HALFWAY, 2e-4, "that is the floor, where the wave ends. Here half of it is over, and "
             "cos(π/2) = 0.")
wrong_number(HALFWAY, 2.2e-3, "peak plus floor has still to be halved.")
wrong_number(HALFWAY, 2e-3 * 500 / 1000 + 2e-4, "the floor is added to half of peak − floor, not "
             "to half of the peak.")
