package service

import (
	"log/slog"

	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/screening"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/app"
	"github.com/casino-service/casino/cmd/internal/settings"
	"github.com/casino-service/casino/ports"
)

// Screening has the screeners of a deployment, zero for none.
type Screening struct {
	Screeners []ports.Screener
	// Workers read files of screeners again.
	Workers []app.Worker
}

// openScreening returns the screeners of a plan, and logs which there are.
func openScreening(plan settings.Plan, life fx.Lifecycle, held *Held, machine *system.System, log *slog.Logger) (Screening, error) {
	all := Screening{Screeners: plan.Screening.Screeners}
	for _, file := range plan.Screening.Files {
		all.Workers = append(all.Workers, file.Workers(log)...)
	}
	if config := plan.Screening.Remote; config != nil {
		remote, err := screening.NewRemote(*config, machine, machine)
		if err != nil {
			return Screening{}, nameSetting("CASINO_SCREENER_URL", err)
		}
		held.Hold(life, withoutContext(func() error { remote.Close(); return nil }))
		all.Screeners = append(all.Screeners, remote)
	}
	if len(all.Screeners) == 0 {
		log.Info("admission is not screened: every country and address is admitted")
		return all, nil
	}
	var names []string
	for _, screener := range all.Screeners {
		names = append(names, screener.Name())
	}
	log.Info("admission is screened", "screeners", names)
	return all, nil
}
