"""Which scopes are not recorded. Recording and replaying must agree on it, so both use this.

A site that was entered often without a draw is no longer recorded: a trace is about choices, and a program may have
loops that run a million times without any.
"""

# How often a site is entered without a draw before it is quiet, and how many rounds a loop makes.
QUIET_AFTER = 1000


class Site:
    """How often a site was entered before anything was drawn in it, whether anything was, and how many of its scopes were
    recorded if it is a loop."""

    __slots__ = ("entered", "drew", "opened")

    def __init__(self):
        self.entered, self.drew, self.opened = 0, False, 0


class Fresh(list):
    """The open scopes of sites in which nothing was drawn so far, the innermost last.

    A scope that is left by return, break or an exception stays here until a scope around it is closed. If something is
    drawn before that, its site counts as one with draws, which does no harm."""

    __slots__ = ()

    def is_quiet(self, site):
        """Counts the opening of such a scope, and says whether it is not recorded."""
        site.entered += 1
        if site.entered > QUIET_AFTER:
            return True
        self.append(site)
        return False

    def closed(self, site):
        """Such a scope is closed."""
        place = self._last(site)
        if place is not None:
            del self[place:]

    def emptied(self, site):
        """All scopes within such a scope are closed."""
        place = self._last(site)
        if place is not None:
            del self[place + 1 :]

    def _last(self, site):
        for place in range(len(self) - 1, -1, -1):
            if self[place] is site:
                return place
        return None

    def drawn(self):
        """Something is drawn within all of them."""
        for site in self:
            site.drew = True
        self.clear()
