"""How the API answers, the same everywhere: `faults` in one shape, `body` within bounds, `paging` by cursor,
`documents` with an ETag, `schema` as OpenAPI.

Imports the refusals of the rooms below, and no kind of row. To have another refusal answered: a line in
`faults.HANDLERS`, and its status in `schema.REFUSALS`.
"""
