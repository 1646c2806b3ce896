"""Test whether the casino declines bets by what they would pay, as docs/fairness/capture.md says.

A gambler stakes a part of a purse on each declined bet. As no bet returns more than its
stake in the mean, the probability that the purse is ever multiplied by N is at most 1/N
(Ville's inequality), whichever bets are declined.
"""

LEVEL = 1e-6
PARTS = [0.9] + [0.5**n for n in range(1, 10)]
CELLS = 16
TESTS = ["return of refused bets", "return of bets that were refused again", "first draws of refused bets"]


class Purse:
    """A purse and the most that it ever was, multiples of its beginning."""

    def __init__(self):
        self.most, self.bets = 1.0, 0

    def probability(self):
        return 1 / self.most


class Returns(Purse):
    """A purse that bets on what declined bets would have returned; it is the mean of twenty."""

    def __init__(self):
        super().__init__()
        self.plain, self.scaled = [1.0] * len(PARTS), [1.0] * len(PARTS)

    def bet(self, returned, deviation):
        """Bet on a return, in stakes; deviation is the standard deviation of such returns, which must not depend on the draws."""
        self.bets += 1
        scale = max(1.0, deviation)
        for i, part in enumerate(PARTS):
            self.plain[i] *= 1 + part * (returned - 1)
            self.scaled[i] *= 1 + part / scale * (returned - 1)
        self.most = max(self.most, (sum(self.plain) + sum(self.scaled)) / (2 * len(PARTS)))


class FirstDraws(Purse):
    """A purse that bets on the sixteenth of its range that a first draw falls into, by those seen before."""

    def __init__(self):
        super().__init__()
        self.purse, self.seen = 1.0, [0] * CELLS

    def bet(self, draw):
        cell = draw * CELLS >> 32
        self.purse *= CELLS * (self.seen[cell] + 0.5) / (self.bets + CELLS / 2)
        self.seen[cell] += 1
        self.bets += 1
        self.most = max(self.most, self.purse)


class Selection:
    """The tests of each game and of all games together."""

    def __init__(self, names):
        self.purses = {}
        for name in [*names, "all games"]:
            self.purses[name] = Returns(), Returns(), FirstDraws()

    def take(self, first_draw, bets):
        """Take in the declined bets at one nonce, in order: each its game, its return or None, and a deviation."""
        name, *first = bets[0]
        for purses in (self.purses[name], self.purses["all games"]):
            purses[2].bet(first_draw)
            if first[0] is not None:
                purses[0].bet(*first)
        further = [bet for bet in bets[1:] if bet[1] is not None]
        if further:
            self.bet_again("all games", further)
        for name in sorted({bet[0] for bet in further}):
            self.bet_again(name, [bet for bet in further if bet[0] == name])

    def bet_again(self, name, bets):
        """Bet on the mean of several bets at one nonce."""
        self.purses[name][1].bet(sum(returned for _, returned, _ in bets) / len(bets), max(deviation for _, _, deviation in bets))

    def findings(self):
        """Say which tests find something at the level of all together (Holm)."""
        tests = [(purse.probability(), purse.bets, test, name) for name, purses in self.purses.items() for test, purse in zip(TESTS, purses)]
        found = []
        for rank, (chance, bets, test, name) in enumerate(sorted(tests)):
            if chance > LEVEL / (len(tests) - rank):
                break
            found.append("%s, %s: which of %d bets were declined depends on what they would have paid (probability %.2g)" % (test, name, bets, chance))
        return found
