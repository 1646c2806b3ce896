package httpapi

import (
	"slices"
	"strings"

	"github.com/casino-service/casino/adapters/httpapi/internal/operation"
	"github.com/casino-service/casino/domain/rbac"
)

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
	c, under := a.casino, func(path string) bool { return strings.HasPrefix(r.Path, path) }
	switch {
	case strings.Contains(r.Path, "/webhooks"):
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
		{operation.Index, anyone, publicWindow, a.index},
		{operation.Health, anyone, noWindow, a.health},
		{operation.WalletAddress, anyone, publicWindow, a.walletAddress},
		{operation.RecentBets, anyone, publicWindow, a.recentBets},
		{operation.Whitelabel, anyone, publicWindow, a.whitelabel},
		{operation.Games, anyone, publicWindow, a.listGames},
		{operation.GameReturn, anyone, verifyWindow, a.gameReturn},
		{operation.LaunchableGames, anyone, publicWindow, a.launchableGames},
		{operation.Tokens, anyone, publicWindow, a.listTokens},
		{operation.Checkpoints, anyone, publicWindow, a.checkpoints},
		{operation.Feed, anyone, publicWindow, a.feed},
		{operation.Verify, anyone, verifyWindow, a.verify},
		{operation.OpenAPI, anyone, publicWindow, a.openapiDocument},
		{operation.Docs, anyone, publicWindow, a.docsPage},
		{operation.DocsAsset, anyone, publicWindow, a.docsAsset},
		{operation.Login, anyone, loginWindow, a.login},
		{operation.ProviderCallback, anyone, noWindow, a.providerCallback},
	}
}

// playerRoutes are for whoever is signed in.
func (a *API) playerRoutes() []route {
	return []route{
		{operation.Logout, leavers, noWindow, a.logout},
		{operation.Balance, players, noWindow, a.balance},
		{operation.Deposit, players, noWindow, a.deposit},
		{operation.DepositTransaction, players, noWindow, a.depositTransaction},
		{operation.Withdraw, players, withdrawWindow, a.withdraw},
		{operation.CancelWithdrawal, players, noWindow, a.cancelWithdrawal},
		{operation.PlaySession, players, noWindow, a.playSession},
		{operation.Limits, players, noWindow, a.playerLimits},
		{operation.SetLimits, players, limitsWindow, a.setLimits},
		{operation.Exclude, players, accountWindow, a.exclude},
		{operation.CoolOff, players, accountWindow, a.coolOff},
		{operation.AccountTransactions, players, noWindow, a.accountTransactions},
		{operation.Play, bettors, noWindow, a.play},
		{operation.OpenRound, bettors, noWindow, a.openRound},
		{operation.OpenRounds, players, noWindow, a.openRounds},
		{operation.Step, bettors, noWindow, a.step},
		{operation.Events, players, noWindow, a.events},
		{operation.ListRounds, players, noWindow, a.history},
		{operation.Round, players, noWindow, a.round},
		{operation.Seed, players, noWindow, a.seed},
		{operation.RotateSeed, players, rotateWindow, a.rotateSeed},
		{operation.SeedHistory, players, noWindow, a.seedHistory},
		{operation.Launch, players, launchWindow, a.launch},
	}
}

// adminRoutes need the permission beside them.
func (a *API) adminRoutes() []route {
	return []route{
		{operation.AdminMe, admins(rbac.AdminRead), noWindow, a.adminMe},
		{operation.Overview, admins(rbac.AdminRead), noWindow, a.overview},
		{operation.GGRDaily, admins(rbac.AdminRead), noWindow, a.ggrDaily},
		{operation.Returns, admins(rbac.AdminRead), noWindow, a.returns},
		{operation.AdminGames, admins(rbac.AdminRead), noWindow, a.adminGames},
		{operation.ListPlayers, admins(rbac.AdminRead), noWindow, a.listPlayers},
		{operation.AdminPlayer, admins(rbac.AdminRead), noWindow, a.adminPlayer},
		{operation.AdminLimits, admins(rbac.AdminRead), noWindow, a.adminLimits},
		{operation.AdminSetLimits, admins(rbac.AdminWrite), noWindow, a.adminSetLimits},
		{operation.AdminExclude, admins(rbac.AdminWrite), noWindow, a.adminExclude},
		{operation.Freeze, admins(rbac.AdminWrite), noWindow, a.freeze},
		{operation.RebindPlayer, admins(rbac.RolesWrite), noWindow, a.rebind},
		{operation.ListAgents, admins(rbac.AdminRead), noWindow, a.listAgents},
		{operation.CreateAgent, admins(rbac.AdminWrite), noWindow, a.createAgent},
		{operation.ChangeAgent, admins(rbac.AdminWrite), noWindow, a.changeAgent},
		{operation.DeleteAgent, admins(rbac.AdminWrite), noWindow, a.deleteAgent},
		{operation.RotateCredentials, admins(rbac.RolesWrite), noWindow, a.rotateCredentials},
		{operation.FundAgent, admins(rbac.BalancesWrite), noWindow, a.fundAgent},
		{operation.LimitCredit, admins(rbac.RolesWrite), noWindow, a.limitCredit},
		{operation.ListWebhooks, admins(rbac.RolesWrite), noWindow, a.listWebhooks},
		{operation.CreateWebhook, admins(rbac.RolesWrite), noWindow, a.createWebhook},
		{operation.Webhook, admins(rbac.RolesWrite), noWindow, a.webhook},
		{operation.ChangeWebhook, admins(rbac.RolesWrite), noWindow, a.changeWebhook},
		{operation.DeleteWebhook, admins(rbac.RolesWrite), noWindow, a.deleteWebhook},
		{operation.RotateWebhookSecret, admins(rbac.RolesWrite), noWindow, a.rotateWebhookSecret},
		{operation.DeadLetters, admins(rbac.RolesWrite), noWindow, a.deadLetters},
		{operation.ResendDeadLetter, admins(rbac.RolesWrite), noWindow, a.resendDeadLetter},
		{operation.RevenueShare, admins(rbac.AdminRead), noWindow, a.revenueShare},
		{operation.ProviderGames, admins(rbac.AdminRead), noWindow, a.providerGames},
		{operation.SwitchGame, admins(rbac.AdminWrite), noWindow, a.switchGame},
		{operation.ProviderReviews, admins(rbac.AdminRead), noWindow, a.listReviews},
		{operation.DecideProviderReview, admins(rbac.BalancesWrite), noWindow, a.decideReview},
		{operation.ProviderRoutes, admins(rbac.AdminRead), noWindow, a.listDeliveries},
		{operation.DecideProviderRoute, admins(rbac.RolesWrite), noWindow, a.decideDelivery},
		{operation.AdminEvents, admins(rbac.AdminRead), noWindow, a.adminEvents},
		{operation.AuditLog, admins(rbac.AuditRead), noWindow, a.auditLog},
		{operation.ListAlarms, admins(rbac.AdminRead), noWindow, a.listAlarms},
		{operation.AcknowledgeAlarm, admins(rbac.AdminWrite), noWindow, a.acknowledgeAlarm},
		{operation.ChangeWhitelabel, admins(rbac.WhitelabelWrite), noWindow, a.changeWhitelabel},
		{operation.AdminTransactions, admins(rbac.AdminRead), noWindow, a.adminTransactions},
		{operation.AdminBalances, admins(rbac.AdminRead), noWindow, a.adminBalances},
		{operation.AdjustBalance, admins(rbac.BalancesWrite), noWindow, a.adjustBalance},
		{operation.AdminWithdrawal, admins(rbac.AdminRead), noWindow, a.adminWithdrawal},
		{operation.ApproveWithdrawal, admins(rbac.WithdrawApprove), noWindow, a.approveWithdrawal},
		{operation.RejectWithdrawal, admins(rbac.WithdrawReject), noWindow, a.rejectWithdrawal},
		{operation.ListApprovals, admins(rbac.AdminRead), noWindow, a.listApprovals},
		{operation.DecideApproval, admins(rbac.AdminRead), noWindow, a.decideApproval},
		{operation.ListRoles, admins(rbac.AdminRead), noWindow, a.listRoles},
		{operation.Role, admins(rbac.AdminRead), noWindow, a.role},
		{operation.GrantRole, admins(rbac.RolesWrite), noWindow, a.grantRole},
		{operation.RevokeRole, admins(rbac.RolesWrite), noWindow, a.revokeRole},
		{operation.UnclaimedBalances, admins(rbac.AdminRead), noWindow, a.listUnclaimed},
		{operation.AssignUnclaimed, admins(rbac.BalancesWrite), noWindow, a.assignUnclaimed},
		{operation.ResolveDeposit, admins(rbac.BalancesWrite), noWindow, a.resolveDeposit},
		{operation.PlayPauses, admins(rbac.AdminRead), noWindow, a.playPauses},
		{operation.PausePlay, admins(rbac.AdminWrite), noWindow, a.pausePlay},
		{operation.ResumePlay, admins(rbac.AdminWrite), noWindow, a.resumePlay},
		{operation.EndRound, admins(rbac.AdminWrite), noWindow, a.endRound},
		{operation.Payouts, admins(rbac.AdminRead), noWindow, a.payouts},
		{operation.PausePayouts, admins(rbac.WithdrawReject), noWindow, a.pausePayouts},
		{operation.ResumePayouts, admins(rbac.WithdrawApprove), noWindow, a.resumePayouts},
	}
}
