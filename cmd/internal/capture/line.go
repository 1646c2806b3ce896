package capture

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Form is the version of the file format. Readers accept no other.
const Form = 1

// Kinds of lines.
const (
	lineCapture  = "capture"  // the first line: what was planned, and where
	lineRules    = "rules"    // GET /public/games
	lineConfig   = "config"   // a played config, with POST /public/games/{gameType}/return
	lineBalance  = "balance"  // GET /balance
	lineSeed     = "seed"     // GET /seed
	lineRotation = "rotation" // POST /seed/rotate
	lineRound    = "round"    // POST /play
	lineOpen     = "open"     // POST /rounds
	lineStep     = "step"     // POST /rounds/{id}/steps
	lineKept     = "kept"     // GET /history/{id}
	lineRefused  = "refused"  // POST /play, POST /rounds or a step, refused
	lineLimits   = "limits"   // GET /public/limits
	lineKeys     = "keys"     // GET /public/keys
	lineSolvency = "solvency" // GET /account/solvency
	// Lines of the shared crash.
	lineShared        = "shared"        // GET /crash, while it takes bets
	lineSharedBet     = "sharedBet"     // POST /crash/bets
	lineSharedCashOut = "sharedCashOut" // POST /crash/cashout
	lineSharedRound   = "sharedRound"   // GET /crash/rounds/{number}, with every result
	// lineUnanswered is POST /play or POST /rounds without an answer, or with one that says
	// nothing of the bet.
	lineUnanswered = "unanswered"
	lineEnd        = "end" // the last line
)

// Line is one line of a capture: a request and its answer, in the order of the answers.
// Members that a kind doesn't have are omitted.
type Line struct {
	Line string `json:"line"`
	// At is the time of the answer in Unix milliseconds, by the capturing machine's clock.
	At      int64   `json:"at,omitzero"`
	Capture *Header `json:"capture,omitzero"`
	// Player and Config are numbers within this capture, from 1.
	Player int `json:"player,omitzero"`
	Config int `json:"config,omitzero"`
	// Name describes a config: default, least, greatest, or a limit.
	Name string `json:"name,omitzero"`
	// ClientSeed is the seed chosen for the pair that a rotation begins.
	ClientSeed string `json:"clientSeed,omitzero"`
	Asked      *Asked `json:"asked,omitzero"`
	// Status is the status of a refusal.
	Status int `json:"status,omitzero"`
	// Answered is the body that the service sent.
	Answered jsontext.Value `json:"answered,omitzero"`
	End      *Footer        `json:"end,omitzero"`
}

// Header describes what was planned, where and by whom.
type Header struct {
	Form    int    `json:"form"`
	TakenBy string `json:"takenBy"` // the version of the capturing program
	BaseURL string `json:"baseUrl"`
	Version string `json:"version"` // the version that the service states
	Token   string `json:"token"`
	Symbol  string `json:"symbol"`
	// Rounds is the planned number for each game, PairRounds the maximum number for each
	// pair.
	Rounds     int      `json:"rounds"`
	PairRounds int      `json:"pairRounds"`
	Games      []string `json:"games"`
	Players    []string `json:"players"` // wallets, if known
}

// Asked is a bet as sent, or the action of a step.
type Asked struct {
	GameType string           `json:"gameType"`
	Config   jsontext.Value   `json:"config,omitzero"`
	Token    string           `json:"token,omitzero"`
	Wager    int64            `json:"wager,omitzero"`
	Actions  []jsontext.Value `json:"actions,omitzero"`
	// CashOut is the automatic cash-out of a bet on the shared crash, empty for none.
	CashOut string `json:"cashOut,omitzero"`
	// ExpectedServerSeedHash and ExpectedNonce name the pair and the nonce that the bet was for.
	ExpectedServerSeedHash string `json:"expectedServerSeedHash,omitzero"`
	ExpectedNonce          *int64 `json:"expectedNonce,omitzero"`
	// Key is the Idempotency-Key that it was sent with.
	Key string `json:"key,omitzero"`
}

// Footer ends a capture.
type Footer struct {
	Rounds int `json:"rounds"`
	// Stopped is the reason for an early end, otherwise empty.
	Stopped string `json:"stopped,omitzero"`
	// SHA256 is the digest of all bytes before this line.
	SHA256 string `json:"sha256"`
}

// Writer writes a capture. It is safe for concurrent use.
type Writer struct {
	mu     sync.Mutex
	to     *bufio.Writer
	digest hash.Hash
	rounds int
	err    error
}

// NewWriter returns a writer of a new capture.
func NewWriter(to io.Writer) *Writer {
	return &Writer{to: bufio.NewWriterSize(to, 1<<16), digest: sha256.New()}
}

// writeLine appends a line. After an error it writes nothing more and returns the error
// again.
func (w *Writer) writeLine(l Line) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return w.err
	}
	text, err := json.Marshal(l)
	if err == nil {
		text = append(text, '\n')
		w.digest.Write(text)
		_, err = w.to.Write(text)
	}
	if l.Line == lineRound || l.Line == lineOpen {
		w.rounds++
	}
	w.err = err
	return err
}

// writeEnd writes the last line and returns the digest of all lines before it.
func (w *Writer) writeEnd(at int64, stopped string) (digest string, err error) {
	digest = hex.EncodeToString(w.digest.Sum(nil))
	err = w.writeLine(Line{Line: lineEnd, At: at, End: &Footer{Rounds: w.rounds, Stopped: stopped, SHA256: digest}})
	return digest, errors.Join(err, w.to.Flush())
}

// lineMax is the maximum length of a line. The published games with their tables are
// longest.
const lineMax = 16 << 20

// reader reads lines and computes their digest.
type reader struct {
	lines  *bufio.Scanner
	digest hash.Hash
	at     int // the line's number, from 1
}

func newReader(from io.Reader) *reader {
	r := &reader{lines: bufio.NewScanner(from), digest: sha256.New()}
	r.lines.Buffer(make([]byte, 0, 1<<16), lineMax)
	return r
}

// readLine returns the next line, or io.EOF after the last one. before is the digest of all
// earlier lines.
func (r *reader) readLine() (l Line, before string, err error) {
	if !r.lines.Scan() {
		if err := r.lines.Err(); err != nil {
			return Line{}, "", fmt.Errorf("line %d: %w", r.at+1, err)
		}
		return Line{}, "", io.EOF
	}
	r.at++
	before = hex.EncodeToString(r.digest.Sum(nil))
	text := r.lines.Bytes()
	r.digest.Write(text)
	r.digest.Write([]byte{'\n'})
	if err := json.Unmarshal(bytes.Clone(text), &l); err != nil {
		return Line{}, "", fmt.Errorf("line %d is not a line of a capture: %w", r.at, err)
	}
	return l, before, nil
}
