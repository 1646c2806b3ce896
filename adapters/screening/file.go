package screening

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/ports"
)

// lookEvery is the time between two looks at a file, and fileMax the maximum size of a file in
// bytes.
const (
	lookEvery = 2 * time.Second
	fileMax   = 256 << 20
)

// watched is the content of a file. Its worker reads the file again after it was replaced.
type watched[T fmt.Stringer] struct {
	path    string
	parse   func([]byte) (T, error)
	content atomic.Pointer[loaded[T]]
	// read is the state of the file that was read, seen that of the last look. Only the worker
	// uses them.
	read, seen os.FileInfo
}

// loaded is the content of a file and the hash of its bytes.
type loaded[T any] struct {
	content T
	sum     [sha256.Size]byte
}

// openFile reads a file for the first time.
func openFile[T fmt.Stringer](path string, parse func([]byte) (T, error)) (*watched[T], error) {
	w := &watched[T]{path: path, parse: parse}
	_, err := w.readIf(func(os.FileInfo) bool { return true })
	return w, err
}

// get returns the content in force.
func (w *watched[T]) get() T { return w.content.Load().content }

// file describes the content in force.
func (w *watched[T]) file(name string) ports.ScreenerFile {
	now := w.content.Load()
	return ports.ScreenerFile{Name: name, Content: now.content.String(), SHA256: now.sum}
}

// look reads the file again if two looks in a row find it in the same new state: one that
// changes between them may be incomplete.
func (w *watched[T]) look() (again bool, err error) {
	return w.readIf(func(now os.FileInfo) bool {
		before := w.seen
		w.seen = now
		return !unchanged(w.read, now) && unchanged(before, now)
	})
}

// readIf reads the file if it is in a wanted state, and puts its content in force unless that
// can't be parsed. It maps nothing into memory: a mapped file that is overwritten in place would
// end the process.
func (w *watched[T]) readIf(wanted func(os.FileInfo) bool) (read bool, err error) {
	file, err := os.Open(w.path)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // it was only read
	state, err := file.Stat()
	if err != nil || !wanted(state) {
		return false, err
	}
	raw, err := io.ReadAll(io.LimitReader(file, fileMax+1))
	switch {
	case err != nil:
		return false, err
	case len(raw) > fileMax:
		return false, fmt.Errorf("%s has more than %d bytes", w.path, fileMax)
	}
	content, err := w.parse(raw)
	if err != nil {
		return false, fmt.Errorf("%s: %w", w.path, err)
	}
	w.content.Store(&loaded[T]{content, sha256.Sum256(raw)})
	w.read = state
	return true, nil
}

// unchanged reports whether a file is in the same state as before.
func unchanged(before, now os.FileInfo) bool {
	return before != nil && os.SameFile(before, now) && before.Size() == now.Size() && before.ModTime().Equal(now.ModTime())
}

// worker reads the file again after it was replaced.
func (w *watched[T]) worker(log *slog.Logger) app.Worker {
	return app.Worker{Name: "file " + w.path, Interval: lookEvery, Step: func(ctx context.Context) (bool, error) {
		again, err := w.look()
		if err != nil {
			return false, fmt.Errorf("the content read before stays in force (%s): %w", w.get(), err)
		}
		if again {
			log.InfoContext(ctx, "a file for screening was read again", "file", w.path, "content", w.get().String())
		}
		return again, nil
	}}
}
