package service

import (
	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/ports"
)

// machineModule provides the machine's clock and randomness.
var machineModule = fx.Module("machine", fx.Provide(
	system.Default,
	func(machine *system.System) (ports.Clock, ports.Entropy) { return machine, machine },
))
