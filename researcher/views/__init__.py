"""The addresses that ask for a login, one file for each thing a researcher does.

A view reads the request, calls one flow or one reading, and renders; every change is a POST that leads back to a page.
To add one: a function here, of one study with `study_page`, `study_form` or `study_post` of study_of.py, and a line in
researcher/urls.py; tests/house/test_addresses.py sees that it asks for a login, tests/house/walk that it answers each
role as it says there, tests/config/test_web_process.py that it loads no torch. Whatever it shows is reached from the
study found, or from the studies, trainings and models of its reader.
"""
