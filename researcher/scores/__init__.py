"""What the page of a study's runs shows of those that could be: models by metrics (`grid`)."""
