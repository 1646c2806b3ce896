package httpapi

import (
	"net/http"
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/api"
	"github.com/casino-service/casino/domain/rbac"
)

const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete

// routes is the whole surface: method, path, who may call it, the window that limits
// it, the shape of its query or body, and its handler. A path variable is
// one segment of the characters of parse.Segment.
func (a *API) routes() []route {
	all := slices.Concat(a.publicRoutes(), a.playerRoutes(), a.adminRoutes())
	if a.demo != nil {
		all = append(all, a.demoRoutes()...)
	}
	return slices.DeleteFunc(all, a.isLeftOut)
}

// isLeftOut reports whether a route is of an extension that the casino does without.
func (a *API) isLeftOut(r route) bool {
	c, under := a.casino, func(path string) bool { return strings.HasPrefix(r.path, path) }
	switch {
	case strings.Contains(r.path, "/webhooks"):
		return c.Webhooks == nil
	case under("/admin/alarms"):
		return c.Alarms == nil
	case under("/admin/provider-routes"):
		return c.Sites == nil
	case under("/rounds"), under("/admin/rounds/{id}/end"):
		return c.Rounds == nil
	case under("/public/checkpoints"):
		return c.Audit == nil
	}
	return false
}

// publicRoutes need no session.
func (a *API) publicRoutes() []route {
	return []route{
		{get, "/", anyone, publicWindow, nil, a.index},
		{get, "/health", anyone, noWindow, nil, a.health},
		{get, "/wallet-address", anyone, publicWindow, nil, a.walletAddress},
		{get, "/recent-bets", anyone, publicWindow, nil, a.recentBets},
		{get, "/public/whitelabel", anyone, publicWindow, nil, a.whitelabel},
		{get, "/public/games", anyone, publicWindow, nil, a.listGames},
		{post, "/public/games/{gameType}/return", anyone, verifyWindow, api.ReturnRequest{}, a.gameReturn},
		{get, "/public/provider-games", anyone, publicWindow, api.PageRequest{}, a.launchableGames},
		{get, "/public/tokens", anyone, publicWindow, nil, a.listTokens},
		{get, "/public/checkpoints", anyone, publicWindow, nil, a.checkpoints},
		{get, "/public/feed", anyone, publicWindow, nil, a.feed},
		{post, "/public/verify", anyone, verifyWindow, api.VerifyRequest{}, a.verify},
		{get, "/openapi.json", anyone, publicWindow, nil, a.openapiDocument},
		{get, "/docs", anyone, publicWindow, nil, a.docsPage},
		{get, "/docs/{asset}", anyone, publicWindow, nil, a.docsAsset},
		{post, "/auth/login", anyone, loginWindow, api.LoginRequest{}, a.login},
		{post, "/gold_api", anyone, noWindow, nil, a.providerCallback},
	}
}

// playerRoutes are for whoever is signed in.
func (a *API) playerRoutes() []route {
	return []route{
		{post, "/auth/logout", leavers, noWindow, nil, a.logout},
		{get, "/balance", players, noWindow, nil, a.balance},
		{post, "/deposit", players, noWindow, api.DepositRequest{}, a.deposit},
		{post, "/deposit/transaction", players, noWindow, api.DepositTransactionRequest{}, a.depositTransaction},
		{post, "/withdraw", players, withdrawWindow, api.WithdrawRequest{}, a.withdraw},
		{post, "/withdraw/{id}/cancel", players, noWindow, nil, a.cancelWithdrawal},
		{get, "/account/session", players, noWindow, nil, a.playSession},
		{get, "/account/limits", players, noWindow, nil, a.playerLimits},
		{put, "/account/limits", players, limitsWindow, api.LimitsRequest{}, a.setLimits},
		{post, "/account/exclusion", players, accountWindow, api.ExclusionRequest{}, a.exclude},
		{post, "/account/cool-off", players, accountWindow, api.CoolOffRequest{}, a.coolOff},
		{get, "/account/transactions", players, noWindow, api.AccountFilter{}, a.accountTransactions},
		{post, "/play", bettors, noWindow, api.PlayRequest{}, a.play},
		{post, "/rounds", bettors, noWindow, api.PlayRequest{}, a.openRound},
		{get, "/rounds", players, noWindow, nil, a.openRounds},
		{post, "/rounds/{id}/steps", bettors, noWindow, api.StepRequest{}, a.step},
		{get, "/events", players, noWindow, api.EventFilter{}, a.events},
		{get, "/history", players, noWindow, api.RoundFilter{}, a.history},
		{get, "/history/{id}", players, noWindow, nil, a.round},
		{get, "/seed", players, noWindow, nil, a.seed},
		{post, "/seed/rotate", players, rotateWindow, api.RotateRequest{}, a.rotateSeed},
		{get, "/seed/history", players, noWindow, api.RevealedPairFilter{}, a.seedHistory},
		{post, "/legacy/launch", players, launchWindow, api.LaunchRequest{}, a.launch},
	}
}

// adminRoutes need the permission beside them.
func (a *API) adminRoutes() []route {
	return []route{
		{get, "/admin/me", admins(rbac.AdminRead), noWindow, nil, a.adminMe},
		{get, "/admin/overview", admins(rbac.AdminRead), noWindow, nil, a.overview},
		{get, "/admin/metrics/ggr-daily", admins(rbac.AdminRead), noWindow, api.DaysFilter{}, a.ggrDaily},
		{get, "/admin/metrics/rtp", admins(rbac.AdminRead), noWindow, api.DaysFilter{}, a.returns},
		{get, "/admin/games", admins(rbac.AdminRead), noWindow, api.AdminRoundFilter{}, a.adminGames},
		{get, "/admin/players", admins(rbac.AdminRead), noWindow, api.PlayerFilter{}, a.listPlayers},
		{get, "/admin/players/{wallet}", admins(rbac.AdminRead), noWindow, nil, a.adminPlayer},
		{get, "/admin/players/{wallet}/limits", admins(rbac.AdminRead), noWindow, nil, a.adminLimits},
		{put, "/admin/players/{wallet}/limits", admins(rbac.AdminWrite), noWindow, api.AdminLimitsRequest{}, a.adminSetLimits},
		{post, "/admin/players/{wallet}/exclusion", admins(rbac.AdminWrite), noWindow, api.AdminExclusionRequest{}, a.adminExclude},
		{post, "/admin/players/{wallet}/freeze", admins(rbac.AdminWrite), noWindow, api.FreezeRequest{}, a.freeze},
		{put, "/admin/players/{wallet}/agent", admins(rbac.RolesWrite), noWindow, api.RebindRequest{}, a.rebind},
		{get, "/admin/legacy/agents", admins(rbac.AdminRead), noWindow, nil, a.listAgents},
		{post, "/admin/legacy/agents", admins(rbac.AdminWrite), noWindow, api.CreateAgentRequest{}, a.createAgent},
		{patch, "/admin/legacy/agents/{id}", admins(rbac.AdminWrite), noWindow, api.AgentRequest{}, a.changeAgent},
		{del, "/admin/legacy/agents/{id}", admins(rbac.AdminWrite), noWindow, nil, a.deleteAgent},
		{post, "/admin/legacy/agents/{id}/credentials", admins(rbac.RolesWrite), noWindow, nil, a.rotateCredentials},
		{post, "/admin/legacy/agents/{id}/funds", admins(rbac.BalancesWrite), noWindow, api.FundRequest{}, a.fundAgent},
		{put, "/admin/legacy/agents/{id}/credit-limit", admins(rbac.RolesWrite), noWindow, api.CreditLimitRequest{}, a.limitCredit},
		{get, "/admin/legacy/agents/{id}/webhooks", admins(rbac.RolesWrite), noWindow, nil, a.listWebhooks},
		{post, "/admin/legacy/agents/{id}/webhooks", admins(rbac.RolesWrite), noWindow, api.CreateWebhookRequest{}, a.createWebhook},
		{get, "/admin/legacy/agents/{id}/webhooks/{webhookId}", admins(rbac.RolesWrite), noWindow, nil, a.webhook},
		{patch, "/admin/legacy/agents/{id}/webhooks/{webhookId}", admins(rbac.RolesWrite), noWindow, api.WebhookRequest{}, a.changeWebhook},
		{del, "/admin/legacy/agents/{id}/webhooks/{webhookId}", admins(rbac.RolesWrite), noWindow, nil, a.deleteWebhook},
		{post, "/admin/legacy/agents/{id}/webhooks/{webhookId}/secret", admins(rbac.RolesWrite), noWindow, nil, a.rotateWebhookSecret},
		{get, "/admin/legacy/agents/{id}/webhooks/{webhookId}/dead-letters", admins(rbac.RolesWrite), noWindow, api.DeadLetterFilter{}, a.deadLetters},
		{post, "/admin/legacy/agents/{id}/webhooks/{webhookId}/dead-letters/{deadLetterId}/send", admins(rbac.RolesWrite), noWindow, nil, a.resendDeadLetter},
		{get, "/admin/metrics/revenue-share", admins(rbac.AdminRead), noWindow, api.ShareFilter{}, a.revenueShare},
		{get, "/admin/provider-games", admins(rbac.AdminRead), noWindow, api.ProviderGameFilter{}, a.providerGames},
		{patch, "/admin/provider-games/{gameCode}", admins(rbac.AdminWrite), noWindow, api.SwitchGameRequest{}, a.switchGame},
		{get, "/admin/provider-reviews", admins(rbac.AdminRead), noWindow, api.ProviderReviewFilter{}, a.listReviews},
		{post, "/admin/provider-reviews/{id}", admins(rbac.BalancesWrite), noWindow, api.ProviderReviewRequest{}, a.decideReview},
		{get, "/admin/provider-routes", admins(rbac.AdminRead), noWindow, api.DeliveryFilter{}, a.listDeliveries},
		{post, "/admin/provider-routes/{id}", admins(rbac.RolesWrite), noWindow, api.DeliveryDecisionRequest{}, a.decideDelivery},
		{get, "/admin/events", admins(rbac.AdminRead), noWindow, api.AdminEventFilter{}, a.adminEvents},
		{get, "/admin/audit", admins(rbac.AuditRead), noWindow, api.AuditFilter{}, a.auditLog},
		{get, "/admin/alarms", admins(rbac.AdminRead), noWindow, api.AlarmFilter{}, a.listAlarms},
		{post, "/admin/alarms/{id}/acknowledge", admins(rbac.AdminWrite), noWindow, api.AcknowledgeRequest{}, a.acknowledgeAlarm},
		{patch, "/admin/whitelabel", admins(rbac.WhitelabelWrite), noWindow, api.BrandingRequest{}, a.changeWhitelabel},
		{get, "/admin/transactions", admins(rbac.AdminRead), noWindow, api.TransactionFilter{}, a.adminTransactions},
		{get, "/admin/balances/{user}", admins(rbac.AdminRead), noWindow, nil, a.adminBalances},
		{patch, "/admin/balances/{user}", admins(rbac.BalancesWrite), noWindow, api.AdjustRequest{}, a.adjustBalance},
		{get, "/admin/withdrawals/{id}", admins(rbac.AdminRead), noWindow, nil, a.adminWithdrawal},
		{post, "/admin/withdraw/approve", admins(rbac.WithdrawApprove), noWindow, api.ApproveRequest{}, a.approveWithdrawal},
		{post, "/admin/withdraw/reject", admins(rbac.WithdrawReject), noWindow, api.RejectRequest{}, a.rejectWithdrawal},
		{get, "/admin/approvals", admins(rbac.AdminRead), noWindow, api.ApprovalFilter{}, a.listApprovals},
		{post, "/admin/approvals/{id}", admins(rbac.AdminRead), noWindow, api.ApprovalRequest{}, a.decideApproval},
		{get, "/admin/roles", admins(rbac.AdminRead), noWindow, nil, a.listRoles},
		{get, "/admin/roles/{wallet}", admins(rbac.AdminRead), noWindow, nil, a.role},
		{put, "/admin/roles/{wallet}", admins(rbac.RolesWrite), noWindow, api.GrantRequest{}, a.grantRole},
		{del, "/admin/roles/{wallet}", admins(rbac.RolesWrite), noWindow, nil, a.revokeRole},
		{get, "/admin/unclaimed", admins(rbac.AdminRead), noWindow, api.UnclaimedFilter{}, a.listUnclaimed},
		{post, "/admin/unclaimed/assign", admins(rbac.BalancesWrite), noWindow, api.AssignRequest{}, a.assignUnclaimed},
		{post, "/admin/deposits/resolve", admins(rbac.BalancesWrite), noWindow, api.ResolveRequest{}, a.resolveDeposit},
		{get, "/admin/play", admins(rbac.AdminRead), noWindow, nil, a.playPauses},
		{post, "/admin/play/pause", admins(rbac.AdminWrite), noWindow, api.PlayPauseRequest{}, a.pausePlay},
		{post, "/admin/play/resume", admins(rbac.AdminWrite), noWindow, api.PlayPauseRequest{}, a.resumePlay},
		{post, "/admin/rounds/{id}/end", admins(rbac.AdminWrite), noWindow, api.EndRoundRequest{}, a.endRound},
		{get, "/admin/payouts", admins(rbac.AdminRead), noWindow, nil, a.payouts},
		{post, "/admin/payouts/pause", admins(rbac.WithdrawReject), noWindow, api.PayoutsRequest{}, a.pausePayouts},
		{post, "/admin/payouts/resume", admins(rbac.WithdrawApprove), noWindow, api.PayoutsRequest{}, a.resumePayouts},
	}
}
