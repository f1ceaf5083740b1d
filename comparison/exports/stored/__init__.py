"""The files that are as stored: answers, scores, sittings and payments, streamed whole, with nothing computed.

Each is a function from a study to rows, read a few thousand at a time; lines in EXPORTS name them, and STREAMED of
comparison/exported/downloads.py, since no worker makes them.
"""
