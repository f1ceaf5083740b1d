"""Tests of what the People part shows of single raters."""
