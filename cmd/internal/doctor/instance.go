package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/app/kernel"
	"github.com/casino-service/casino/cmd/internal/cli"
)

// errorMax bounds how much of an answer is shown, in bytes.
const errorMax = 1 << 10

// reachable returns the address under which this machine reaches a listening address.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err == nil && (host == "" || host == "0.0.0.0" || host == "::") {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return address
}

// checkInstance asks an instance that runs with these settings, or checks that its addresses
// are free.
func (d *doctor) checkInstance(ctx context.Context) []Finding {
	const name = "instance"
	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+reachable(d.OpsAddr)+"/readyz", nil)
	if err != nil {
		return fault(name, err, "Correct CASINO_OPS_ADDR.")
	}
	answer, err := http.DefaultClient.Do(ask)
	if errors.Is(err, syscall.ECONNREFUSED) || strings.HasSuffix(d.OpsAddr, ":0") {
		return d.checkAddresses(ctx)
	}
	if err != nil {
		return fault(name, err, "Restart the instance: it doesn't answer at CASINO_OPS_ADDR.")
	}
	defer func() { _ = answer.Body.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(answer.Body, errorMax))
	if err != nil || answer.StatusCode != http.StatusOK {
		return fault(name, errors.Join(fmt.Errorf("an instance runs and isn't ready: %s", strings.TrimSpace(string(text))), err),
			"Read its log, and repair what the lines about the database name.")
	}
	d.running.Store(true)
	health, err := client.New("http://"+reachable(d.HTTPAddr)+d.API.Prefix(), nil).Health(ctx)
	if err != nil {
		return fault(name, fmt.Errorf("an instance is ready, and GET /health fails: %w", err), "Correct CASINO_HTTP_ADDR and CASINO_BASE_PATH to those of the instance.")
	}
	var wrong []string
	for _, check := range slices.Sorted(maps.Keys(health.Checks)) {
		if status := health.Checks[check].Status; status != string(kernel.OK) && status != string(kernel.Disabled) {
			wrong = append(wrong, check+" "+status)
		}
	}
	switch {
	case len(wrong) > 0:
		return warning(name, fmt.Sprintf("version %s is ready, its health is %s: %s", health.Version, health.Status, strings.Join(wrong, ", ")),
			"Do what docs/operations/alerts-service.md says of CasinoDependencyDown.")
	case health.Version != cli.Version:
		return warning(name, fmt.Sprintf("version %s is ready, this is version %s", health.Version, cli.Version), "Run casino doctor of the instance's version, or replace the instance.")
	}
	return ok(name, "version %s is ready and healthy", health.Version)
}

// checkAddresses opens both addresses for a moment.
func (d *doctor) checkAddresses(ctx context.Context) []Finding {
	const name = "instance"
	for _, a := range []struct{ setting, address string }{{"CASINO_HTTP_ADDR", d.HTTPAddr}, {"CASINO_OPS_ADDR", d.OpsAddr}} {
		listener, err := new(net.ListenConfig).Listen(ctx, "tcp", a.address)
		if err != nil {
			return fault(name, fmt.Errorf("no instance runs, and %s can't be opened: %w", a.setting, err), "End the program that listens there, or choose another address in "+a.setting+".")
		}
		if err := listener.Close(); err != nil {
			return fault(name, err, "Run casino doctor again.")
		}
	}
	return ok(name, "none runs, and its addresses %s and %s are free", d.HTTPAddr, d.OpsAddr)
}
