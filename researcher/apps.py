from django.apps import AppConfig


class ResearcherConfig(AppConfig):
    name = "researcher"

    def ready(self) -> None:
        # Rows can be imported from here on.
        from scoring.corpus_passes import part
        from stimuli.making.registry import FINDERS

        part.FINDERS.update(FINDERS)
