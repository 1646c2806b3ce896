package provider

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// line is a transaction in the provider's own log, amounts in hundredths.
type line struct {
	User  string    `json:"user"`
	Maker string    `json:"maker"`
	Game  string    `json:"game"`
	Kind  string    `json:"kind"`
	Txn   string    `json:"txn"`
	Bet   int64     `json:"bet"`
	Win   int64     `json:"win"`
	At    time.Time `json:"at"`
}

// openJournal reads the log of earlier processes and continues it. It drops a last line
// that a killed process left incomplete.
func (p *Provider) openJournal() error {
	if p.config.Journal == "" {
		return nil
	}
	kept, err := os.ReadFile(p.config.Journal)
	if err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("provider: journal: %w", err)
	}
	whole := kept[:bytes.LastIndexByte(kept, '\n')+1]
	for lines := bufio.NewScanner(bytes.NewReader(whole)); lines.Scan(); {
		var l line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return fmt.Errorf("provider: journal: %w", err)
		}
		p.log = append(p.log, l)
	}
	if p.journal, err = os.OpenFile(p.config.Journal, os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
		return fmt.Errorf("provider: journal: %w", err)
	}
	if err := p.journal.Truncate(int64(len(whole))); err != nil {
		return fmt.Errorf("provider: journal: %w", err)
	}
	if _, err := p.journal.Seek(int64(len(whole)), 0); err != nil {
		return fmt.Errorf("provider: journal: %w", err)
	}
	return nil
}

// Close closes the journal. Nothing may be played afterwards.
func (p *Provider) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.journal == nil {
		return nil
	}
	err := p.journal.Close()
	p.journal = nil
	return err
}

// appendLine writes a line of the provider's own log.
func (p *Provider) appendLine(l line) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.At = p.config.Now().UTC()
	p.log = append(p.log, l)
	if p.journal == nil {
		return nil
	}
	text, err := json.Marshal(l)
	if err != nil {
		return fmt.Errorf("provider: journal: %w", err)
	}
	if _, err := p.journal.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("provider: journal: %w", err)
	}
	return nil
}

// Record writes a debit and its credit into the provider's log at the present time, without
// calling the wallet, and returns their transaction id. Amounts are decimals with at most
// two places.
func (p *Provider) Record(user, maker, game, bet, win string) string {
	txn := p.RecordBet(user, maker, game, bet)
	p.RecordWin(user, maker, game, txn, win)
	return txn
}

// RecordBet records only the debit.
func (p *Provider) RecordBet(user, maker, game, bet string) string {
	txn := p.nextID("t")
	p.addLine(line{User: user, Maker: maker, Game: game, Kind: "debit", Txn: txn, Bet: parseHundredths(bet)})
	return txn
}

// RecordWin writes a credit to a transaction.
func (p *Provider) RecordWin(user, maker, game, txn, win string) {
	p.addLine(line{User: user, Maker: maker, Game: game, Kind: "credit", Txn: txn, Win: parseHundredths(win)})
}

func (p *Provider) addLine(l line) {
	if err := p.appendLine(l); err != nil {
		panic(err) // a script can't continue without its journal
	}
}

// Forget removes a transaction from the provider's log, as if it had been lost. The journal
// still has it.
func (p *Provider) Forget(txn string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := p.log[:0]
	for _, l := range p.log {
		if l.Txn != txn {
			kept = append(kept, l)
		}
	}
	p.log = kept
}

// ChangeWin adds hundredths to the win of a transaction in the provider's log. The journal
// keeps the original.
func (p *Provider) ChangeWin(txn string, win int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.log {
		if p.log[i].Txn == txn && p.log[i].Kind == "credit" {
			p.log[i].Win += win
		}
	}
}

// parseHundredths reads a decimal with at most two places.
func parseHundredths(text string) int64 {
	whole, fraction, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	if err != nil {
		return 0
	}
	return n
}
