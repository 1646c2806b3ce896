package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/adapters/httpapi/internal/parse"
	"github.com/casino-service/casino/app/reports"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/rbac"
	"github.com/casino-service/casino/domain/report"
	"github.com/casino-service/casino/domain/wallet"
)

// reportRoutes returns the routes of reports.
func (a *API) reportRoutes() []route {
	return []route{
		{operation.ListReports, admins(rbac.AdminRead), noWindow, a.listReports},
		{operation.RunReport, admins(rbac.AdminRead), noWindow, a.runReport},
	}
}

func reportColumnOf(c report.Column) api.ReportColumn {
	return api.ReportColumn{Name: c.Name, Type: string(c.Type), Meaning: c.Meaning}
}

func (a *API) listReports(*request) (answer, error) {
	return ok(api.ReportKindsResponse{Reports: mapEach(reports.Kinds(), func(k reports.Kind) api.ReportKind {
		return api.ReportKind{
			Kind: k.Name, Summary: k.Summary, Permission: string(k.Permission), Parameters: k.Parameters,
			Required: append([]string{}, k.Required...), Columns: mapEach(k.Columns, reportColumnOf),
		}
	})}), nil
}

func (a *API) runReport(r *request) (answer, error) {
	f := r.readBody()
	asked := reports.Request{From: f.Limited("from", len(time.DateOnly)), To: f.Limited("to", len(time.DateOnly)), Agent: f.Limited("agentCode", agentCodeMax)}
	if f.Has("by") {
		by, err := report.ParseBy(f.Text("by"))
		if asked.By = by; err != nil {
			f.Fail(err)
		}
	}
	if f.Has("at") {
		asked.At = time.UnixMilli(f.Integer("at", 0, parse.TimeMax)).UTC()
	}
	if f.Has("token") {
		asked.Token = money.Token(f.Token())
	}
	if f.Has("wallet") {
		asked.Wallet = wallet.Address(f.Wallet())
	}
	if f.Has("atLeast") {
		asked.AtLeast = money.Amount(f.Amount("atLeast"))
	}
	if f.Err != nil {
		return answer{}, f.Err
	}
	result, err := a.casino.Reports.Run(r.ctx, r.caller, r.params["kind"], asked)
	if err != nil {
		return answer{}, err
	}
	if parse.Prefers(r.http.Header, "text/csv") {
		return answer{page: reportAsCSV(result)}, nil
	}
	body := api.Report{
		Kind: result.Kind, Parameters: []api.ReportParameter{}, Columns: mapEach(result.Columns, reportColumnOf),
		Rows: mapEach(result.Rows, func(row report.Row) []string { return row }), NoActivity: len(result.Rows) == 0, Closed: result.Closed,
		RunAt: unixMillis(result.RunAt), RecordID: result.RecordID, Sha256: result.SHA256(),
	}
	for _, p := range result.Parameters {
		body.Parameters = append(body.Parameters, api.ReportParameter{Name: p.Name, Value: p.Value})
	}
	return ok(body), nil
}

// reportAsCSV returns the response with the bytes that the record has the hash of.
func reportAsCSV(result reports.Result) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text, header := result.CSV(), w.Header()
		header.Set("Content-Type", "text/csv; charset=utf-8; header=present")
		header.Set("Content-Disposition", `attachment; filename="`+result.Kind+`.csv"`)
		header.Set("Content-Length", strconv.Itoa(len(text)))
		header.Set("Report-Sha256", result.SHA256())
		// The client may have disconnected; the run is recorded.
		_, _ = w.Write(text)
	})
}
