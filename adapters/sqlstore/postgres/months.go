package postgres

// MakeMonths asks the function of the schema that may do it for the service.
func (dialect) MakeMonths() string { return "SELECT make_months(?, ?)" }

// MoveMonth asks the functions of the schema that its owner may call.
func (dialect) MoveMonth(back bool) string {
	if back {
		return "SELECT attach_month(?)"
	}
	return "SELECT detach_month(?)"
}
