"""May a model take an annotator's place? The alternative annotator test."""
