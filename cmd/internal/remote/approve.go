package remote

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/client"
	"github.com/casino-service/casino/adapters/system"
	"github.com/casino-service/casino/cmd/internal/cli"
	"github.com/casino-service/casino/cmd/internal/dev"
	"github.com/casino-service/casino/domain/money"
	"github.com/casino-service/casino/domain/wallet"
	"github.com/casino-service/casino/domain/withdrawal"
)

type ApproveCommand struct {
	dev.APIFlags
	walletFlags
	Withdrawal  string `required:"" placeholder:"ID" help:"The withdrawal."`
	Note        string `help:"A note to the approval."`
	Show        bool   `help:"Show what would be signed, and sign nothing."`
	Treasury    string `placeholder:"ADDRESS" help:"The treasury, as you know it: nothing is signed for another one."`
	Token       string `placeholder:"MINT" help:"The token, as you know it."`
	Amount      int64  `placeholder:"UNITS" help:"The amount in base units, as you know it."`
	Destination string `placeholder:"WALLET" help:"The destination, as you know it."`
	SignOnly    bool   `help:"Ask no service: sign for the treasury, token, amount and destination above, and print the signature as JSON."`
	Timestamp   int64  `placeholder:"MILLIS" help:"The timestamp to sign, in Unix milliseconds; now unless given."`
}

// Run signs the approval of a withdrawal with the admin's key and sends it to the service.
// The values in the flags must equal the service's.
func (c ApproveCommand) Run(ctx context.Context, s cli.Streams) error {
	signer, err := c.readSigner(s)
	if err != nil {
		return cli.Usage(err)
	}
	clock := system.Default()
	if c.SignOnly {
		return c.signOnly(ctx, s, signer, clock.Now())
	}
	base, err := c.API()
	if err != nil {
		return err
	}
	if err := dev.CheckBaseURL(base); err != nil {
		return cli.Usage(err)
	}
	a := approving{ApproveCommand: c, base: base, signer: signer, clock: clock, out: s}
	if err := a.signIn(ctx); err != nil {
		return err
	}
	return a.approveWithdrawal(ctx)
}

// statedWithdrawal returns the withdrawal as stated in the flags.
func (c ApproveCommand) statedWithdrawal() withdrawal.Withdrawal {
	return withdrawal.Withdrawal{ID: c.Withdrawal, Token: money.Token(c.Token), Amount: money.Amount(c.Amount), Destination: c.Destination}
}

// timestampMillis returns the timestamp to sign.
func (c ApproveCommand) timestampMillis(now time.Time) int64 {
	if c.Timestamp != 0 {
		return c.Timestamp
	}
	return now.UnixMilli()
}

// signedApproval is the output of --sign-only.
type signedApproval struct {
	Wallet    string `json:"wallet"`
	Message   string `json:"message"`
	Timestamp int64  `json:"timestamp"`
	Signature string `json:"signature"`
}

// signOnly signs without a network.
func (c ApproveCommand) signOnly(ctx context.Context, s cli.Streams, signer walletSigner, now time.Time) error {
	_, treasury := wallet.Parse(c.Treasury)
	_, token := money.ParseToken(c.Token)
	_, destination := wallet.Parse(c.Destination)
	var missing []string
	for name, wrong := range map[string]bool{
		"--treasury": treasury != nil, "--token": token != nil, "--amount": c.Amount < 1, "--destination": destination != nil,
	} {
		if wrong {
			missing = append(missing, name)
		}
	}
	if slices.Sort(missing); missing != nil {
		return cli.Usage(fmt.Errorf("--sign-only needs what is signed: %s", strings.Join(missing, ", ")))
	}
	signed, err := signApproval(ctx, signer, c.statedWithdrawal(), c.Treasury, c.timestampMillis(now))
	if err != nil {
		return err
	}
	if err := json.MarshalWrite(s.Out, signed, jsontext.WithIndent("  ")); err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.Out)
	return err
}

func signApproval(ctx context.Context, signer walletSigner, w withdrawal.Withdrawal, treasury string, millis int64) (signedApproval, error) {
	message := w.ApprovalMessage(wallet.Address(treasury), millis)
	signature, err := signer.Sign(ctx, []byte(message))
	return signedApproval{string(signer.Address()), message, millis, base64.StdEncoding.EncodeToString(signature)}, err
}

// approving is a running command.
type approving struct {
	ApproveCommand
	base   string // the API's base URL
	signer walletSigner
	clock  *system.System
	out    cli.Streams
	client *client.Client
}

// callTime is the timeout of a call to the service.
const callTime = 30 * time.Second

func (a *approving) signIn(ctx context.Context) (err error) {
	a.client, _, err = signIn(ctx, a.base, a.signer, a.clock, "")
	return err
}

func (a *approving) approveWithdrawal(ctx context.Context) error {
	found, err := a.client.AdminWithdrawal(ctx, a.Withdrawal)
	if err != nil {
		return fmt.Errorf("reading the withdrawal: %w", err)
	}
	if err := a.asStated(found); err != nil {
		return err
	}
	w := a.statedWithdrawal()
	w.ID, w.Token, w.Amount, w.Destination = found.Withdrawal.ID, money.Token(found.Withdrawal.Token), money.Amount(found.Withdrawal.Amount), found.Withdrawal.Destination
	millis := a.timestampMillis(a.clock.Now())
	if err := a.showWithdrawal(ctx, found, w.ApprovalMessage(wallet.Address(found.Treasury), millis)); err != nil || a.Show {
		return err
	}
	decided, err := a.sendApproval(ctx, w, found.Treasury, millis)
	if server, stale := client.ServerTime(err); stale && a.Timestamp == 0 {
		decided, err = a.sendApproval(ctx, w, found.Treasury, server.UnixMilli())
	}
	if err != nil {
		return fmt.Errorf("approving: %w", err)
	}
	after := "it will be paid"
	if decided.Withdrawal.Status == withdrawal.Pending || decided.Withdrawal.Status == withdrawal.Failed {
		after = "another person must approve it too"
	}
	_, err = fmt.Fprintf(a.out.Out, "Signed by %s and approved: the withdrawal is %s, %s.\n", a.signer.Address(), decided.Withdrawal.Status, after)
	return err
}

// sendApproval signs the approval and sends it.
func (a *approving) sendApproval(ctx context.Context, w withdrawal.Withdrawal, treasury string, millis int64) (api.DecidedWithdrawal, error) {
	signed, err := signApproval(ctx, a.signer, w, treasury, millis)
	if err != nil {
		return api.DecidedWithdrawal{}, err
	}
	return a.client.ApproveWithdrawal(ctx, api.ApproveRequest{ID: w.ID, Note: a.Note, Timestamp: signed.Timestamp, Signature: signed.Signature})
}

// asStated returns an error if the withdrawal differs from the flags.
func (a *approving) asStated(found api.WithdrawalDetails) error {
	var wrong []error
	for name, text := range map[string]string{"treasury": found.Treasury, "destination": found.Withdrawal.Destination} {
		if _, err := wallet.Parse(text); err != nil {
			wrong = append(wrong, fmt.Errorf("the service says that its %s is %q, which is not a wallet", name, text))
		}
	}
	if _, err := money.ParseToken(found.Withdrawal.Token); err != nil {
		wrong = append(wrong, fmt.Errorf("the service says that its token is %q, which is not a mint", found.Withdrawal.Token))
	}
	for _, f := range []struct{ name, stated, found string }{
		{"id", a.Withdrawal, found.Withdrawal.ID},
		{"treasury", a.Treasury, found.Treasury},
		{"token", a.Token, found.Withdrawal.Token},
		{"destination", a.Destination, found.Withdrawal.Destination},
	} {
		if f.stated != "" && f.stated != f.found {
			wrong = append(wrong, fmt.Errorf("the service says that its %s is %q, not %q", f.name, f.found, f.stated))
		}
	}
	if a.Amount != 0 && a.Amount != found.Withdrawal.Amount {
		wrong = append(wrong, fmt.Errorf("the service says that its amount is %d, not %d", found.Withdrawal.Amount, a.Amount))
	}
	if wrong != nil {
		return fmt.Errorf("nothing was signed: %w", errors.Join(wrong...))
	}
	return nil
}

// showWithdrawal prints what is about to be signed.
func (a *approving) showWithdrawal(ctx context.Context, found api.WithdrawalDetails, message string) error {
	tokens, err := a.client.Tokens(ctx)
	if err != nil {
		return err
	}
	w := found.Withdrawal
	units := fmt.Sprintf("%d base units of %s", w.Amount, w.Token)
	if at := slices.IndexFunc(tokens, func(t api.TokenTerms) bool { return t.Token == w.Token }); at >= 0 {
		units = fmt.Sprintf("%s (%s)", formatAmount(tokens[at], w.Amount), units)
	}
	whose := "another wallet than the player's own"
	if w.DestinationIsOwner {
		whose = "the player's own wallet"
	}
	page := fmt.Sprintf(`withdrawal   %s, %s, requested %s
player       %s
pays         %s
to           %s, %s
out of       %s
approvals    %d
signs        %s
`, w.ID, w.Status, time.UnixMilli(w.CreatedAt).UTC().Format(time.RFC3339), w.Wallet, units, w.Destination, whose, found.Treasury,
		len(found.Approvals), message)
	_, err = a.out.Out.Write([]byte(strings.Map(dropControls, page)))
	return err
}

// dropControls drops control characters, which could falsify the text on a terminal.
func dropControls(r rune) rune {
	if r == '\n' || unicode.IsPrint(r) {
		return r
	}
	return -1
}
