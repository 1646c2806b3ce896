package postgres

// MakeMonths asks the function of the schema that may do it for the service.
func (dialect) MakeMonths() string { return "SELECT make_months(?, ?)" }

// DroppedMonths asks which of the months that were detached have no tables.
func (dialect) DroppedMonths() string {
	return `SELECT max(d.month) FROM detached_months AS d
		WHERE to_regclass(format('%I', 'rounds_' || d.month)) IS NULL OR to_regclass(format('%I', 'transfers_' || d.month)) IS NULL`
}

// MoveMonth asks the functions of the schema that its owner may call.
func (dialect) MoveMonth(back bool) string {
	if back {
		return "SELECT attach_month(?)"
	}
	return "SELECT detach_month(?)"
}
