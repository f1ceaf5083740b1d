"""How far people agree with one another: one coefficient a file, from counts or from labels one by one."""
