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

// Form is the version of the file's form. A reader takes no other.
const Form = 1

// The kinds of lines.
const (
	lineCapture  = "capture"  // the first one: what was to be played, where
	lineRules    = "rules"    // GET /public/games
	lineConfig   = "config"   // a config that is played, with POST /public/games/{gameType}/return
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
	// lineUnanswered is POST /play or POST /rounds without an answer, or with one that says
	// nothing of the bet.
	lineUnanswered = "unanswered"
	lineEnd        = "end" // the last one
)

// Line is one line of a capture: what was asked and what was answered, in the order in
// which it was. Members that a kind doesn't have are left out.
type Line struct {
	Line string `json:"line"`
	// At is when the answer was there, in Unix milliseconds by the clock of whoever captured.
	At      int64   `json:"at,omitzero"`
	Capture *Header `json:"capture,omitzero"`
	// Player and Config are numbers of this capture, from 1.
	Player int `json:"player,omitzero"`
	Config int `json:"config,omitzero"`
	// Name says what a config is: default, least, greatest, or a border.
	Name string `json:"name,omitzero"`
	// ClientSeed is the one that was chosen for the pair that a rotation begins.
	ClientSeed string `json:"clientSeed,omitzero"`
	Asked      *Asked `json:"asked,omitzero"`
	// Status is of a refusal.
	Status int `json:"status,omitzero"`
	// Answered is the body that the service sent, as it was.
	Answered jsontext.Value `json:"answered,omitzero"`
	End      *Footer        `json:"end,omitzero"`
}

// Header says what was to be played, where and by whom.
type Header struct {
	Form    int    `json:"form"`
	TakenBy string `json:"takenBy"` // the version of the program that captured
	BaseURL string `json:"baseUrl"`
	Version string `json:"version"` // the service's, as it says
	Token   string `json:"token"`
	Symbol  string `json:"symbol"`
	// Rounds is how many were to be played of each game, PairRounds of each pair at most.
	Rounds     int      `json:"rounds"`
	PairRounds int      `json:"pairRounds"`
	Games      []string `json:"games"`
	Players    []string `json:"players"` // their wallets, if they are known
}

// Asked is a bet as it was sent, or the one action of a step.
type Asked struct {
	GameType string           `json:"gameType"`
	Config   jsontext.Value   `json:"config,omitzero"`
	Token    string           `json:"token,omitzero"`
	Wager    int64            `json:"wager,omitzero"`
	Actions  []jsontext.Value `json:"actions,omitzero"`
	// Key is the Idempotency-Key that it was sent with.
	Key string `json:"key,omitzero"`
}

// Footer ends a capture.
type Footer struct {
	Rounds int `json:"rounds"`
	// Stopped says why not everything was played; empty when it was.
	Stopped string `json:"stopped,omitzero"`
	// SHA256 is of all bytes before this line.
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

// NewWriter begins a capture.
func NewWriter(to io.Writer) *Writer {
	return &Writer{to: bufio.NewWriterSize(to, 1<<16), digest: sha256.New()}
}

// writeLine appends a line. After an error it writes nothing more, and returns it again.
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

// writeEnd writes the last line and returns the digest of all before it.
func (w *Writer) writeEnd(at int64, stopped string) (digest string, err error) {
	digest = hex.EncodeToString(w.digest.Sum(nil))
	err = w.writeLine(Line{Line: lineEnd, At: at, End: &Footer{Rounds: w.rounds, Stopped: stopped, SHA256: digest}})
	return digest, errors.Join(err, w.to.Flush())
}

// lineMax is how long a line may be: the published games with their tables are the longest.
const lineMax = 16 << 20

// reader reads lines and what they come to.
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

// readLine returns the next line, io.EOF behind the last one. before is the digest of all
// lines that came before it.
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
		return Line{}, "", fmt.Errorf("line %d is none of a capture: %w", r.at, err)
	}
	return l, before, nil
}
