"""Numbers of what belongs to a person: accounts, cards, vehicles, devices, memberships."""
