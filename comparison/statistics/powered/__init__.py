"""What a model that answered every item adds to people who labeled some: narrower intervals, as valid as without it."""
