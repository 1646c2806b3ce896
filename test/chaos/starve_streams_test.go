package chaos_test

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

// listen keeps event streams open, more than there are places for: every fourth is one player's
// own, the others are the feed from many addresses. Every second one is never read. If the
// service refuses or ends one, it begins again.
func (s *scene) listen(bearer string) func(*flood, int, <-chan struct{}) {
	return func(f *flood, connection int, stop <-chan struct{}) {
		for {
			s.listenOnce(f, connection, bearer, stop)
			select {
			case <-stop:
				return
			case <-time.After(time.Second):
			}
		}
	}
}

// listenOnce opens a stream and keeps it until the service ends it, or until stop.
func (s *scene) listenOnce(f *flood, connection int, bearer string, stop <-chan struct{}) {
	const own, silent, addresses = 4, 2, 250
	path := "/public/feed"
	if connection%own == 0 {
		path = "/events"
	}
	r, err := http.NewRequest(http.MethodGet, "http://"+s.api+"/casino"+path, nil)
	if err != nil {
		s.Error(err)
		return
	}
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.%d.%d", connection/addresses%addresses, connection%addresses+1))
	if connection%own == 0 {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	answer, err := s.listening.Do(r)
	if err != nil {
		f.note("refused to connect")
		return
	}
	defer func() { _ = answer.Body.Close() }()
	f.count.Add(1)
	f.note(fmt.Sprint(answer.StatusCode))
	if answer.StatusCode != http.StatusOK {
		return
	}
	ended := make(chan struct{})
	if connection%silent != 0 {
		go func() {
			defer close(ended)
			_, _ = io.Copy(io.Discard, answer.Body) // until the service ends it, or it is closed
		}()
	}
	select {
	case <-stop:
	case <-ended:
	}
}
