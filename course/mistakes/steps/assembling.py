"""Known wrong answers to the steps about putting the parts together."""

from .. import wrong_choice

wrong_choice("steps.assembling.silent", "a",
             "that is what the note's line does. In the block as it should be the first line "
             "has already changed x when the second one adds 0.")
wrong_choice("steps.assembling.silent", "c",
             "attention adds to x; it doesn't take its place.")
wrong_choice("steps.assembling.silent", "d",
             "0 is what the feed-forward adds. The line itself goes on.")
wrong_choice("steps.assembling.shown_by", "a",
             "at the start the branches add little, so the first loss is ln V with and without "
             "the fault.")
wrong_choice("steps.assembling.shown_by", "b",
             "the shapes are the same: [B, T, D] goes in and comes out.")
wrong_choice("steps.assembling.shown_by", "c",
             "it was tried with two layers: after 300 steps the two losses differ by less than two "
             "seeds do. The feed-forward passes on part of what attention found.")
wrong_choice("steps.assembling.order", "a",
             "before backward there is no gradient of this batch to clip.")
wrong_choice("steps.assembling.order", "b",
             "after the step it is too late: the long gradient has been used.")
wrong_choice("steps.assembling.order", "d",
             "zero_grad after backward clears what backward has just computed.")
wrong_choice("steps.assembling.two_uses", "b",
             "nothing divides by the number of uses. A change of the matrix changes the loss "
             "along both ways, and both changes count in full.")
wrong_choice("steps.assembling.two_uses", "c",
             "the matrix is read at the start too: a change of a row changes what the blocks "
             "are given.")
wrong_choice("steps.assembling.two_uses", "d",
             "the matrix is used as the head too, and there every row gets a gradient.")
wrong_choice("steps.assembling.wrong_mode", "a",
             "the mean over many dropout masks is not the loss without dropout: the softmax "
             "and the logarithm are not straight lines.")
wrong_choice("steps.assembling.wrong_mode", "c",
             "gradients are a matter of no_grad, not of the mode. Without backward nothing is "
             "added to them.")
wrong_choice("steps.assembling.wrong_mode", "d",
             "dropout takes information away, so the guesses get worse, not better.")
