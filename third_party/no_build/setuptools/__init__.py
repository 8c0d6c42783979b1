"""Stands in for setuptools while pip downloads a source archive; see build_meta."""
