"""What a page does with a study as a whole: putting it aside, and its tags.

Views parse, call and render; the verbs are annotation.lifecycle's.
"""
