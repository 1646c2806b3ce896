package screening

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"github.com/casino-service/casino/app"
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
	content atomic.Pointer[T]
	// read is the state of the file that was read, seen that of the last look. Only the worker
	// uses them.
	read, seen os.FileInfo
}

// openFile reads a file for the first time.
func openFile[T fmt.Stringer](path string, parse func([]byte) (T, error)) (*watched[T], error) {
	w := &watched[T]{path: path, parse: parse}
	raw, state, err := readFile(path)
	if err != nil {
		return nil, err
	}
	return w, w.take(raw, state)
}

// get returns the content in force.
func (w *watched[T]) get() T { return *w.content.Load() }

// take puts the content of the file in force, unless it can't be parsed.
func (w *watched[T]) take(raw []byte, state os.FileInfo) error {
	content, err := w.parse(raw)
	if err != nil {
		return fmt.Errorf("%s: %w", w.path, err)
	}
	w.content.Store(&content)
	w.read = state
	return nil
}

// readFile returns a file's content and its state before. It maps nothing into memory: a mapped
// file that is overwritten in place would end the process.
func readFile(path string) ([]byte, os.FileInfo, error) {
	file, err := os.Open(path) // #nosec G304 -- the operator's own file
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return nil, nil, err
	}
	raw, err := io.ReadAll(io.LimitReader(file, fileMax+1))
	if err == nil && len(raw) > fileMax {
		err = fmt.Errorf("%s has more than %d bytes", path, fileMax)
	}
	return raw, info, err
}

// look reads the file again if two looks in a row find it in the same new state: one that
// changes between them may be incomplete.
func (w *watched[T]) look() (again bool, err error) {
	now, err := os.Stat(w.path)
	if err != nil {
		return false, err
	}
	before := w.seen
	if w.seen = now; unchanged(w.read, now) || !unchanged(before, now) {
		return false, nil
	}
	raw, state, err := readFile(w.path)
	if err != nil || !unchanged(now, state) {
		return false, err
	}
	return true, w.take(raw, state)
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
