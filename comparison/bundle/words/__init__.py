"""What a bundle says in words: methods and datasheet in Markdown, of a page and of facts read from the study's rows.

Every text that is not ours goes through `markdown`.
To add a document: a module that gives its text, and a line in `making` that writes it.
"""
