"""What an operator watches: which workers live, what waits since when, what is missing, what has been counted.

`alive` has the beats of workers, `checks` what is missing in sentences, `waiting` the rows of every kind, `counted`
what all processes count in the queue's server, `metrics` all of it as Prometheus reads it, `requests` what is counted
and logged of each request, `lines` the log as JSON; `views` and `urls` show it. To count something: `COUNTED`.
"""
