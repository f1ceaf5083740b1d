"""Long work that is asked for on a page: what can be made, of what (`asking`), and how far it is (`progress`).

What they show and ask is researcher/jobs/'s.
"""
