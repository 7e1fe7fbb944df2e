"""Demos: a Python class and a JavaScript file each; the JavaScript computes, so they stay quick."""
