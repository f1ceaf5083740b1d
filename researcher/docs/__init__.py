"""The pages of docs/ as the site shows them, so that what a figure is can be read one click from it.

Lives here: which of them are shown, and Markdown to HTML with anchors that stay. Imports markdown-it-py, and
from comparison where figures stand in a text. To show one more: its name in SHOWN (shelf.py).
"""
