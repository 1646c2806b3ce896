package httpapi_test

import (
	"net/http"
)

// auditParts: the log shows admins' actions, however many records players cause.
func (h *house) auditParts() {
	h.Helper()
	alone := h.get("boss", "/admin/audit").ok(http.StatusOK).integer("total")
	for amount := range 5 {
		h.ask(question{method: http.MethodPut, path: "/account/limits", as: "quinn",
			body: object{"limits": []object{{"kind": "loss", "period": "day", "token": sol, "amount": 1000 - amount}}}}).ok(http.StatusOK)
	}
	admins, players, all := h.get("boss", "/admin/audit"), h.get("boss", "/admin/audit?part=players"), h.get("boss", "/admin/audit?part=all")
	if n := admins.ok(http.StatusOK).integer("total"); n != alone || n == 0 {
		h.Errorf("%d records of admins, %d before players wrote theirs", n, alone)
	}
	if n := players.ok(http.StatusOK).integer("total"); n < 5 || all.ok(http.StatusOK).integer("total") != n+alone {
		h.Errorf("%d records of players, %d in all", n, all.integer("total"))
	}
	if n := h.get("boss", "/admin/audit?by="+address("quinn")+"&action=limits.changed").ok(http.StatusOK).integer("total"); n != 5 {
		h.Errorf("a list of one player has %d records", n)
	}
	if n := h.get("boss", "/admin/audit?part=admins&by="+address("quinn")).ok(http.StatusOK).integer("total"); n != 0 {
		h.Errorf("%d records of a player are among those of admins", n)
	}
	h.get("boss", "/admin/audit?part=x").is(http.StatusBadRequest, "INVALID_PARAMETER").names("part")
}
