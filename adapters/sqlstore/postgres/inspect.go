package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/casino-service/casino/adapters/sqlstore/migrations"
)

// RuntimeRole is the role with the grants of the migrations, of which the service's login is a
// member.
const RuntimeRole = "casino_runtime"

// Inspection is what one session of the service's login sees of its server.
type Inspection struct {
	Version string
	// Settings are those that decide what a crash or a lost server costs, by name.
	Settings map[string]string
	// Used is the number of client sessions, Limit how many the login may share in: the server's
	// without the reserved ones, or the smaller limit of the role.
	Used, Limit int
	User        string
	// Member reports whether the login has the rights of RuntimeRole.
	Member bool
	// Missing lists rights that the migrations grant to RuntimeRole and the login lacks. Excess
	// lists those that it has beyond them.
	Missing, Excess []string
	// Origin reports whether the login may read the server's system identifier.
	Origin bool
}

// SessionsMax returns the number of sessions that an instance opens at most.
func SessionsMax() int {
	o := Options{}.withDefaults()
	return o.Writers + o.Readers
}

// Inspect reads the server and the rights of the URL's login on the tables of its schema. It
// changes nothing: its session is read-only.
func Inspect(ctx context.Context, url string) (found Inspection, err error) {
	config, err := pgx.ParseConfig(url)
	if err != nil {
		return found, fmt.Errorf("postgres: the database's URL: %w", err) // pgx leaves the password out
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = ConnectTime
	}
	config.RuntimeParams["application_name"] = "casino doctor"
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, closeSession(ctx, conn)) }()
	if _, err := conn.Exec(ctx, readOnlyFromNow); err != nil {
		return found, err
	}
	settings, err := queryPairs(ctx, conn, `SELECT name, setting FROM pg_catalog.pg_settings WHERE name IN ('server_version', 'fsync',
		'full_page_writes', 'synchronous_commit', 'synchronous_standby_names', 'data_checksums')`)
	if err != nil {
		return found, err
	}
	found.Settings = map[string]string{}
	for _, s := range settings {
		found.Settings[s[0]] = s[1]
	}
	found.Version = found.Settings["server_version"]
	err = conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM pg_catalog.pg_stat_activity WHERE backend_type = 'client backend'),
		least((SELECT sum(CASE name WHEN 'max_connections' THEN setting::int ELSE -setting::int END) FROM pg_catalog.pg_settings
			WHERE name IN ('max_connections', 'superuser_reserved_connections', 'reserved_connections')), nullif(r.rolconnlimit, -1)),
		current_user, EXISTS (SELECT FROM pg_catalog.pg_roles AS g WHERE g.rolname = $1 AND pg_has_role(g.oid, 'USAGE')),
		has_function_privilege('pg_control_system()', 'EXECUTE')
		FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user`, RuntimeRole).
		Scan(&found.Used, &found.Limit, &found.User, &found.Member, &found.Origin)
	if err != nil {
		return found, err
	}
	return found, found.compareRights(ctx, conn)
}

func closeSession(ctx context.Context, conn *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	return conn.Close(ctx)
}

// grant matches a line of a migration that grants rights to RuntimeRole.
var grant = regexp.MustCompile(`(?m)^\s*GRANT (.+) ON (?:SEQUENCE |FUNCTION )?(.+) TO ` + RuntimeRole + `;`)

// apart splits a list at the commas outside of parentheses.
var apart = regexp.MustCompile(`[^,(]+(?:\([^)]*\))?`)

// granted returns the rights that the migrations grant, by object.
func granted(files fs.FS) (map[string][]string, error) {
	names, err := fs.Glob(files, "*.up.sql")
	if err != nil {
		return nil, err
	}
	rights := map[string][]string{}
	for _, name := range names {
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		for _, line := range grant.FindAllStringSubmatch(string(text), -1) {
			for _, object := range apart.FindAllString(line[2], -1) {
				for _, right := range apart.FindAllString(line[1], -1) {
					object, right = strings.ReplaceAll(strings.TrimSpace(object), ", ", ","), strings.TrimSpace(right)
					kind, columns, some := strings.Cut(right, " (")
					if !some {
						rights[object] = append(rights[object], right)
						continue
					}
					for column := range strings.SplitSeq(strings.TrimSuffix(columns, ")"), ",") {
						rights[object] = append(rights[object], kind+" ("+strings.TrimSpace(column)+")")
					}
				}
			}
		}
	}
	return rights, nil
}

// heldRights lists what the login may do with each table, view and sequence of the schema, and
// with the function that makes partitions. A right on a column is listed if it isn't one on the
// whole table.
const heldRights = `SELECT c.relname, p.name FROM pg_catalog.pg_class AS c
		CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS p(name)
		WHERE c.relnamespace = ` + schemaOID + ` AND c.relkind IN ('r', 'p', 'v') AND has_table_privilege(c.oid, p.name)
	UNION ALL SELECT c.relname, 'UPDATE (' || a.attname || ')' FROM pg_catalog.pg_class AS c
		JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relnamespace = ` + schemaOID + ` AND c.relkind IN ('r', 'p') AND NOT has_table_privilege(c.oid, 'UPDATE')
			AND has_column_privilege(c.oid, a.attnum, 'UPDATE')
	UNION ALL SELECT c.relname, 'USAGE' FROM pg_catalog.pg_sequence AS s JOIN pg_catalog.pg_class AS c ON c.oid = s.seqrelid
		WHERE c.relnamespace = ` + schemaOID + ` AND has_sequence_privilege(s.seqrelid, 'USAGE')
	UNION ALL SELECT p.oid::regprocedure::text, 'EXECUTE' FROM pg_catalog.pg_proc AS p
		WHERE p.pronamespace = ` + schemaOID + ` AND p.proname = ANY (ARRAY['make_months', 'make_partition', 'index_blocks', 'plan_for_any_wallet',
			'refresh_kept', 'detach_month', 'attach_month', 'drop_month']) AND has_function_privilege(p.oid, 'EXECUTE')`

// widerRights lists what no login of the service should be or own.
const widerRights = `SELECT 'it', w.text FROM pg_catalog.pg_roles AS r CROSS JOIN LATERAL (VALUES
		(r.rolsuper, 'is a superuser'), (r.rolcreaterole, 'may create roles'), (r.rolcreatedb, 'may create databases'),
		(r.rolreplication, 'may replicate'), (r.rolbypassrls, 'bypasses row security'),
		(has_schema_privilege(` + schemaOID + `, 'CREATE'), 'may create tables in the schema')) AS w(held, text)
		WHERE r.rolname = current_user AND w.held
	UNION ALL SELECT 'it', 'owns ' || count(*) || ' of the tables' FROM pg_catalog.pg_class AS c
		WHERE c.relnamespace = ` + schemaOID + ` AND c.relkind IN ('r', 'p') AND pg_has_role(c.relowner, 'USAGE') HAVING count(*) > 0`

// months matches the partitions of the tables that are kept by month.
var months = regexp.MustCompile(`^(rounds|transfers)_`)

// compareRights sets Missing and Excess.
func (i *Inspection) compareRights(ctx context.Context, conn *pgx.Conn) error {
	wider, err := queryPairs(ctx, conn, widerRights)
	if err != nil {
		return err
	}
	for _, w := range wider {
		i.Excess = append(i.Excess, w[1])
	}
	if len(i.Excess) > 0 { // it then has every right on each table
		return nil
	}
	wanted, err := granted(migrations.Postgres())
	if err != nil {
		return err
	}
	rights, err := queryPairs(ctx, conn, heldRights)
	if err != nil {
		return err
	}
	held := map[string][]string{}
	for _, r := range rights {
		held[r[0]] = append(held[r[0]], r[1])
	}
	for _, object := range slices.Sorted(maps.Keys(wanted)) {
		for _, right := range wanted[object] {
			kind, _, _ := strings.Cut(right, " (")
			if !slices.Contains(held[object], right) && !slices.Contains(held[object], kind) {
				i.Missing = append(i.Missing, right+" on "+object)
			}
		}
	}
	for _, object := range slices.Sorted(maps.Keys(held)) {
		allowed, known := wanted[object]
		if months.MatchString(object) {
			allowed, known = append(slices.Clone(allowed), "SELECT", "INSERT"), true
		}
		for _, right := range held[object] {
			if function := strings.Contains(object, "("); (known || function) && !slices.Contains(allowed, right) {
				i.Excess = append(i.Excess, "may "+right+" on "+object)
			}
		}
	}
	return nil
}

// queryPairs returns the rows of a query of two texts.
func queryPairs(ctx context.Context, conn *pgx.Conn, query string) ([][2]string, error) {
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (pair [2]string, err error) {
		return pair, row.Scan(&pair[0], &pair[1])
	})
}
