"""The demos: a Python class and a JavaScript file each; the JavaScript does the computing."""
