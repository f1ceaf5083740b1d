"""Neural models as such, whatever they are asked: finding and checking their files, loading, tokenizing, arithmetic.

The masked, causal, prompted and classifier scorers stand on it, and so does training; it knows none of them. torch and
transformers may be imported, but not in `weights`, at the top of `quiet` and `onednn`, and where their lines say so.
To add a dtype: its name in `weights.DTYPES`, its layers beside `int8`, and `loaded` puts them in.
"""
