"""What an operator watches: what is there and what is missing, what waits since when, what has been counted.

`health` says in sentences what is missing, `counted` what all processes count in the queue's server, `metrics` what
waits of every kind and all of it as Prometheus reads it, `requests` what is counted and logged of each request, `lines`
the log as JSON; `views` answers an operator's programs. To count something: `COUNTED`.
"""
