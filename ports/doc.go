// Package ports declares the interfaces that use cases need from the outside world.
// The comment of each is its contract.
//
//	port                  used by                     adapters             suite (test/conformance)
//	Writer                every use case that writes  memory, sqlstore     Writer
//	Players               sessions, balances          memory, sqlstore     Players
//	Seeds                 GET /seed, history          memory, sqlstore     Seeds
//	RevealedSeeds         history, admin              memory, sqlstore     RevealedSeeds
//	Rounds                history, feeds, admin       memory, sqlstore     Rounds
//	OpenRounds            rounds played by steps    memory, sqlstore     OpenRounds
//	CrashBets             shared crash                memory, sqlstore     CrashBets
//	Transactions          account, admin              memory, sqlstore     Transactions
//	Withdrawals           decisions, payout worker    memory, sqlstore     Withdrawals
//	PayoutQueue           payout worker               memory, sqlstore     PayoutQueue
//	PayoutControls        payout worker, admin        memory, sqlstore     PayoutControls
//	Deposits              deposit use case, worker    memory, sqlstore     Deposits
//	PlaySessions          GET /account/session      memory, sqlstore     PlaySessions
//	Launches              provider callbacks          memory, sqlstore     Launches
//	SeamlessTransactions  review, reconciliation      memory, sqlstore     SeamlessTransactions
//	Reconciliations       reconciliation              memory, sqlstore     Reconciliations
//	Deliveries            delivery, its worker        memory, sqlstore     Deliveries
//	AgentFunds            agents' prepaid accounts    memory, sqlstore     AgentFunds
//	Controls              every commit, admin         memory, sqlstore     Controls
//	Recovery              after a restore             memory, sqlstore     Recovery
//	DepositCursors        watcher                     memory, sqlstore     DepositCursors
//	ParkedDeposits        watcher, review             memory, sqlstore     ParkedDeposits
//	UnbookedDeposits      treasury                    memory, sqlstore     UnbookedDeposits
//	TreasuryIndex         payout worker               memory, sqlstore     TreasuryIndex
//	TreasuryReview        payout worker, capital      memory, sqlstore     TreasuryReview
//	TreasurySweeps        payout worker, capital      memory, sqlstore     TreasurySweeps
//	Roles                 RBAC                        memory, sqlstore     Roles
//	RoleLists             sealed roles              memory, sqlstore     RoleLists
//	Approvals             two-person decisions        memory, sqlstore     Approvals
//	Figures               bankroll, audit             memory, sqlstore     Figures
//	Reports               overview, GGR, RTP          memory, sqlstore     Reports
//	PlayerDays            reports, worker             memory, sqlstore     PlayerDays
//	TransactionSums       reports                     memory, sqlstore     TransactionSums
//	AuditLog              GET /admin/audit            memory, sqlstore     AuditLog
//	Agents                agents, first sign-in       memory, sqlstore     Agents
//	PublishedLimits       GET /public/limits          memory, sqlstore     PublishedLimits
//	Catalog               games on offer              memory, sqlstore     Catalog
//	Brandings             branding                    memory, sqlstore     Brandings
//	Checkpoints           public checkpoints          memory, sqlstore     Checkpoints
//	Inclusions            receipts                    memory, sqlstore     Inclusions
//	HeadLog               log of headers, audit       memory, sqlstore     HeadLog
//	LogCheckpoints        log of headers              memory, sqlstore     LogCheckpoints
//	Anchors               anchors of the log          memory, sqlstore     Anchors
//	LogWitness            log of headers              logwitness           LogWitness
//	DebtReader            solvency                    memory, sqlstore     DebtReader
//	Solvency              solvency                    memory, sqlstore     Solvency
//	PastBalances          balances, overview          memory, sqlstore     PastBalances
//	Archive               casino audit                memory, sqlstore     Archive
//	LedgerPages           casino audit                memory, sqlstore     LedgerPages
//	Sorter                casino audit                sorter               Sorter
//	SealedRows            casino audit, keys          memory, sqlstore     SealedRows
//	WalletProofs          payout worker               memory, sqlstore     WalletProofs
//	Events                listeners                   memory, sqlstore     Events
//	Webhooks              webhooks of agents          memory, sqlstore     Webhooks
//	WebhookQueue          webhook worker              memory, sqlstore     WebhookQueue
//	CrashChains           shared crash                memory, sqlstore     CrashChains
//	CrashRounds           shared crash, recovery      memory, sqlstore     CrashRounds
//	CrashLease            shared crash, recovery      memory, sqlstore     CrashLease
//	Beacons               shared crash                solana, test/fakes   Beacons
//	Alarms                workers, admin              memory, sqlstore     Alarms
//	DeadLetters           webhooks, their worker      memory, sqlstore     DeadLetters
//	WebhookSite           webhook worker              outbound             WebhookSite
//	EventEncoder          webhook worker              httpapi              EventEncoder
//	BlockHashes           comparing heads             memory, sqlstore     BlockHashes
//	Origins               comparing heads             memory, sqlstore     Origins
//	Witness               comparing heads             witness              Witness
//	Restrictions          recovery                    witness              Restrictions
//	Registry              start                       memory, sqlstore     Registry
//	StoreClock            health                      memory, sqlstore     StoreClock
//	GameProvider          launch, catalogue, recon.   goldapi              GameProvider
//	AgentSite             delivery, its worker        goldapi, test/fakes  AgentSite
//	Clock, Entropy        everything                  system, test/fakes   Clock, Entropy
//	Limiter               login, public endpoints     ratelimit            Limiter
//	SessionTokens         sign-in, every request      jwttoken             SessionTokens
//	Sealer                sqlstore                    sealer               Sealer
//	Authenticator         payouts, roles, witness   sealer, test/fakes   Authenticator
//	RotatedSeals          recovery                    sealer, test/fakes   RotatedSeals
//	StatementSigner       public checkpoints, audit   sealer, test/fakes   StatementSigner
//	ReceiptSigner         receipts                    sealer, test/fakes   ReceiptSigner
//	DepositReader         deposits                    solana, test/fakes   DepositReader
//	DepositTransactions   deposits                    solana, test/fakes   DepositTransactions
//	DepositHistory        deposit watcher             solana, test/fakes   DepositHistory
//	TreasuryHistory       payout worker               solana, test/fakes   TreasuryHistory
//	Mints                 mint worker                 solana, test/fakes   Mints
//	Payer                 payout worker               solana, test/fakes   Payer
//	ChainProbe            health, solvency            solana, test/fakes   ChainProbe
//	Memos                 anchors of the log          solana, test/fakes   Memos
//	ChainHeights          recovery                    solana, test/fakes   ChainHeights
//	ChainHead             health, public checkpoints  solana, test/fakes   ChainHead
//	Hosts                 branding                    outbound             Hosts
//	HouseAddresses        withdrawals                 solana, test/fakes   HouseAddresses
//	Screener              admission                   screening, test/fakes Screener
//	Countries             CountryScreener             screening, test/fakes Countries
//
// A port has at most four methods; a new need is a new port.
//
// Adapters implement the ports, and embedders may add their own. The suites of
// test/conformance check each sentence of a contract against an implementation. The
// domain never imports this package.
package ports
