"""Demos that move: a Python class and a JavaScript file each. The JavaScript computes, so that a
demo follows a slider without a kernel; a static figure stands beside each."""
