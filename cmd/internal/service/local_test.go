package service_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/casino-service/casino/cmd/internal/service"
)

// TestOnlyThisMachinesNamesAreServed: a page with a foreign name that resolves to here is
// refused.
func TestOnlyThisMachinesNamesAreServed(t *testing.T) {
	t.Parallel()
	handler := service.OnlyLocal(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	for host, status := range map[string]int{
		"localhost": http.StatusNoContent, "localhost:8080": http.StatusNoContent, "127.0.0.1": http.StatusNoContent, "127.0.0.1:8080": http.StatusNoContent,
		"127.64.3.2:1": http.StatusNoContent, "[::1]": http.StatusNoContent, "[::1]:8080": http.StatusNoContent,
		"": http.StatusMisdirectedRequest, "evil.example": http.StatusMisdirectedRequest, "evil.example:8080": http.StatusMisdirectedRequest,
		"localhost.evil.example": http.StatusMisdirectedRequest, "127.0.0.1.nip.io:8080": http.StatusMisdirectedRequest, "192.0.2.1": http.StatusMisdirectedRequest,
		"[::1]:80:80": http.StatusMisdirectedRequest,
	} {
		r := httptest.NewRequest(http.MethodPost, "/casino/dev/wallets/root/sign", http.NoBody)
		r.Host = host
		answer := httptest.NewRecorder()
		if handler.ServeHTTP(answer, r); answer.Code != status {
			t.Errorf("%q: %d, want %d", host, answer.Code, status)
		}
	}
}
