package keptheads

import (
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/protection"
	"github.com/casino-service/casino/domain/restriction"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/ports"
)

const (
	restrictionPurpose = "casino kept restriction 1"
	restrictionVersion = "casino-restriction-1"
	// beginning is the kind of the line that says since when restrictions are recorded.
	beginning restriction.Kind = "begin"
)

// Beginning returns the first line of a file of restrictions.
func Beginning(at time.Time) restriction.Restriction {
	return restriction.Restriction{Kind: beginning, At: at}
}

// IsBeginning reports whether the line was made by Beginning.
func IsBeginning(r restriction.Restriction) bool { return r.Kind == beginning }

// kept is the JSON form of a restriction. Times are microseconds since 1970.
type kept struct {
	Kind    restriction.Kind `json:"kind"`
	Subject string           `json:"subject,omitzero"`
	At      int64            `json:"at"`
	Holds   bool             `json:"holds,omitzero"`
	Frozen  bool             `json:"frozen,omitzero"`
	Forever bool             `json:"forever,omitzero"`
	Until   int64            `json:"until,omitzero"`
	CoolOff int64            `json:"coolOff,omitzero"`
	Limits  []keptLimit      `json:"limits,omitzero"`
	Role    string           `json:"role,omitzero"`
	Agent   string           `json:"agent,omitzero"`
	By      wallet.Address   `json:"by,omitzero"`
	Reason  string           `json:"reason,omitzero"`
}

type keptLimit struct {
	Kind    protection.Kind   `json:"kind"`
	Period  protection.Period `json:"period"`
	Token   money.Token       `json:"token"`
	Imposed bool              `json:"imposed,omitzero"`
	Amount  money.Amount      `json:"amount"`
	From    int64             `json:"from"`
	Next    money.Amount      `json:"next,omitzero"`
	Lifted  bool              `json:"lifted,omitzero"`
	NextAt  int64             `json:"nextAt,omitzero"`
}

func toMicros(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMicro()
}

func fromMicros(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// EncodeRestriction returns the sealed line of a restriction.
func EncodeRestriction(seals ports.Authenticator, ledger string, r restriction.Restriction) (string, error) {
	if strings.ContainsAny(ledger, " \n") || ledger == "" {
		return "", fmt.Errorf("keptheads: %q is not the id of a ledger", ledger)
	}
	k := kept{
		Kind: r.Kind, Subject: r.Subject, At: toMicros(r.At), Holds: r.Holds, Frozen: r.Protection.Frozen, Forever: r.Protection.Excluded,
		Until: toMicros(r.Protection.ExcludedUntil), CoolOff: toMicros(r.Protection.CoolOffUntil), Role: r.Role, Agent: r.AgentCode, By: r.By, Reason: r.Reason,
	}
	for _, l := range r.Protection.Limits {
		k.Limits = append(k.Limits, keptLimit{l.Kind, l.Period, l.Token, l.Imposed, l.Amount, toMicros(l.From), l.Next, l.Lifted, toMicros(l.NextAt)})
	}
	text, err := json.Marshal(k)
	if err != nil {
		return "", fmt.Errorf("keptheads: %w", err)
	}
	facts := restrictionVersion + " " + ledger + " " + string(text)
	seal, err := seals.Seal(restrictionPurpose, []byte(facts))
	return facts + " " + seal, err
}

// DecodeRestriction reads a line and verifies its seal.
func DecodeRestriction(seals ports.Authenticator, line string) (ledger string, r restriction.Restriction, err error) {
	cut := strings.LastIndexByte(line, ' ')
	if cut < 0 {
		return "", r, errForm
	}
	if err := seals.Verify(restrictionPurpose, []byte(line[:cut]), line[cut+1:]); err != nil {
		return "", r, err
	}
	parts := strings.SplitN(line[:cut], " ", 3)
	if len(parts) != 3 || parts[0] != restrictionVersion {
		return "", r, errForm
	}
	var k kept
	if err := json.Unmarshal([]byte(parts[2]), &k); err != nil {
		return "", r, errForm
	}
	r = restriction.Restriction{
		Kind: k.Kind, Subject: k.Subject, At: fromMicros(k.At), Holds: k.Holds, Role: k.Role, AgentCode: k.Agent, By: k.By, Reason: k.Reason,
		Protection: protection.State{Frozen: k.Frozen, Excluded: k.Forever, ExcludedUntil: fromMicros(k.Until), CoolOffUntil: fromMicros(k.CoolOff)},
	}
	for _, l := range k.Limits {
		r.Protection.Limits = append(r.Protection.Limits, protection.Limit{
			Kind: l.Kind, Period: l.Period, Token: l.Token, Imposed: l.Imposed, Amount: l.Amount, From: fromMicros(l.From), Next: l.Next, Lifted: l.Lifted, NextAt: fromMicros(l.NextAt),
		})
	}
	return parts[1], r, nil
}
