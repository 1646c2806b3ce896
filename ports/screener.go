package ports

import (
	"context"
	"net/netip"

	"github.com/casino-service/casino/domain/admission"
)

// Screener judges who is admitted. Implementations must be safe for concurrent use. One that
// applies files has a method Files() []ScreenerFile, too, which returns the contents in force,
// always of the same names: the audit log records them.
type Screener interface {
	// Name names the screener in evidence and logs: at most 40 letters, digits and dashes.
	Name() string
	// Screens reports whether the screener is asked at a point.
	Screens(at admission.Point) bool
	// Screen returns its finding, under its name. It doesn't panic on any subject. An error says
	// that the screener can't tell now: the caller admits nothing and tries again later. It
	// returns soon after ctx ends.
	Screen(ctx context.Context, s admission.Subject) (admission.Finding, error)
}

// ScreenerFile is the content in force of a file that a screener applies.
type ScreenerFile struct {
	// Name names the file in the audit log, Content describes what was read.
	Name, Content string
	SHA256        [32]byte
}

// Countries finds the country of a remote address.
type Countries interface {
	// Country returns the ISO 3166-1 alpha-2 code, in capitals, or "" for an address of no known
	// country. An IPv4 address in IPv6 form is the IPv4 address. Private and loopback addresses
	// and the zero Addr have no country. An error says that the data can't be read.
	Country(at netip.Addr) (code string, err error)
}
