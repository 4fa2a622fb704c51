"""Interesting: ElementTree reads the document, and refuses to write it with a default namespace, because an element below
the second level has no namespace while the root has one."""

import sys
import xml.etree.ElementTree as ET


def main():
    try:
        root = ET.parse("catalogue.xml").getroot()
    except (ET.ParseError, ValueError):
        return 1
    if not root.tag.startswith("{"):
        return 1
    if any(not child.tag.startswith("{") for child in root):
        return 1
    namespace = root.tag[1:].split("}")[0]
    try:
        ET.tostring(root, default_namespace=namespace)
    except ValueError as error:
        return 0 if "non-qualified names" in str(error) else 1
    return 1


sys.exit(main())
