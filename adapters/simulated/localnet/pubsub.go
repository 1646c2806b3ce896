package localnet

import (
	ctx "context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"github.com/gagliardetto/solana-go"
)

// Limits of the websocket. A connection is closed if a message could not be sent for
// sendTime.
const (
	connectionsMax   = 64
	subscriptionsMax = 256 // of one connection
	messageMax       = 16 << 10
	sendTime         = 5 * time.Second
)

// Pubsub is a node's websocket. Solana's clients expect it on the port above that of the
// JSON-RPC. It has signatureSubscribe and slotSubscribe and their unsubscribe calls, which
// clients use to confirm transactions. It is safe for concurrent use.
type Pubsub struct {
	chain  *Chain
	places chan struct{}
	ids    atomic.Uint64
	ending ctx.Context
	end    ctx.CancelFunc
	open   sync.WaitGroup
	mu     sync.Mutex
	closed bool
}

// Pubsub returns a websocket of the chain. Close it before the chain.
func (c *Chain) Pubsub() *Pubsub {
	ending, end := ctx.WithCancel(ctx.Background())
	return &Pubsub{chain: c, places: make(chan struct{}, connectionsMax), ending: ending, end: end}
}

// Close ends all connections and waits for them. An HTTP server's Shutdown doesn't end
// websockets.
func (p *Pubsub) Close() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.end()
	p.open.Wait()
}

// addConnection counts a connection; false if there are too many or the Pubsub is closed.
func (p *Pubsub) addConnection() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	select {
	case p.places <- struct{}{}:
		p.open.Add(1)
		return true
	default:
		return false
	}
}

func (p *Pubsub) removeConnection() {
	<-p.places
	p.open.Done()
}

// ServeHTTP upgrades the connection to a websocket and serves it until either end closes
// it. Browsers of any origin may connect, as with Handler.
func (p *Pubsub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !p.addConnection() {
		http.Error(w, "too many connections", http.StatusServiceUnavailable)
		return
	}
	defer p.removeConnection()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered
	}
	defer func() { _ = conn.CloseNow() }() // closed already, unless Close was called
	conn.SetReadLimit(messageMax)
	running, stop := ctx.WithCancel(p.ending)
	s := &subscriber{pubsub: p, conn: conn, stop: stop, open: map[uint64]*subscription{}}
	notified := make(chan struct{})
	go func() {
		defer close(notified)
		s.notifyEachSlot(running)
	}()
	s.readMessages(running)
	stop()
	<-notified
}

// subject is the target of a subscription: a signature at a commitment, or slots.
type subject struct {
	signature solana.Signature
	level     level
	received  bool // enableReceivedNotification
	slots     bool
}

// subscription is a subscription of a connection.
type subscription struct {
	subject
	// answered is set once its id was sent. An earlier notification would belong to an
	// unknown subscription.
	answered bool
	reported bool   // receipt of the signature was reported
	ended    bool   // the last notification was sent
	slot     uint64 // the newest slot reported, or the first slot
}

// subscriber is one connection. As on Solana's nodes, subscribing to the same subject twice
// returns the same subscription.
type subscriber struct {
	pubsub *Pubsub
	conn   *websocket.Conn
	stop   ctx.CancelFunc

	mu    sync.Mutex
	open  map[uint64]*subscription
	fresh *subscription // its id is about to be sent
}

// readMessages answers messages until the connection ends.
func (s *subscriber) readMessages(running ctx.Context) {
	for {
		kind, text, err := s.conn.Read(running)
		if err != nil || kind != websocket.MessageText {
			return
		}
		if said, answered := s.answerMessage(text); answered && !s.sendMessage(running, said) {
			return
		}
		s.markSent()
	}
}

// markSent records that the response with a new subscription's id was sent.
func (s *subscriber) markSent() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fresh != nil {
		s.fresh.answered, s.fresh = true, nil
	}
}

// sendMessage writes one message; it returns false if the connection must end.
func (s *subscriber) sendMessage(running ctx.Context, message any) bool {
	text, err := json.Marshal(message)
	if err != nil {
		return false
	}
	limited, cancel := ctx.WithTimeout(running, sendTime)
	defer cancel()
	return s.conn.Write(limited, websocket.MessageText, text) == nil
}

// answerMessage handles a message; false means that it needs no answer, such as a client's
// ping.
func (s *subscriber) answerMessage(text []byte) (response, bool) {
	var r request
	switch err := json.Unmarshal(text, &r); {
	case !json.Valid(text):
		return errorResponse(nil, codeParse, "Parse error"), true
	case err != nil || r.Version != "2.0" || r.Method == "" || !validID(r.ID):
		return errorResponse(nil, codeRequest, "Invalid request"), true
	case r.ID == nil:
		return response{}, false
	}
	result, err := s.callMethod(r)
	if err == nil {
		return response{Version: "2.0", ID: r.ID, Result: result}, true
	}
	refusal := (*rpcError)(nil)
	if !errors.As(err, &refusal) {
		refusal = &rpcError{Code: codeInternal, Message: "Internal error: " + err.Error()}
	}
	return errorResponse(r.ID, refusal.Code, refusal.Message), true
}

func (s *subscriber) callMethod(r request) (any, error) {
	p, err := readParams(r.Params)
	if err != nil {
		return nil, err
	}
	switch r.Method {
	case "signatureSubscribe":
		about, err := signatureSubject(p)
		if err != nil {
			return nil, err
		}
		return s.subscribe(about)
	case "slotSubscribe":
		return s.subscribe(subject{slots: true})
	case "signatureUnsubscribe", "slotUnsubscribe":
		var id uint64
		if err := p.readParam(0, true, &id); err != nil {
			return nil, err
		}
		return s.unsubscribe(id, r.Method == "slotUnsubscribe")
	}
	return nil, &rpcError{Code: codeMethod, Message: "Method not found"}
}

func signatureSubject(p params) (subject, error) {
	var text string
	if err := p.readParam(0, true, &text); err != nil {
		return subject{}, err
	}
	signature, err := parseSignature(text)
	if err != nil {
		return subject{}, err
	}
	var wanted struct {
		Commitment level `json:"commitment"`
		Received   bool  `json:"enableReceivedNotification"`
	}
	if err := p.readParam(1, false, &wanted); err != nil {
		return subject{}, err
	}
	switch wanted.Commitment {
	case "":
		wanted.Commitment = finalized
	case processed, confirmed, finalized:
	default:
		return subject{}, invalidParams("unknown commitment %q, expected processed, confirmed or finalized", wanted.Commitment)
	}
	return subject{signature: signature, level: wanted.Commitment, received: wanted.Received}, nil
}

func (s *subscriber) subscribe(about subject) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, o := range s.open {
		if o.subject == about {
			return id, nil
		}
	}
	if len(s.open) >= subscriptionsMax {
		return nil, &rpcError{Code: codeInternal, Message: "Internal Error: Subscription refused. Node subscription limit reached"}
	}
	id := s.pubsub.ids.Add(1)
	s.fresh = &subscription{subject: about}
	s.open[id] = s.fresh
	return id, nil
}

func (s *subscriber) unsubscribe(id uint64, slots bool) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if o, known := s.open[id]; !known || o.slots != slots {
		return nil, &rpcError{Code: codeParams, Message: "Invalid subscription id."}
	}
	delete(s.open, id)
	return true, nil
}

// notifyEachSlot sends the notifications that are due, once a slot.
func (s *subscriber) notifyEachSlot(running ctx.Context) {
	defer s.stop()
	every := time.NewTicker(s.pubsub.chain.cfg.SlotDuration)
	defer every.Stop()
	for {
		select {
		case <-running.Done():
			return
		case <-every.C:
		}
		for _, n := range s.dueNotifications() {
			if !s.sendMessage(running, n) {
				return
			}
		}
	}
}
