package bet

import "github.com/casino-service/casino/domain/money"

// Figures are what a bet is admitted by, in base units.
type Figures struct {
	MinWager, MaxWager, MaxPayout money.Amount
	// Room is what the house can pay of it at the moment, CouldPay the most that it may pay;
	// money.Max stands for more than any amount.
	Room, CouldPay money.Amount
}

func figuresOf(p Placed, room money.Amount, couldPay money.Amount, fits bool) Figures {
	if !fits {
		couldPay = money.Max
	}
	return Figures{MinWager: p.Terms.MinWager, MaxWager: p.Terms.MaxWager, MaxPayout: p.Terms.MaxPayout, Room: room, CouldPay: couldPay}
}

// Figures returns what Admit compares the order with.
func (o Order) Figures() Figures {
	if o.plan == nil {
		return Figures{}
	}
	most, fits := o.wager.Times(o.plan.MaxMultiplier())
	return figuresOf(o.Placed, shareOf(o.Bankroll, o.Terms.BankrollShare), most, fits)
}

// Figures returns what Admitted compares the opening with, where open rounds may cost
// this already.
func (o Opening) Figures(exposed Exposed) Figures {
	if o.steps == nil {
		return Figures{}
	}
	share := shareOf(o.Bankroll, o.Terms.BankrollShare)
	steps, part, ok := o.Bounded()
	if !ok {
		return figuresOf(o.Placed, exposed.Room(share), 0, false)
	}
	most, fits := o.wager.Times(steps.MaxMultiplier())
	return figuresOf(o.Placed, exposed.Room(share/part), most, fits)
}

// Allow reports whether they admit a wager, as far as they alone decide.
func (f Figures) Allow(wager money.Amount) bool {
	return wager >= f.MinWager && wager <= f.MaxWager && f.CouldPay <= f.MaxPayout && f.CouldPay <= f.Room && f.Room > 0
}
