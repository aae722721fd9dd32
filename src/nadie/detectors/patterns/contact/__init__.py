"""Ways to reach a person: telephone, mail, web, network addresses."""
