"""Items for five-way plausibility, whose columns have names of their own."""

RENAMED = """No.,Plain,With adjective,Adj.,N,Verdict,Source
7,A key opens doors.,A false key opens doors.,false,key,Less likely,novel
8,A dog barks.,A dead dog barks.,dead,dog,Impossible,news
9,A car drives on.,A red car drives on.,red,car,Equally likely,novel
"""
