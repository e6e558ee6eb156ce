"""The words for what the layouts write as codes and short tags: tables alone, asked through `confere.fiscal.codes`."""
