"""Every address of the site as each role, as somebody else's researcher and as nobody.

`rights` says what each address asks for, `cast` makes the studies and says where the addresses lead. A new address is
not there yet, and the walk says so: give it a line in `rights` and one in `cast.Cast.addresses`.
"""
