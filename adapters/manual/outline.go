package manual

// section is a part of the manual: its name and its pages, in the order in which they are
// read.
type section struct {
	name  string
	pages []string
}

// outline is the manual's only list of pages. New returns an error for a file of docs that
// it lacks and for a name without a file.
var outline = []section{
	{"Start", []string{"README.md", "pages.md", "commands.md", "settings.md"}},
	{"Three ways in", []string{"embed.md", "call.md", "testing.md"}},
	{"Operate", []string{
		"operations/README.md", "operations/first-day.md", "operations/doctor.md", "operations/compose.md", "operations/kubernetes.md", "operations/alerts-money.md", "operations/alerts-service.md", "operations/alarms.md",
		"operations/backup.md", "operations/restore.md", "operations/failover.md", "operations/keys.md",
		"operations/admission.md", "reports.md", "operations/crash.md", "operations/floods.md", "operations/endpoints.md", "operations/postgres.md",
	}},
	{"Fairness", []string{"fairness/README.md", "fairness/games.md", "fairness/steps.md", "fairness/shared-crash.md", "fairness/capture.md", "fairness/receipts.md", "fairness/log.md", "fairness/refusals.md", "fairness/solvency.md", "fairness/trust.md"}},
	{"Protocols", []string{"events.md", "webhooks.md", "providers.md"}},
	{"How it works", []string{
		"writer.md", "lists.md", "payouts.md", "restores.md", "growth.md", "pools.md", "attacks.md", "changed-rows.md",
	}},
	{"Evidence", []string{"compliance/README.md", "compliance/clauses.md"}},
	{"Figures", []string{"figures.md", "load.md", "make.md"}},
	{"Words", []string{"glossary.md", "stability.md"}},
}
