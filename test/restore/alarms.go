package restore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/casino-service/casino/domain/alarm"
	"github.com/casino-service/casino/ports"
)

// trouble is what an alarm is about.
type trouble struct {
	// wrong says that the database's clock is an hour ahead; turned is when that became so, or
	// ended.
	wrong  bool
	turned time.Time
	// stays is the alarm that was open when the copy was made which was put back last, and
	// whose cause has held ever since; empty for none.
	stays string
}

// turn sets the database's clock wrong now and then, or right.
func (w *World) turn() {
	if w.chance.IntN(25) == 0 {
		w.trouble = trouble{wrong: !w.wrong, turned: w.clock.Now()}
	}
}

// off is the database's clock.
type off struct{ world *World }

func (o off) StoreTime(context.Context) (time.Time, error) {
	if o.world.wrong {
		return o.world.clock.Now().Add(time.Hour), nil
	}
	return o.world.clock.Now(), nil
}

// openAlarms lists the open alarms.
func (w *World) openAlarms(ctx context.Context) ([]alarm.Alarm, error) {
	open := true
	page, err := w.service.store.Alarms(ctx, ports.AlarmFilter{Open: &open}, ports.Page{Number: 1, Limit: ports.PageMax})
	return page.Alarms, err
}

// openAlarm is the open alarm about the clocks, empty for none.
func (w *World) openAlarm(ctx context.Context) (id string, err error) {
	open, err := w.openAlarms(ctx)
	for _, a := range open {
		if a.Kind == alarm.Clocks {
			id = a.ID
		}
	}
	return id, err
}

// alarmsHold checks that what is open holds, that what holds is open, and that an alarm which
// the copy had is still that one where its cause went on.
func (w *World) alarmsHold(ctx context.Context) error {
	open, err := w.openAlarms(ctx)
	if err != nil {
		return err
	}
	of := map[alarm.Kind][]alarm.Alarm{}
	for _, a := range open {
		if of[a.Kind] = append(of[a.Kind], a); slices.ContainsFunc(of[a.Kind][:len(of[a.Kind])-1], func(o alarm.Alarm) bool { return o.About == a.About }) {
			return fmt.Errorf("two alarms are open about one thing: %+v", of[a.Kind])
		}
	}
	clocks := of[alarm.Clocks]
	if (len(clocks) == 1) != w.wrong || w.stays != "" && clocks[0].ID != w.stays {
		return fmt.Errorf("that the clocks are apart is %v since %v, alarm %q stays, open are %+v", w.wrong, w.turned, w.stays, clocks)
	}
	for _, kind := range []alarm.Kind{alarm.PayoutStuck, alarm.PayoutUnsignable, alarm.PayoutForged, alarm.PayoutCapped, alarm.PayoutUnproved} {
		for _, a := range of[kind] {
			if now, err := w.service.store.Withdrawal(ctx, a.About); err != nil || string(now.Status) != a.Fact("status") {
				return fmt.Errorf("%+v is open, and the withdrawal is %s: %w", a, now.Status, err)
			}
		}
	}
	return nil
}
