package screening

import (
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"time"

	"github.com/oschwald/maxminddb-golang/v2"
	"golang.org/x/text/language"

	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/ports"
)

// Countries finds countries in a MaxMind database file, such as GeoLite2-Country.mmdb.
type Countries struct{ file *watched[countryData] }

var _ ports.Countries = (*Countries)(nil)

// countryData is the content of a database file.
type countryData struct{ *maxminddb.Reader }

// String describes the data for logs.
func (d countryData) String() string {
	return d.Metadata.DatabaseType + " of " + d.Metadata.BuildTime().UTC().Format(time.DateOnly)
}

// OpenCountries reads a database file. It returns an error if the file has no countries or can't
// be read to its end.
func OpenCountries(path string) (*Countries, error) {
	file, err := openFile(path, parseCountries)
	if err != nil {
		return nil, err
	}
	return &Countries{file}, nil
}

func parseCountries(raw []byte) (countryData, error) {
	reader, err := maxminddb.OpenBytes(raw)
	if err != nil {
		return countryData{}, fmt.Errorf("is not a MaxMind database: %w", err)
	}
	data := countryData{reader}
	if reader.Metadata.IPVersion != 6 {
		return countryData{}, errors.New("has no IPv6 networks: take a file with both")
	}
	found := false
	for network := range reader.Networks() {
		code, err := codeOf(network)
		if err != nil {
			return countryData{}, fmt.Errorf("is damaged: %w", err)
		}
		found = found || code != ""
	}
	if !found {
		return countryData{}, fmt.Errorf("has no countries, its type is %q: take one such as GeoLite2-Country", reader.Metadata.DatabaseType)
	}
	return data, nil
}

// codeOf returns the country code of a record, "" if it has none.
func codeOf(record maxminddb.Result) (code string, err error) {
	if err := record.DecodePath(&code, "country", "iso_code"); err != nil {
		return "", err
	}
	if code != "" && (len(code) != 2 || strings.Trim(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "") {
		return "", fmt.Errorf("%s has the country code %q", record.Prefix(), code)
	}
	return code, nil
}

// Country implements ports.Countries.
func (c *Countries) Country(at netip.Addr) (code string, err error) {
	at = at.Unmap()
	if !at.IsGlobalUnicast() || at.IsPrivate() {
		return "", nil // even if the file has it
	}
	return codeOf(c.file.get().Lookup(at))
}

// Workers returns the worker that reads the file again after it was replaced.
func (c *Countries) Workers(log *slog.Logger) []app.Worker { return []app.Worker{c.file.worker(log)} }

// checkCode returns an error for a text that isn't the ISO 3166-1 alpha-2 code of a country, such
// as UK, which would never match.
func checkCode(code string) error {
	region, err := language.ParseRegion(code)
	if err != nil || len(code) != 2 || region.String() != code || !region.IsCountry() || region.Canonicalize() != region {
		return fmt.Errorf("%q is not the ISO 3166-1 code of a country, such as DE or GB", code)
	}
	return nil
}
