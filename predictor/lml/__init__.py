"""LML, the XML document of a cluster's state: written strictly, read tolerantly, checked."""
