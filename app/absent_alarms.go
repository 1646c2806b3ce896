package app

import (
	"context"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

type absentAlarms struct{ absent }

func (a absentAlarms) Alarm(context.Context, string) (alarm.Alarm, error) {
	return alarm.Alarm{}, a.refusal()
}

func (a absentAlarms) Alarms(context.Context, ports.AlarmFilter, ports.Page) (ports.AlarmPage, error) {
	return ports.AlarmPage{}, a.refusal()
}

func (a absentAlarms) ChangeOpenAlarm(context.Context, alarm.Kind, string, ports.OpenAlarmDecision) error {
	return a.refusal()
}

func (a absentAlarms) ChangeAlarm(context.Context, wallet.Address, string, ports.AlarmDecision) error {
	return a.refusal()
}
