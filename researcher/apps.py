from django.apps import AppConfig


class ResearcherConfig(AppConfig):
    name = "researcher"
