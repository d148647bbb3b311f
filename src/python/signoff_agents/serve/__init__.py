"""`signoff-crew`: serves crews and flows behind the interface of the crew execution service."""
