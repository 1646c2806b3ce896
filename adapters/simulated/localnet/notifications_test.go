package localnet

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
)

// TestNoNotificationGoesBeforeItsSubscription checks between the creation of an answer and
// its sending, which no client can. web3.js drops notifications with an unknown id.
func TestNoNotificationGoesBeforeItsSubscription(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	chain, err := Open(Config{Now: func() time.Time { return now }, Random: strings.NewReader(strings.Repeat("genesis", 1<<10))})
	if err != nil {
		t.Fatal(err)
	}
	signature, err := chain.Airdrop(solana.PublicKey{1}, solana.LAMPORTS_PER_SOL)
	if err != nil {
		t.Fatal(err)
	}
	pubsub := chain.Pubsub()
	defer pubsub.Close()
	s := &subscriber{pubsub: pubsub, open: map[uint64]*subscription{}}
	subscribe := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":[%q,{"commitment":"processed"}]}`, signature)
	if said, answered := s.answerMessage([]byte(subscribe)); !answered || said.Error != nil {
		t.Fatalf("%+v", said)
	}
	if due := s.dueNotifications(); due != nil {
		t.Errorf("before its id was sent: %+v", due)
	}
	s.markSent()
	if due := s.dueNotifications(); len(due) != 1 || due[0].Method != "signatureNotification" {
		t.Errorf("afterwards: %+v", due)
	}
	if due := s.dueNotifications(); due != nil {
		t.Errorf("a second time: %+v", due)
	}
}
