"""The rows of what researchers are in studies. One file a concern; imported by annotation.models like all others.

To add one: a file here, a line in annotation/models/__init__.py, and the app's migration.
"""
