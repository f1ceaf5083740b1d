cd /tmp/i4; exec /work/main/.venv/bin/python -m pytest -q "$@"
