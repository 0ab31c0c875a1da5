"""The laws that every good rule keeps, one concern a file."""
