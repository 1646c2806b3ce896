package sqlstore_test

// ofAlarms are those of alarms, of which one is open and one cleared.
func ofAlarms() []attack {
	of := func(what, set, named string) attack {
		return attack{what: what, tables: "alarms", sql: "UPDATE alarms SET " + set, named: "its row was changed: " + named}
	}
	const open, cleared = " WHERE cleared_at IS NULL", " WHERE cleared_at IS NOT NULL"
	return []attack{
		of("an alarm called cleared", "cleared_at = last_seen"+open, "clearedAt"),
		of("an alarm called acknowledged", "acknowledged_by = 'ada', acknowledged_at = 1, note = 'mine'"+open, "acknowledgedBy, acknowledgedAt, note"),
		of("a cleared alarm opened again", "cleared_at = NULL"+cleared, "clearedAt"),
		of("an alarm's subject", "about = 'other'"+open, "about"),
		of("an alarm's kind", "kind = 'clocks_apart'"+open, "kind"),
		of("an alarm's agent", "agent = 'acme'"+open, "agent"),
		of("an alarm's facts", `facts = '{"holding":"9"}'`+open, "fact.holding"),
		of("when an alarm was raised", "raised_at = raised_at - 1"+open, "raisedAt"),
		{
			what: "an alarm's last sighting and count", tables: "alarms", sql: "UPDATE alarms SET last_seen = last_seen + 1, seen = seen + 1" + open,
			why: "a condition that is over is cleared later, at the latest by a person",
		},
		{
			what: "an alarm put in", tables: "alarms", sql: `INSERT INTO alarms (id, kind, about, agent, facts, raised_at, last_seen, seen, acknowledged_by, note, cleared_by)
				SELECT 'copy', kind, 'copy', agent, facts, raised_at, last_seen, seen, acknowledged_by, note, cleared_by FROM alarms` + open,
			named: "alarm copy: there is a row that no block covers",
		},
		{what: "an alarm taken away", tables: "alarms", sql: "DELETE FROM alarms" + open, named: "its row is missing"},
	}
}
