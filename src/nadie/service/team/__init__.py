"""A team on one project: reviewers, second readings, adjudication, who has which document open."""
