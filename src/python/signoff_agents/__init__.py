"""Puts people in the loop of Python agents, through Signoff."""
