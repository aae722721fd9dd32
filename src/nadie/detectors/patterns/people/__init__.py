"""Persons, by the words that announce them: names of patients, staff and relatives, sex, profession, group."""
