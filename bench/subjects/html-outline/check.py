"""Builds the outline of a page with Python's html.parser. Interesting: closing a section pops a heading that is not there,
while a deeper heading is open."""

import html.parser
import sys


class Outline(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open_sections = []
        self.headings = []
        self.in_heading = None
        self.titles = []

    def handle_starttag(self, tag, attributes):
        if tag in ("section", "article"):
            self.open_sections.append(len(self.headings))
        elif len(tag) == 2 and tag[0] == "h" and tag[1] in "123456":
            level = int(tag[1])
            # The bug: headings of an outer section are closed as well.
            while self.headings and self.headings[-1] >= level:
                self.headings.pop()
            self.headings.append(level)
            self.in_heading = level

    def handle_endtag(self, tag):
        if tag in ("section", "article") and self.open_sections:
            count = self.open_sections.pop()
            for _ in range(count - len(self.headings)):
                self.titles.append(self.headings[count - 1])
            del self.headings[count:]
        elif self.in_heading and tag == "h" + str(self.in_heading):
            self.in_heading = None

    def handle_data(self, data):
        if self.in_heading and data.strip():
            self.titles.append(data.strip())


def main():
    with open("manual.html", encoding="utf-8", errors="replace") as file:
        text = file.read()
    outline = Outline()
    try:
        outline.feed(text)
        outline.close()
    except IndexError:
        return 0 if outline.titles and len(outline.open_sections) >= 1 else 1
    except (AssertionError, ValueError):
        return 1
    return 1


sys.exit(main())
