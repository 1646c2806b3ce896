package service

import (
	"go.uber.org/fx"

	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/ports"
)

// machineModule is the clock and the randomness of the machine.
var machineModule = fx.Module("machine", fx.Provide(
	system.Default,
	func(machine *system.System) (ports.Clock, ports.Entropy) { return machine, machine },
))
