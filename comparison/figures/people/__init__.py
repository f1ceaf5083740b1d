"""Figures of the People part: how far people agree, who they are, and what more of their labels would show."""
