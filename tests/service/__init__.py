"""Tests of the service and the review page."""
