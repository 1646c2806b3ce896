package verifier

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Log is what proofs and checkpoints of the public log are checked with.
type Log struct {
	Keys NoteKeys
	// Witnesses must have cosigned each checkpoint, one of them at least; nil if none is needed.
	Witnesses NoteKeys
	// Checkpoints are those from before, one after another.
	Checkpoints string
	// Read reads a file of the published log by its path, such as checkpoint or tile/0/000, nil
	// for one that the log lacks. A nil Read leaves out the published log.
	Read func(path string) ([]byte, error)
}

// LogReport is what was found about checkpoints.
type LogReport struct {
	Checkpoints, Verified int
	Findings              []string // in plain words; none if all is well
}

// CheckLog verifies the checkpoints from before and the published one, and that they are of one
// history.
func CheckLog(log Log) (LogReport, error) { return log.check(nil) }

// A logCheckpoint is a signed checkpoint, with the source that findings name.
type logCheckpoint struct {
	source, origin, ledger string
	size                   int64
	root                   string // in hexadecimal
}

// logSource is the source of the published checkpoint.
const logSource = "--log"

// check checks all checkpoints, with those of receipts.
func (l Log) check(receipts []VerifiedReceipt) (report LogReport, err error) {
	var all []logCheckpoint
	add := func(source string, c logCheckpoint, err error) {
		report.Checkpoints++
		if err != nil {
			report.Findings = append(report.Findings, source+": log: "+err.Error())
			return
		}
		report.Verified++
		c.source = source
		all = append(all, c)
	}
	if l.Read != nil {
		text, err := l.Read("checkpoint")
		if err == nil && text == nil {
			err = errors.New("the log has no checkpoint")
		}
		if err != nil {
			return report, err
		}
		c, err := l.open(string(text))
		add(logSource, c, err)
	}
	for i, note := range splitNotes(l.Checkpoints) {
		c, err := l.open(note)
		add(fmt.Sprintf("checkpoint %d", i+1), c, err)
	}
	for _, r := range receipts {
		if proof := r.answer.get("log"); proof.kind == '{' || l.Read != nil {
			c, err := l.prove(r, proof)
			add(fmt.Sprintf("receipt %d", r.number), c, err)
		}
	}
	found, err := l.compare(all)
	report.Findings = append(report.Findings, found...)
	return report, err
}

// prove verifies that a checkpoint's tree has the block of a receipt.
func (l Log) prove(r VerifiedReceipt, proof jsonNode) (c logCheckpoint, err error) {
	index, ok := proof.get("index").integer()
	path, ok2 := proof.get("path").hashes()
	if !ok || !ok2 || index < 0 {
		return c, errors.New("the answer has no proof for the log")
	}
	if c, err = l.open(proof.get("checkpoint").text); err != nil {
		return c, err
	}
	if c.ledger != r.head.ledger {
		return c, errors.New("the checkpoint is of another ledger")
	}
	if rootOf(r.header(), index, c.size, path) != c.root {
		return c, errors.New("the log does not have the block")
	}
	return c, nil
}

var checkpointText = regexp.MustCompile("^((casino/([^ /\x00-\x1f]+)/" + wholePattern + ")\n([1-9][0-9]{0,18})\n([A-Za-z0-9+/]{43}=)\n(?:[^\x00-\x1f]+\n)*)\n" +
	"((?:— [^ \x00-\x1f]+ [A-Za-z0-9+/]+={0,2}\n)+)$")

// open verifies the signatures of a checkpoint.
func (l Log) open(note string) (c logCheckpoint, err error) {
	found := checkpointText.FindStringSubmatch(note)
	if found == nil {
		return c, errors.New("the checkpoint has another form")
	}
	size, err := strconv.ParseInt(found[5], 10, 64)
	root, err2 := base64.StdEncoding.Strict().DecodeString(found[6])
	if err != nil || err2 != nil {
		return c, errors.New("the checkpoint has another form")
	}
	text, origin, lines := found[1], found[2], strings.Split(found[7], "\n")
	signs := func(k noteKey) bool { return k.algorithm == logKey && k.name == origin && k.signed(text, lines) }
	if !slices.ContainsFunc(l.Keys, signs) {
		return c, errors.New("no key of the log signed the checkpoint")
	}
	cosigns := func(k noteKey) bool { return k.signed(text, lines) }
	if l.Witnesses != nil && !slices.ContainsFunc(l.Witnesses, cosigns) {
		return c, errors.New("no witness cosigned the checkpoint")
	}
	return logCheckpoint{origin: origin, ledger: found[3], size: size, root: hex.EncodeToString(root)}, nil
}

// splitNotes returns the notes of a text that has one after another: each ends with its lines of
// signatures.
func splitNotes(text string) (notes []string) {
	ended := false
	for line := range strings.Lines(text) {
		signature := strings.HasPrefix(line, "— ")
		if len(notes) == 0 || ended && !signature {
			notes = append(notes, "")
		}
		ended = signature
		notes[len(notes)-1] += line
	}
	return notes
}

// compare returns the checkpoints that contradict each other. The published one is the first.
func (l Log) compare(all []logCheckpoint) (findings []string, err error) {
	type place struct {
		origin string
		size   int64
	}
	first := map[place]logCheckpoint{}
	var compared []logCheckpoint
	published := len(all) > 0 && all[0].source == logSource
	for _, c := range all {
		if published && c.origin != all[0].origin {
			findings = append(findings, c.source+": log: the checkpoint has another origin than the published one")
			continue
		}
		same, known := first[place{c.origin, c.size}]
		switch {
		case !known:
			first[place{c.origin, c.size}] = c
			compared = append(compared, c)
		case same.root != c.root:
			findings = append(findings, fmt.Sprintf("%s and %s: two histories: the checkpoints of %d entries have different roots", same.source, c.source, c.size))
		}
	}
	if !published {
		return findings, nil
	}
	largest := slices.MaxFunc(compared, func(a, b logCheckpoint) int { return cmp.Compare(a.size, b.size) })
	tiles := logTiles{size: largest.size, read: l.Read, kept: map[string][]byte{}}
	for _, c := range compared {
		newer, older, err := tiles.roots(largest.size, c.size)
		var missing missingTile
		switch {
		case errors.As(err, &missing):
			return append(findings, logSource+": "+missing.Error()), nil
		case err != nil:
			return findings, err
		case newer != largest.root:
			return append(findings, fmt.Sprintf("%s: log: the tiles do not lead to the root of %d entries", logSource, largest.size)), nil
		case older != c.root:
			findings = append(findings, fmt.Sprintf("%s and %s: two histories: the checkpoint of %d entries does not extend the one of %d",
				c.source, largest.source, largest.size, c.size))
		}
	}
	return findings, nil
}

// logTiles reads nodes of a tree from the tiles of a log.
type logTiles struct {
	size int64
	read func(path string) ([]byte, error)
	kept map[string][]byte
}

// missingTile is the path of a tile that a log lacks.
type missingTile string

func (m missingTile) Error() string { return "log: the log lacks " + string(m) }

// roots returns the roots of the first n entries, and of the first m of them, by the same nodes.
func (t logTiles) roots(n, m int64) (newer, older string, err error) {
	whole, err := t.hash(0, n, m)
	if err != nil {
		return "", "", err
	}
	part, err := t.hash(0, m, m)
	return hex.EncodeToString(whole), hex.EncodeToString(part), err
}

// hash returns the hash of the entries from lo up to, but without hi, by nodes that do not have
// entries on both sides of m.
func (t logTiles) hash(lo, hi, m int64) ([]byte, error) {
	half, level := int64(1), 0
	for half < hi-lo-half {
		half, level = half*2, level+1
	}
	switch {
	case hi-lo == 1:
		return t.node(0, lo)
	case hi-lo == half*2 && (m <= lo || hi <= m):
		return t.node(level+1, lo/(half*2))
	}
	left, err := t.hash(lo, lo+half, m)
	if err != nil {
		return nil, err
	}
	right, err := t.hash(lo+half, hi, m)
	return nodeHash(left, right), err
}

// node returns the hash of a complete subtree.
func (t logTiles) node(level int, i int64) ([]byte, error) {
	from := i << (level % 8)
	tile := from / 256
	width := min(256, t.size>>(level/8*8)-tile*256)
	data, err := t.tile(fmt.Sprintf("tile/%d/%s", level/8, tilePath(tile, width)), int(width))
	if err != nil {
		return nil, err
	}
	var nodes [][]byte
	for hash := range slices.Chunk(data[from%256*sha256.Size:][:sha256.Size<<(level%8)], sha256.Size) {
		nodes = append(nodes, hash)
	}
	for len(nodes) > 1 {
		for j := range len(nodes) / 2 {
			nodes[j] = nodeHash(nodes[2*j], nodes[2*j+1])
		}
		nodes = nodes[:len(nodes)/2]
	}
	return nodes[0], nil
}

// tile reads the hashes of a tile once.
func (t logTiles) tile(path string, width int) ([]byte, error) {
	if data, found := t.kept[path]; found {
		return data, nil
	}
	data, err := t.read(path)
	if err == nil && len(data) != width*sha256.Size {
		err = missingTile(path)
	}
	if err == nil {
		t.kept[path] = data
	}
	return data, err
}

// tilePath writes the number of a tile in groups of three digits, and its width if it isn't full.
func tilePath(n, width int64) string {
	path := fmt.Sprintf("%03d", n%1000)
	for n /= 1000; n > 0; n /= 1000 {
		path = fmt.Sprintf("x%03d/%s", n%1000, path)
	}
	if width < 256 {
		path += fmt.Sprintf(".p/%d", width)
	}
	return path
}

func nodeHash(left, right []byte) []byte {
	sum := sha256.Sum256(slices.Concat([]byte{1}, left, right))
	return sum[:]
}
