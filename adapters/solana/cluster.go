package solana

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/casino-service/casino/domain/deposit"
	"github.com/casino-service/casino/domain/fault"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/token"
	"github.com/casino-service/casino/domain/withdrawal"
	"github.com/casino-service/casino/ports"
)

// quorum is the number of nodes that must agree before money is booked.
const quorum = 2

// Cluster calls several nodes of one chain, so that no single node is trusted. A deposit, a
// mint, the end of a payout, and the treasury's history count when two nodes report the
// same. Reads that don't move money (a history, a balance, a blockhash) come from the first
// working node; payouts are sent to all nodes.
//
// A node with another genesis hash is not used. Healthy reports nodes that are behind.
// Errors name a node by its position in the list, never by its URL. Methods may be called
// concurrently. A call queries its nodes in parallel and leaves no goroutine behind.
type Cluster struct {
	nodes []*Node

	mu      sync.Mutex
	genesis string   // that all nodes must have, "" until one has answered
	state   []report // of each node

	backlogs backlogs
	looked   lookups
}

// report is the known state of a node.
type report struct {
	checked bool // its genesis hash is correct
	behind  bool
}

var (
	_ ports.DepositReader   = (*Cluster)(nil)
	_ ports.DepositHistory  = (*Cluster)(nil)
	_ ports.TreasuryHistory = (*Cluster)(nil)
	_ ports.Mints           = (*Cluster)(nil)
	_ ports.Payer           = (*Cluster)(nil)
	_ ports.ChainProbe      = (*Cluster)(nil)
	_ ports.HouseAddresses  = (*Cluster)(nil)
)

// NewCluster returns an adapter over the nodes at the URLs: at least two, without
// duplicates. Config.RPC is not used. Every node must have the genesis hash; if it is
// empty, the first node to answer sets it.
func NewCluster(cfg Config, genesis string, urls ...string) (*Cluster, error) {
	if len(urls) < quorum {
		return nil, fmt.Errorf("solana: %d nodes can't agree with each other: name at least two", len(urls))
	}
	c := &Cluster{genesis: genesis, state: make([]report, len(urls)), backlogs: backlogs{kept: map[string]backlog{}}}
	for i, url := range urls {
		if slices.Contains(urls[:i], url) {
			return nil, fmt.Errorf("solana: node %d is named twice: it would agree with itself", i+1)
		}
		cfg.RPC = url
		node, err := New(cfg)
		if err != nil {
			return nil, c.nameNode(i, err)
		}
		c.nodes = append(c.nodes, node)
	}
	return c, nil
}

// Close drops idle connections. Calls in progress continue.
func (c *Cluster) Close() {
	for _, node := range c.nodes {
		node.Close()
	}
}

func (c *Cluster) nameNode(node int, err error) error { return fmt.Errorf("node %d: %w", node+1, err) }

// errOtherChain is in the error of a node that is on another chain.
var errOtherChain = errors.New("on another chain")

// checkNode returns nil if a node is on the right chain.
func (c *Cluster) checkNode(ctx context.Context, i int) error {
	c.mu.Lock()
	checked := c.state[i].checked
	c.mu.Unlock()
	if checked {
		return nil
	}
	genesis, err := c.nodes[i].Genesis(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.genesis == "" {
		c.genesis = genesis
	}
	if genesis != c.genesis {
		return &chainError{
			text:   fmt.Sprintf("solana: genesis hash %s, want %s: it is on another chain", genesis, c.genesis),
			public: fault.New(fault.External, "the chain can't be read at the moment"), cause: errOtherChain,
		}
	}
	c.state[i].checked = true
	return nil
}

// reply is one node's answer.
type reply[A any] struct {
	node   int
	answer A
	err    error
}

// askAll queries all nodes in parallel.
func askAll[A any](ctx context.Context, c *Cluster, ask func(context.Context, *Node) (A, error)) []reply[A] {
	replies := make([]reply[A], len(c.nodes))
	var asking sync.WaitGroup
	for i := range c.nodes {
		asking.Go(func() {
			r := &replies[i]
			r.node = i
			if r.err = c.checkNode(ctx, i); r.err == nil {
				r.answer, r.err = ask(ctx, c.nodes[i])
			}
			if r.err != nil {
				r.err = c.nameNode(i, r.err)
			}
		})
	}
	asking.Wait()
	return replies
}

// agreedAnswer returns the answer that two nodes gave; false if there is none.
func agreedAnswer[A any](replies []reply[A], same func(A, A) bool) (answer A, found bool) {
	for i, one := range replies {
		for _, other := range replies[i+1:] {
			if one.err == nil && other.err == nil && same(one.answer, other.answer) {
				return one.answer, true
			}
		}
	}
	return answer, false
}

// joinErrors joins the errors of all nodes.
func joinErrors[A any](replies []reply[A]) error {
	var all []error
	for _, r := range replies {
		if r.err != nil {
			all = append(all, r.err)
		}
	}
	return errors.Join(all...)
}

// permanentError returns an error that every node would return, because it is not about
// reaching the chain.
func permanentError[A any](replies []reply[A]) error {
	for _, r := range replies {
		if r.err != nil && !fault.Is(r.err, fault.External) {
			return r.err
		}
	}
	return nil
}

// disagreementError reports nodes that contradict each other; it needs attention at once,
// because one lies or is broken.
func disagreementError(what string) error {
	return unusableError("the nodes do not agree on %s: one of them lies or is broken", what)
}

// askInTurn queries one node after the other until one answers; nodes that are behind come
// last. It stops at an error that is not about reaching the chain.
func askInTurn[A any](ctx context.Context, c *Cluster, ask func(context.Context, *Node) (A, error)) (answer A, err error) {
	var all []error
	for _, i := range c.nodeOrder() {
		err := c.checkNode(ctx, i)
		if err == nil {
			answer, err = ask(ctx, c.nodes[i])
		}
		switch {
		case err == nil:
			return answer, nil
		case !fault.Is(err, fault.External):
			return answer, err
		}
		all = append(all, c.nameNode(i, err))
	}
	return answer, errors.Join(all...)
}

// nodeOrder lists the nodes, working ones first.
func (c *Cluster) nodeOrder() (all []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, behind := range []bool{false, true} {
		for i, r := range c.state {
			if r.behind == behind {
				all = append(all, i)
			}
		}
	}
	return all
}

// Observe returns the observation that two nodes share. A transaction that only one node
// has finalized counts as found but not finalized, however long that lasts. It is an error
// if two nodes report it differently.
func (c *Cluster) Observe(ctx context.Context, signature string) (deposit.Observation, error) {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (deposit.Observation, error) {
		seen, err := n.Observe(ctx, signature)
		return inOrder(seen), err
	})
	if err := permanentError(replies); err != nil {
		return deposit.Observation{Signature: signature}, err
	}
	same := func(a, b deposit.Observation) bool { return a.Finalized && b.Finalized && reflect.DeepEqual(a, b) }
	if seen, found := agreedAnswer(replies, same); found {
		return seen, nil
	}
	pending, answered, settled := deposit.Observation{Signature: signature}, 0, 0
	for _, r := range replies {
		if r.err != nil {
			continue
		}
		answered++
		pending.Found = pending.Found || r.answer.Found
		pending.Incomplete = pending.Incomplete || r.answer.Incomplete
		if r.answer.Finalized {
			settled++
		}
	}
	switch {
	case settled >= quorum:
		return deposit.Observation{Signature: signature}, disagreementError("transaction " + signature)
	case answered == 0 || !pending.Found && answered < quorum:
		// "Never seen" needs two nodes as well, because it ends a claim.
		return deposit.Observation{Signature: signature}, joinErrors(replies)
	}
	return pending, nil
}

// inOrder sorts the parts that nodes may list in any order.
func inOrder(seen deposit.Observation) deposit.Observation {
	slices.SortFunc(seen.Tokens, func(a, b deposit.TokenChange) int {
		return strings.Compare(a.Account+string(a.Mint), b.Account+string(b.Mint))
	})
	return seen
}

// Treasury returns where deposits of a token arrive.
func (c *Cluster) Treasury(terms token.Terms) (deposit.Treasury, error) {
	return c.nodes[0].Treasury(terms)
}

// Since lists the history of one node. A transaction counts only once Observe confirms it;
// one that the node hides shows when the books are compared with the chain.
func (c *Cluster) Since(ctx context.Context, terms token.Terms, cursor string, limit int) (ports.HistoryPage, error) {
	return askInTurn(ctx, c, func(ctx context.Context, n *Node) (ports.HistoryPage, error) {
		return n.Since(ctx, terms, cursor, limit)
	})
}

// Mint returns the mint that two nodes report.
func (c *Cluster) Mint(ctx context.Context, terms token.Terms) (token.Mint, error) {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (token.Mint, error) { return n.Mint(ctx, terms) })
	if mint, found := agreedAnswer(replies, func(a, b token.Mint) bool { return reflect.DeepEqual(a, b) }); found {
		return mint, nil
	}
	if err := joinErrors(replies); err != nil {
		return token.Mint{}, err
	}
	return token.Mint{}, disagreementError("mint " + string(terms.Mint))
}

// Holding returns the balance that the first working node reports.
func (c *Cluster) Holding(ctx context.Context, terms token.Terms) (money.Amount, error) {
	return askInTurn(ctx, c, func(ctx context.Context, n *Node) (money.Amount, error) { return n.Holding(ctx, terms) })
}

// Sign builds and signs with data from the first working node. It sends nothing, so another
// node can be used when one fails halfway.
func (c *Cluster) Sign(ctx context.Context, w withdrawal.Withdrawal, terms token.Terms) (withdrawal.Attempt, error) {
	return askInTurn(ctx, c, func(ctx context.Context, n *Node) (withdrawal.Attempt, error) { return n.Sign(ctx, w, terms) })
}

// Send sends the stored bytes to all nodes; one that accepts them is enough.
func (c *Cluster) Send(ctx context.Context, attempt withdrawal.Attempt) error {
	replies := askAll(ctx, c, func(ctx context.Context, n *Node) (struct{}, error) { return struct{}{}, n.Send(ctx, attempt) })
	for _, r := range replies {
		if r.err == nil {
			return nil
		}
	}
	return joinErrors(replies)
}
