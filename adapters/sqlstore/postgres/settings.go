package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// ErrSettings reports, with their names, settings of sessions under which the store would be
// wrong. They come from the URL, the config, the role or the database (ALTER ROLE … SET).
var ErrSettings = errors.New("sessions of the database have settings under which the casino can't work")

// setting is a required setting of sessions.
type setting struct{ name, want, why string }

// anySettings apply to every session, writingSettings to those that write.
var (
	anySettings = []setting{
		{"standard_conforming_strings", "on", "texts are quoted by that rule"},
		{"client_encoding", "UTF8", "texts are UTF-8"},
		{"default_transaction_isolation", "read committed", "a read under a lock must see what was committed before it"},
		{"DateStyle", "ISO", "dates are read in that form"},
	}
	writingSettings = []setting{
		{"default_transaction_read_only", "off", "the casino writes"},
		{"client_min_messages", "warning", "a commit that a standby may lack is answered with a warning"},
		{"session_replication_role", "origin", "otherwise triggers don't protect append-only tables"},
	}
)

// checkConfig refuses a config that asks for something the store can't work with.
func checkConfig(config *pgx.ConnConfig) error {
	var wrong []string
	if config.DefaultQueryExecMode == pgx.QueryExecModeSimpleProtocol {
		wrong = append(wrong, "default_query_exec_mode is simple_protocol, and statements must be prepared on their session")
	}
	if config.StatementCacheCapacity <= 0 {
		wrong = append(wrong, "statement_cache_capacity is 0, and statements must stay prepared")
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%w: %s", ErrSettings, strings.Join(wrong, "; "))
	}
	return nil
}

// checkSettings refuses sessions with settings under which the store would be wrong, and lists
// all of them in one error.
func checkSettings(ctx context.Context, pool *sql.DB, wanted []setting) (err error) {
	ctx, cancel := context.WithTimeout(ctx, StatementTime)
	defer cancel()
	session, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	var wrong []string
	for _, s := range wanted {
		var is string
		if err := session.QueryRowContext(ctx, "SELECT current_setting($1)", s.name).Scan(&is); err != nil {
			return err
		}
		if first, _, _ := strings.Cut(is, ","); !strings.EqualFold(first, s.want) {
			wrong = append(wrong, fmt.Sprintf("%s is %q and must be %q (%s)", s.name, is, s.want, s.why))
		}
	}
	missing, err := missingSchema(ctx, session)
	if err != nil {
		return err
	}
	if missing != "" {
		wrong = append(wrong, missing)
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%w: %s", ErrSettings, strings.Join(wrong, "; "))
	}
	return nil
}

// missingSchema describes the error in search_path; it returns "" if statements go to the first
// schema of it. The server silently skips a schema that doesn't exist or that the user may not
// use, and the casino would be made in the next one.
func missingSchema(ctx context.Context, session *sql.Conn) (string, error) {
	var path, user string
	var schema sql.NullString
	err := session.QueryRowContext(ctx, "SELECT current_setting('search_path'), current_user, current_schema()").Scan(&path, &user, &schema)
	if err != nil {
		return "", err
	}
	named := schemasOf(path)
	if len(named) > 0 && named[0] == "$user" && schema.String != user { // most users have no schema of their name
		named = named[1:]
	}
	switch {
	case len(named) == 0:
		return "search_path names no schema", nil
	case named[0] == "$user" || named[0] == schema.String:
		return "", nil
	}
	return fmt.Sprintf("search_path is %q, and there is no schema %s that the user %s may use: as an administrator, "+
		"CREATE SCHEMA %s, owned by whoever migrates", path, named[0], user, quoteName(named[0])), nil
}

// schemasOf returns the schemas of a search_path.
func schemasOf(path string) (all []string) {
	var name strings.Builder
	within, wasQuoted := false, false
	end := func() {
		text := name.String()
		if !wasQuoted {
			text = strings.ToLower(strings.TrimSpace(text))
		}
		if text != "" {
			all = append(all, text)
		}
		name.Reset()
		wasQuoted = false
	}
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '"' && within && i+1 < len(path) && path[i+1] == '"':
			name.WriteByte(c)
			i++
		case c == '"':
			within, wasQuoted = !within, true
			if within {
				name.Reset() // only space precedes the quote
			}
		case c == ',' && !within:
			end()
		case c == ' ' && !within && wasQuoted:
		default:
			name.WriteByte(c)
		}
	}
	end()
	return all
}

// quoteName returns a name quoted for a statement.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// ErrPooler reports a connection pooler between the store and the server through which sessions
// don't last. The writer holds its lane, and a migration its schema, by a session lock; prepared
// statements and settings belong to a session too.
var ErrPooler = errors.New("a connection pooler is in front of the server, and sessions don't last through it: " +
	"connect to the server directly (the service's own pool is small)")

// refusedSetting is the SQLSTATE with which a pooler refuses session settings.
const refusedSetting = "08P01"

// poolerRounds is how often two sessions are compared. A pooler that assigns its connections in
// turn may keep them apart once.
const poolerRounds = 8

// checkSessions refuses a pooler in front of the server, unless each of its sessions stays on one
// server session and keeps its settings.
func checkSessions(ctx context.Context, pool *sql.DB) (err error) {
	ctx, cancel := context.WithTimeout(ctx, StatementTime)
	defer cancel()
	var both [2]*sql.Conn
	for i := range both {
		if both[i], err = pool.Conn(ctx); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, both[i].Close()) }()
	}
	source := ""
	err = both[0].QueryRowContext(ctx, "SELECT source FROM pg_catalog.pg_settings WHERE name = 'lock_timeout'").Scan(&source)
	switch {
	case err != nil:
		return err
	case source != "client" && source != "session":
		return fmt.Errorf("%w; this one drops settings such as lock_timeout", ErrPooler)
	}
	for range poolerRounds {
		if err := checkSeparateSessions(ctx, both[0], both[1]); err != nil {
			return err
		}
	}
	return nil
}

// checkSeparateSessions refuses two sessions that share a process of the server.
func checkSeparateSessions(ctx context.Context, one, other *sql.Conn) (err error) {
	before, err := backendProcess(ctx, one)
	if err != nil {
		return err
	}
	// Twice: a pooler that assigns its connections in turn may return to the first.
	again, err := backendProcess(ctx, one)
	if err != nil {
		return err
	}
	tx, err := other.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Rollback()) }()
	between, err := backendProcess(ctx, tx)
	if err != nil {
		return err
	}
	after := between
	if between != before && again == before { // otherwise there may be one connection, in use by the transaction
		if after, err = backendProcess(ctx, one); err != nil {
			return err
		}
	}
	if before != after || before != again || before == between {
		return fmt.Errorf("%w; this one gives a session to others between two transactions "+
			"(pgbouncer calls that pool_mode = transaction)", ErrPooler)
	}
	return nil
}

// backendProcess returns the id of the server process that answers.
func backendProcess(ctx context.Context, on interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}) (pid int, err error) {
	return pid, on.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&pid)
}

// namedPooler returns ErrPooler if a pooler refused the store's settings.
func namedPooler(err error) error {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == refusedSetting {
		return fmt.Errorf("%w: %w", ErrPooler, err)
	}
	return err
}
