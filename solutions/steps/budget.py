"""Answers of the steps about what a training run costs and where it begins."""

import math

first_loss = math.log(4000)

bytes_each = 16

megabytes = 21.4

tokens_in_step = 8192

flops_each = 7832064

both_doubled = 8

to_keep = "c"
