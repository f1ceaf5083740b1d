"""The files that are as stored: answers, scores, sittings and payments, streamed whole, with nothing computed.

Each is a File whose rows are read a few thousand at a time; no worker makes them.
"""
