from django.apps import AppConfig


class ResearcherConfig(AppConfig):
    name = "researcher"

    def ready(self) -> None:
        # Rows can be imported from here on.
        from scoring.spread import row
        from stimuli.making.registry import FINDERS

        row.FINDERS.update(FINDERS)
