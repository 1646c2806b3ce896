package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/adapters/sqlstore/internal/db"
	"github.com/casino-service/casino/domain/player"
	"github.com/casino-service/casino/domain/wallet"
)

// CreditorRow is who credited a player, and when last.
type CreditorRow struct {
	bun.BaseModel `bun:"table:creditors,alias:c"`
	creditorColumns
	At time.Time
}

// creditorColumns are those of a player.Creditor.
type creditorColumns struct {
	Wallet    wallet.Address `bun:",type:uuid"`
	By        wallet.Address `bun:"by_wallet"`
	GrantedBy wallet.Address
	GrantedAt time.Time `bun:",notnull"`
}

// Creditor is who it is.
func (c CreditorRow) Creditor() player.Creditor { return player.Creditor(c.creditorColumns) }

// Creditors are those who credited players.
var Creditors = modelOf[CreditorRow, CreditorRow]()

var (
	readCreditors = Creditors.find("c.wallet = s.wallet AND c.at > s.since", "wallet:uuid", "since:int")
	// A clock that is behind takes nothing back.
	addCreditors = Creditors.insert(`ON CONFLICT (wallet, by_wallet, granted_by, granted_at) DO UPDATE SET
	at = CASE WHEN excluded.at > creditors.at THEN excluded.at ELSE creditors.at END`)
)

// creditors are who credited the players whose withdrawals items of the batch approve:
// as many rows at most as there are origins of admins' roles.
type creditors struct {
	known []player.Vote
	fresh map[player.Creditor]time.Time
}

func (o *creditors) ask(b *Batch) {
	earliest := map[wallet.Address]int64{}
	for _, item := range b.Items {
		n := item.Needs.Votes
		if n == nil || n.Credit() {
			continue
		}
		since := db.Micros(n.At.Add(-player.CreditorWindow))
		if first, asked := earliest[item.Wallet]; !asked || since < first {
			earliest[item.Wallet] = since
		}
	}
	var wanted [][]any
	for w, since := range earliest {
		wanted = append(wanted, []any{WalletKey(w), since})
	}
	readCreditors.ask(&b.Asks, "read who credited players", wanted, func(c CreditorRow) error {
		o.known = append(o.known, c.Creditor().Vote(c.At))
		return nil
	})
}

// votes are with those that stand for the creditors.
func (o *creditors) votes(others []player.Vote) []player.Vote { return append(others, o.known...) }

func (o *creditors) add(y player.Vote) {
	if c, credited := y.Creditor(); credited {
		if at, known := o.fresh[c]; !known || y.At.After(at) {
			put(&o.fresh, c, y.At)
		}
	}
}

func (o *creditors) write(b *Batch) {
	var rows [][]any
	for c, at := range o.fresh {
		rows = append(rows, addCreditors.row(&CreditorRow{creditorColumns: creditorColumns(c), At: at}))
	}
	b.WriteSorted("keep who credited players", addCreditors.query, rows)
}
