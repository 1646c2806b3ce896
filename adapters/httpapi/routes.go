package httpapi

import (
	"net/http"

	"github.com/casino-service/casino/domain/rbac"
)

// Query parameters that lists take.
var (
	paging       = []string{"page", "limit", "cursor"}
	roundQuery   = []string{"page", "limit", "cursor", "gameType", "token", "from", "to"}
	gamesQuery   = []string{"page", "limit", "cursor", "wallet", "gameType", "token", "agentCode", "from", "to"}
	playerQuery  = []string{"page", "limit", "cursor", "wallet", "agentCode"}
	auditQuery   = []string{"page", "limit", "cursor", "by", "target", "action", "from", "to"}
	catalogQuery = []string{"page", "limit", "cursor", "provider", "enabled", "q"}
	routesQuery  = []string{"page", "limit", "cursor", "status", "agentCode"}
	daysQuery    = []string{"days", "token"}
	ledgerQuery  = []string{"page", "limit", "cursor", "type", "status", "wallet", "token", "agentCode", "from", "to"}
)

// routes is the whole surface: method, path, who may call it, the window that
// counts it per address, its query parameters, and what answers. A path
// variable is one segment of segmentAlphabet.
func (a *API) routes() []route {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete
	return []route{
		{get, "/health", anyone, publicWindow, nil, a.health},
		{get, "/wallet-address", anyone, publicWindow, nil, a.walletAddress},
		{get, "/recent-bets", anyone, publicWindow, nil, a.recentBets},
		{get, "/public/whitelabel", anyone, publicWindow, nil, a.whitelabel},
		{get, "/public/games", anyone, publicWindow, nil, a.listGames},
		{get, "/public/tokens", anyone, publicWindow, nil, a.listTokens},
		{get, "/public/checkpoints", anyone, publicWindow, nil, a.checkpoints},
		{post, "/public/verify", anyone, verifyWindow, nil, a.verify},
		{get, "/openapi.json", anyone, publicWindow, nil, a.openapiDocument},
		{get, "/docs", anyone, publicWindow, nil, a.docsPage},
		{get, "/docs/{asset}", anyone, publicWindow, nil, a.docsAsset},

		{post, "/auth/login", anyone, loginWindow, nil, a.login},
		{post, "/auth/logout", players, noWindow, nil, a.logout},

		{get, "/balance", players, noWindow, nil, a.balance},
		{post, "/deposit", players, noWindow, nil, a.deposit},
		{post, "/withdraw", players, noWindow, nil, a.withdraw},
		{post, "/withdraw/{id}/cancel", players, noWindow, nil, a.cancelWithdrawal},
		{get, "/account/limits", players, noWindow, nil, a.playerLimits},
		{put, "/account/limits", players, noWindow, nil, a.setLimits},
		{post, "/account/exclusion", players, noWindow, nil, a.exclude},
		{get, "/account/transactions", players, noWindow, paging, a.accountTransactions},

		{post, "/play", bettors, noWindow, nil, a.play},
		{get, "/history", players, noWindow, roundQuery, a.history},
		{get, "/history/{id}", players, noWindow, nil, a.round},
		{get, "/seed", players, noWindow, nil, a.seed},
		{post, "/seed/rotate", players, noWindow, nil, a.rotateSeed},
		{get, "/seed/history", players, noWindow, paging, a.seedHistory},
		{post, "/legacy/launch", players, noWindow, nil, a.launch},
		{post, "/gold_api", anyone, noWindow, nil, a.providerCallback},

		{get, "/admin/me", admins(rbac.AdminRead), noWindow, nil, a.adminMe},
		{get, "/admin/overview", admins(rbac.AdminRead), noWindow, nil, a.overview},
		{get, "/admin/metrics/ggr-daily", admins(rbac.AdminRead), noWindow, daysQuery, a.ggrDaily},
		{get, "/admin/metrics/rtp", admins(rbac.AdminRead), noWindow, daysQuery, a.returns},
		{get, "/admin/games", admins(rbac.AdminRead), noWindow, gamesQuery, a.adminGames},
		{get, "/admin/players", admins(rbac.AdminRead), noWindow, playerQuery, a.listPlayers},
		{get, "/admin/players/{wallet}", admins(rbac.AdminRead), noWindow, nil, a.adminPlayer},
		{get, "/admin/players/{wallet}/limits", admins(rbac.AdminRead), noWindow, nil, a.adminLimits},
		{put, "/admin/players/{wallet}/limits", admins(rbac.AdminWrite), noWindow, nil, a.adminSetLimits},
		{post, "/admin/players/{wallet}/exclusion", admins(rbac.AdminWrite), noWindow, nil, a.adminExclude},
		{post, "/admin/players/{wallet}/freeze", admins(rbac.AdminWrite), noWindow, nil, a.freeze},
		{put, "/admin/players/{wallet}/agent", admins(rbac.RolesWrite), noWindow, nil, a.rebind},
		{get, "/admin/legacy/agents", admins(rbac.AdminRead), noWindow, nil, a.listAgents},
		{post, "/admin/legacy/agents", admins(rbac.AdminWrite), noWindow, nil, a.createAgent},
		{patch, "/admin/legacy/agents/{id}", admins(rbac.AdminWrite), noWindow, nil, a.changeAgent},
		{del, "/admin/legacy/agents/{id}", admins(rbac.AdminWrite), noWindow, nil, a.deleteAgent},
		{post, "/admin/legacy/agents/{id}/credentials", admins(rbac.RolesWrite), noWindow, nil, a.rotateCredentials},
		{post, "/admin/legacy/agents/{id}/funds", admins(rbac.BalancesWrite), noWindow, nil, a.fundAgent},
		{put, "/admin/legacy/agents/{id}/credit-limit", admins(rbac.RolesWrite), noWindow, nil, a.limitCredit},
		{get, "/admin/metrics/revenue-share", admins(rbac.AdminRead), noWindow, []string{"days", "agentCode"}, a.revenueShare},
		{get, "/admin/provider-games", admins(rbac.AdminRead), noWindow, catalogQuery, a.providerGames},
		{patch, "/admin/provider-games/{gameCode}", admins(rbac.AdminWrite), noWindow, nil, a.switchGame},
		{get, "/admin/provider-reviews", admins(rbac.AdminRead), noWindow, paging, a.listReviews},
		{post, "/admin/provider-reviews/{id}", admins(rbac.BalancesWrite), noWindow, nil, a.decideReview},
		{get, "/admin/provider-routes", admins(rbac.AdminRead), noWindow, routesQuery, a.listRoutes},
		{post, "/admin/provider-routes/{id}", admins(rbac.RolesWrite), noWindow, nil, a.orderRoute},
		{get, "/admin/audit", admins(rbac.AuditRead), noWindow, auditQuery, a.auditLog},
		{patch, "/admin/whitelabel", admins(rbac.WhitelabelWrite), noWindow, nil, a.changeWhitelabel},
		{get, "/admin/transactions", admins(rbac.AdminRead), noWindow, ledgerQuery, a.adminTransactions},
		{get, "/admin/balances/{user}", admins(rbac.AdminRead), noWindow, nil, a.adminBalances},
		{patch, "/admin/balances/{user}", admins(rbac.BalancesWrite), noWindow, nil, a.adjustBalance},
		{post, "/admin/withdraw/approve", admins(rbac.WithdrawApprove), noWindow, nil, a.approveWithdrawal},
		{post, "/admin/withdraw/reject", admins(rbac.WithdrawReject), noWindow, nil, a.rejectWithdrawal},
		{get, "/admin/approvals", admins(rbac.AdminRead), noWindow, paging, a.listApprovals},
		{post, "/admin/approvals/{id}", admins(rbac.AdminRead), noWindow, nil, a.decideApproval},
		{get, "/admin/roles", admins(rbac.AdminRead), noWindow, nil, a.listRoles},
		{get, "/admin/roles/{wallet}", admins(rbac.AdminRead), noWindow, nil, a.role},
		{put, "/admin/roles/{wallet}", admins(rbac.RolesWrite), noWindow, nil, a.grantRole},
		{del, "/admin/roles/{wallet}", admins(rbac.RolesWrite), noWindow, nil, a.revokeRole},
		{post, "/admin/deposits/resolve", admins(rbac.BalancesWrite), noWindow, nil, a.resolveDeposit},
		{post, "/admin/payouts/pause", admins(rbac.WithdrawReject), noWindow, nil, a.pausePayouts},
		{post, "/admin/payouts/resume", admins(rbac.WithdrawApprove), noWindow, nil, a.resumePayouts},
	}
}
