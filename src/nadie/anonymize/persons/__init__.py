"""Who is who in a document: names taken apart, put together to persons, and given one invented identity each."""
