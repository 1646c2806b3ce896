package rows

import (
	"time"

	"github.com/uptrace/bun"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/domain/wallet"
)

// AlarmRow is a row of alarms.
type AlarmRow struct {
	bun.BaseModel `bun:"table:alarms,alias:m"`
	Alarm         struct {
		ID             string `bun:",pk"`
		Kind           alarm.Kind
		About          string
		Agent          string
		Facts          []alarm.Fact
		RaisedAt       time.Time
		LastSeen       time.Time
		Seen           int64
		AcknowledgedBy wallet.Address
		AcknowledgedAt time.Time `bun:",nullzero"`
		Note           string
		ClearedAt      time.Time `bun:",nullzero"`
		ClearedBy      wallet.Address
	} `bun:"embed:"`
}

// Alarms are what a person has to look at.
var Alarms = modelOf[AlarmRow, alarm.Alarm]()
