package localnet_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/casino-service/casino/adapters/simulated/localnet"
)

// socket is a connection to the websocket of a world, on which texts are sent as web3.js
// sends them.
type socket struct {
	*world
	conn *websocket.Conn
	came chan string // closed at the end of the connection
	end  error
	held []string // notifications received while waiting for an answer
}

func (w *world) pubsub() (*localnet.Pubsub, string) {
	w.Helper()
	pubsub := w.chain.Pubsub()
	server := httptest.NewServer(pubsub)
	w.Cleanup(func() {
		pubsub.Close()
		server.Close()
	})
	return pubsub, "ws" + strings.TrimPrefix(server.URL, "http")
}

func (w *world) dial(url string) *socket {
	w.Helper()
	//nolint:bodyclose // Dial's documentation says so
	conn, _, err := websocket.Dial(w.Context(), url, &websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://localhost:5173"}}})
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { _ = conn.CloseNow() })
	s := &socket{world: w, conn: conn, came: make(chan string, 1<<12)}
	go func() {
		defer close(s.came)
		for {
			kind, text, err := conn.Read(context.Background())
			if err != nil || kind != websocket.MessageText {
				s.end = err
				return
			}
			s.came <- string(text)
		}
	}()
	return s
}

func (s *socket) tell(text string) {
	s.Helper()
	if err := s.conn.Write(s.Context(), websocket.MessageText, []byte(text)); err != nil {
		s.Fatalf("%s: %v", text, err)
	}
}

// read returns the next message. With step it advances the clock until there is one.
func (s *socket) read(step bool) string {
	s.Helper()
	every, late := time.NewTicker(5*time.Millisecond), time.After(20*time.Second)
	defer every.Stop()
	for {
		select {
		case said, more := <-s.came:
			if !more {
				s.Fatalf("the connection ended: %v", s.end)
			}
			return said
		case <-every.C:
			if step {
				s.clock.slots(1)
			}
		case <-late:
			s.Fatal("nothing came")
		}
	}
}

// closed returns how the connection ended.
func (s *socket) closed() error {
	for range s.came {
	}
	return s.end
}

// ask sends a text and returns its answer.
func (s *socket) ask(text string) string {
	s.Helper()
	s.tell(text)
	for {
		said := s.read(false)
		if !strings.Contains(said, `"method"`) {
			return said
		}
		s.held = append(s.held, said)
	}
}

// next is the next notification.
func (s *socket) next(step bool) string {
	s.Helper()
	if len(s.held) > 0 {
		said := s.held[0]
		s.held = s.held[1:]
		return said
	}
	return s.read(step)
}

// subscribe subscribes and returns the subscription's id.
func (s *socket) subscribe(method, params string) uint64 {
	s.Helper()
	said := s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":[%s],"id":7}`, method, params))
	var answer struct {
		Version string  `json:"jsonrpc"`
		ID      int     `json:"id"`
		Result  *uint64 `json:"result"`
	}
	if err := json.Unmarshal([]byte(said), &answer); err != nil || answer.ID != 7 || answer.Version != "2.0" || answer.Result == nil {
		s.Fatalf("%s %s: %s", method, params, said)
	}
	return *answer.Result
}

func (w *world) slot(level rpc.CommitmentType) uint64 {
	w.Helper()
	slot, err := w.client.GetSlot(w.Context(), level)
	if err != nil {
		w.Fatal(err)
	}
	return slot
}

// TestASignatureIsNotifiedAtItsCommitment subscribes before the transaction is sent, as
// web3.js does. A subscription to slots shows that no other notification came between the
// steps.
func TestASignatureIsNotifiedAtItsCommitment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, url := w.pubsub()
	s := w.dial(url)
	alice, bob := w.rich(10*sol), w.key().PublicKey()
	w.clock.slots(2)
	tx := w.signed(list(pay(alice.PublicKey(), bob, sol)), alice)
	signature := tx.Signatures[0].String()
	ids := map[string]uint64{}
	for _, level := range []string{"processed", "confirmed", "finalized"} {
		ids[level] = s.subscribe("signatureSubscribe", fmt.Sprintf(`%q,{"commitment":%q}`, signature, level))
	}
	if again := s.subscribe("signatureSubscribe", fmt.Sprintf(`%q`, signature)); again != ids["finalized"] {
		t.Errorf("the same subject twice: %d and %d", ids["finalized"], again)
	}
	received := s.subscribe("signatureSubscribe", fmt.Sprintf(`%q,{"commitment":"finalized","enableReceivedNotification":true}`, signature))
	slots := s.subscribe("slotSubscribe", "")
	for range 3 {
		if said := s.next(true); !strings.Contains(said, `"slotNotification"`) {
			t.Errorf("before it was sent: %s", said)
		}
	}
	if _, err := w.send(tx); err != nil {
		t.Fatal(err)
	}
	landed := w.slot(rpc.CommitmentProcessed)
	expect := func(id uint64, slot uint64, value string) {
		t.Helper()
		want := fmt.Sprintf(`{"jsonrpc":"2.0","method":"signatureNotification","params":{"result":{"context":{"slot":%d},"value":%s},"subscription":%d}}`, slot, value, id)
		said := s.next(false)
		for strings.Contains(said, `"slotNotification"`) {
			said = s.next(false)
		}
		if said != want {
			t.Errorf("notified %s\nwant     %s", said, want)
		}
	}
	expect(ids["processed"], landed, `{"err":null}`)
	expect(received, landed, `"receivedSignature"`)
	w.clock.slots(localnet.ConfirmedDepth)
	expect(ids["confirmed"], w.slot(rpc.CommitmentConfirmed), `{"err":null}`)
	w.clock.slots(2) // one of two has a block
	if said := s.next(false); !strings.Contains(said, `"slotNotification"`) {
		t.Errorf("between confirmed and finalized: %s", said)
	}
	w.clock.slots(localnet.FinalityDepth)
	final := w.slot(rpc.CommitmentFinalized)
	expect(ids["finalized"], final, `{"err":null}`)
	expect(received, final, `{"err":null}`)
	for name, id := range map[string]uint64{"confirmed": ids["confirmed"], "received": received} { // it ended with its last notification
		if said := s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","method":"signatureUnsubscribe","params":[%d],"id":8}`, id)); !strings.Contains(said, `"Invalid subscription id."`) {
			t.Errorf("%s is still there: %s", name, said)
		}
	}
	if said := s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","method":"slotUnsubscribe","params":[%d],"id":9}`, slots)); said != `{"jsonrpc":"2.0","id":9,"result":true}` {
		t.Errorf("slotUnsubscribe: %s", said)
	}
	// A commitment already reached is notified at once.
	late := s.subscribe("signatureSubscribe", fmt.Sprintf(`%q,{"commitment":"confirmed"}`, signature))
	expect(late, w.slot(rpc.CommitmentConfirmed), `{"err":null}`)
}

func TestAFailedTransactionIsNotifiedWithItsError(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, url := w.pubsub()
	s := w.dial(url)
	alice, bob := w.rich(sol), w.key().PublicKey()
	w.clock.slots(2)
	tx := w.signed(list(pay(alice.PublicKey(), bob, 5*sol)), alice)
	id := s.subscribe("signatureSubscribe", fmt.Sprintf(`%q,{"commitment":"processed"}`, tx.Signatures[0]))
	if _, err := w.client.SendTransactionWithOpts(t.Context(), tx, rpc.TransactionOpts{SkipPreflight: true}); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`"value":{"err":{"InstructionError":[0,{"Custom":1}]}}},"subscription":%d}}`, id)
	if said := s.next(false); !strings.HasSuffix(said, want) {
		t.Errorf("notified %s", said)
	}
}

// TestSlotsAreNotified reads a run of slots: each has its parent and a root, and those
// without a block are left out.
func TestSlotsAreNotified(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, url := w.pubsub()
	s := w.dial(url)
	s.subscribe("slotSubscribe", "")
	var last, skipped uint64
	for range 30 {
		var news struct {
			Method string
			Params struct {
				Result struct{ Parent, Root, Slot uint64 }
			}
		}
		text := s.next(true)
		if err := json.Unmarshal([]byte(text), &news); err != nil || news.Method != "slotNotification" {
			t.Fatalf("%s: %v", text, err)
		}
		at := news.Params.Result
		if last > 0 && at.Parent != last || at.Slot <= at.Parent || at.Root+localnet.FinalityDepth > at.Slot {
			t.Errorf("after slot %d: %s", last, text)
		}
		if at.Slot-at.Parent == 2 {
			skipped++
		}
		last = at.Slot
	}
	if skipped == 0 {
		t.Error("no slot without a block was left out")
	}
}

// TestWhatTheWebsocketRefuses checks the codes of Solana's nodes; clients' pings get no
// answer.
func TestWhatTheWebsocketRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, url := w.pubsub()
	s := w.dial(url)
	s.tell(`{"jsonrpc":"2.0","method":"ping"}`)
	s.tell(`{"jsonrpc":"2.0","method":"ping","params":null}`)
	for text, want := range map[string]string{
		`{`: `"id":null,"error":{"code":-32700`,
		`{"jsonrpc":"1.0","id":1,"method":"slotSubscribe"}`:                                                     `"id":null,"error":{"code":-32600`,
		`{"jsonrpc":"2.0","id":1,"method":"getSlot"}`:                                                           `"id":1,"error":{"code":-32601,"message":"Method not found"`,
		`{"jsonrpc":"2.0","id":"a","method":"accountSubscribe","params":[]}`:                                    `"id":"a","error":{"code":-32601`,
		`{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe"}`:                                                `"error":{"code":-32602`,
		`{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":["x"]}`:                                 `"error":{"code":-32602`,
		`{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":{"a":1}}`:                               `"error":{"code":-32602`,
		`{"jsonrpc":"2.0","id":1,"method":"signatureUnsubscribe","params":[99]}`:                                `"error":{"code":-32602,"message":"Invalid subscription id."`,
		`{"jsonrpc":"2.0","id":1,"method":"slotUnsubscribe","params":[-1]}`:                                     `"error":{"code":-32602`,
		`{"jsonrpc":"2.0","id":1,"method":"slotUnsubscribe"}`:                                                   `"error":{"code":-32602`,
		`{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":["` + zero + `",{"commitment":"max"}]}`: `"error":{"code":-32602`,
	} {
		if said := s.ask(text); !strings.Contains(said, want) {
			t.Errorf("%s: %s, want %s", text, said, want)
		}
	}
	if answer, err := http.Get("http" + strings.TrimPrefix(url, "ws")); err != nil || answer.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("without an upgrade: %v, %v", answer, err)
	} else if err := answer.Body.Close(); err != nil {
		t.Error(err)
	}
}

// zero is a signature that nothing has.
var zero = solana.Signature{}.String()

// TestTheWebsocketIsBounded exceeds the limits of subscriptions, connections and message
// size.
func TestTheWebsocketIsBounded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pubsub, url := w.pubsub()
	first := w.dial(url)
	number := regexp.MustCompile(`"result":(\d+)`)
	for i := range localnet.SubscriptionsMax {
		signature := solana.Signature{byte(i), byte(i >> 8), 1}
		if said := first.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":[%q]}`, signature)); !number.MatchString(said) {
			t.Fatalf("subscription %d: %s", i, said)
		}
	}
	if said := first.ask(`{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}`); !strings.Contains(said, "subscription limit") {
		t.Errorf("one too many: %s", said)
	}
	if said := first.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"signatureSubscribe","params":[%q]}`, solana.Signature{0, 0, 1})); !number.MatchString(said) {
		t.Errorf("one that is there: %s", said)
	}
	last := first
	for range localnet.ConnectionsMax - 1 {
		last = w.dial(url)
	}
	//nolint:bodyclose // Dial's documentation says so
	if _, answer, err := websocket.Dial(t.Context(), url, nil); err == nil || answer == nil || answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one connection too many: %v, %v", answer, err)
	}
	last.tell(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", localnet.MessageMax) + `"}`)
	if err := last.closed(); websocket.CloseStatus(err) != websocket.StatusMessageTooBig {
		t.Errorf("a message too long: %v", err)
	}
	for { // until the server has seen the end
		conn, answer, err := websocket.Dial(t.Context(), url, nil) //nolint:bodyclose // as above
		if err == nil {
			t.Cleanup(func() { _ = conn.CloseNow() })
			break
		}
		if answer == nil || answer.StatusCode != http.StatusServiceUnavailable {
			t.Fatal(err)
		}
	}
	pubsub.Close()
	if err := first.closed(); err == nil {
		t.Error("the connection outlives the server")
	}
	//nolint:bodyclose // as above
	if _, answer, err := websocket.Dial(t.Context(), url, nil); err == nil || answer == nil || answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a connection after the end: %v, %v", answer, err)
	}
}
