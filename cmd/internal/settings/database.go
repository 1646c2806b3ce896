package settings

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// Database selects the database.
type Database struct {
	DatabaseURL     Secret `placeholder:"URL" help:"postgres://user:password@host/name, or sqlite:FILE."`
	DatabaseURLFile string `type:"path" placeholder:"FILE" help:"A file with the database's URL, in place of the URL itself."`
}

// Engine is a kind of database.
type Engine string

// Engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// Location is a database: a file's path, or a URL that may have a password. It prints as
// its engine.
type Location struct {
	Engine Engine
	at     Secret
}

// SQLiteAt is the location of an SQLite file.
func SQLiteAt(path string) Location { return Location{Engine: SQLite, at: Secret(path)} }

// Reveal returns the file's path or the whole URL.
func (l Location) Reveal() string { return l.at.Reveal() }

// String returns the engine.
func (l Location) String() string { return string(l.Engine) }

// Given reports whether a database was named.
func (d Database) Given() bool { return d.DatabaseURL != "" || d.DatabaseURLFile != "" }

// Location returns the database that was named.
func (d Database) Location() (Location, error) {
	var found faults
	location := d.databaseLocation(&found)
	return location, found.err()
}

func (d Database) databaseLocation(found *faults) Location {
	const name = "CASINO_DATABASE_URL"
	text, err := Single(d.DatabaseURL, d.DatabaseURLFile)
	if err != nil {
		found.addError(name, err)
		return Location{}
	}
	if text == "" {
		found.addFault(name, "is missing: postgres://… or sqlite:FILE (or name a file with it in %s_FILE)", name)
		return Location{}
	}
	location, err := parseLocation(text)
	found.addError(name, err)
	return location
}

// parseLocation parses a database's URL. Errors never quote it.
func parseLocation(text string) (Location, error) {
	scheme, rest, _ := strings.Cut(text, ":")
	switch scheme {
	case "sqlite":
		path := strings.TrimPrefix(rest, "//")
		if path == "" {
			return Location{}, errors.New("sqlite: must be followed by a file, such as sqlite:/var/lib/casino/casino.db")
		}
		return SQLiteAt(path), nil
	case "postgres", "postgresql":
		u, err := url.Parse(text)
		if err != nil || u.Host == "" && u.Query().Get("host") == "" || strings.Trim(u.Path, "/") == "" {
			return Location{}, errors.New("must be of the form postgres://user:password@host:5432/name")
		}
		return Location{Engine: Postgres, at: Secret(text)}, nil
	}
	return Location{}, fmt.Errorf("must begin with postgres:// or with sqlite: and a file")
}
