package httpapi

import (
	"encoding/base64"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/domain/checkpoint"
	"github.com/casino-service/casino/domain/solvency"
)

// solvencyRoutes returns the routes of what is owed to players.
func (a *API) solvencyRoutes() []route {
	return []route{
		{operation.Solvency, anyone, publicWindow, a.solvency},
		{operation.AccountSolvency, players, noWindow, a.accountSolvency},
	}
}

func (a *API) solvency(r *request) (answer, error) {
	kept, err := a.casino.Solvency.Statements(r.ctx)
	return ok(api.SolvencyResponse{Statements: mapEach(kept, signedStatementOf)}), err
}

func signedStatementOf(s checkpoint.Signed) api.SignedStatement {
	return api.SignedStatement{Statement: s.Text, Kid: s.Key, Signature: base64.StdEncoding.EncodeToString(s.Signature)}
}

func (a *API) accountSolvency(r *request) (answer, error) {
	found, err := a.casino.Solvency.Prove(r.ctx, r.caller)
	return ok(api.AccountSolvency{
		Signed: signedStatementOf(found.Signed), Wallet: string(found.Wallet), Salt: found.Salt.String(), Proofs: mapEach(found.Proofs, solvencyProofOf),
	}), err
}

func solvencyProofOf(p solvency.Proof) api.SolvencyProof {
	return api.SolvencyProof{
		Token: string(p.Token), Index: int64(p.Index), Available: int64(p.Available), Held: int64(p.Held), Staked: int64(p.Staked),
		Unclaimed: int64(p.Unclaimed), Path: base64.StdEncoding.EncodeToString(solvency.EncodeNodes(p.Path)),
	}
}
