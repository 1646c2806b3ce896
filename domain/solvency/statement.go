package solvency

import (
	"strconv"

	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
)

// Purpose is that of the statements that state what is owed.
const Purpose checkpoint.Purpose = "solvency"

// Stated is what a statement states of one token.
type Stated struct {
	Token money.Token
	// Root is that of the tree of all that is owed, with the sum of it.
	Root Node
	// Leaves is the number of leaves: of wallets to which anything is owed.
	Leaves int
	// Treasury is the address on chain that holds the token for the house.
	Treasury string
	// Holding is what it held at the statement's slot or later; nil where that wasn't known.
	Holding *money.Amount
}

// unknown stands for a holding that isn't known.
const unknown = "unknown"

// Facts returns the facts of a statement: six of each token.
func Facts(all []Stated) []checkpoint.Fact {
	var facts []checkpoint.Fact
	for _, s := range all {
		holding := unknown
		if s.Holding != nil {
			holding = strconv.FormatInt(int64(*s.Holding), 10)
		}
		facts = append(facts, checkpoint.Fact{Name: "token", Value: string(s.Token)},
			checkpoint.Fact{Name: "root", Value: s.Root.Hash.String()}, checkpoint.Fact{Name: "sum", Value: strconv.FormatInt(int64(s.Root.Sum), 10)},
			checkpoint.Fact{Name: "leaves", Value: strconv.Itoa(s.Leaves)},
			checkpoint.Fact{Name: "treasury", Value: s.Treasury}, checkpoint.Fact{Name: "holding", Value: holding})
	}
	return facts
}

// ParseFacts reads what Facts wrote, in that form alone. Anything else is a fault of kind
// Invalid.
func ParseFacts(facts []checkpoint.Fact) ([]Stated, error) {
	broken := fault.Field("statement", "must state token, root, sum, leaves, treasury and holding of each token")
	if len(facts)%6 != 0 {
		return nil, broken
	}
	var all []Stated
	for ; len(facts) > 0; facts = facts[6:] {
		s := Stated{Token: money.Token(facts[0].Value), Treasury: facts[4].Value}
		sum, err := strconv.ParseInt(facts[2].Value, 10, 64)
		if err != nil || sum < 0 {
			return nil, broken
		}
		s.Root.Sum = money.Amount(sum)
		if s.Root.Hash, err = ParseHash(facts[1].Value); err != nil {
			return nil, broken
		}
		if s.Leaves, err = strconv.Atoi(facts[3].Value); err != nil || s.Leaves < 0 {
			return nil, broken
		}
		if facts[5].Value != unknown {
			held, err := strconv.ParseInt(facts[5].Value, 10, 64)
			if err != nil || held < 0 {
				return nil, broken
			}
			s.Holding = (*money.Amount)(&held)
		}
		for i, fact := range Facts([]Stated{s}) {
			if fact != facts[i] {
				return nil, broken
			}
		}
		for _, other := range all {
			if other.Token == s.Token {
				return nil, fault.Field("statement", "states token %s twice", s.Token)
			}
		}
		all = append(all, s)
	}
	return all, nil
}

// Proof is what a player is given: what is owed to them in a token, and its way to the root.
type Proof struct {
	Token money.Token
	Owed
	// Index is the leaf's place in the tree, from 0.
	Index int
	Path  []Node
}

// Check returns nil when the tree that a statement states of the token has the leaf of the
// wallet with these amounts. Otherwise it says what doesn't hold, as a fault of kind Invalid.
func (p Proof) Check(w wallet.Address, salt Hash, stated []Stated) error {
	for _, s := range stated {
		if s.Token != p.Token {
			continue
		}
		leaf, valid := Leaf{Owner(w, salt), p.Owed}.Node(p.Token)
		if !valid {
			return fault.Field("leaf", "has an amount that is negative, or a sum above %d", money.Max)
		}
		root, valid := RootOf(leaf, p.Index, s.Leaves, p.Path)
		switch {
		case !valid:
			return fault.Field("path", "is none of leaf %d in a tree of %d leaves with sums from 0 to %d", p.Index, s.Leaves, money.Max)
		case root.Sum != s.Root.Sum:
			return fault.Field("path", "adds up to %d, the statement states %d", root.Sum, s.Root.Sum)
		case root != s.Root:
			return fault.Field("path", "leads to the root %s, the statement states %s", root.Hash, s.Root.Hash)
		}
		return nil
	}
	return fault.Field("token", "%s is not in the statement", p.Token)
}
