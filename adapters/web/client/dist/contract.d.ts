export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where things are
         * @description The paths that a client begins with. `GET` of the base path without its slash, and of `/`
         *     where the service is not mounted below another one, gives the same answer.
         */
        get: operations["index"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The service's health, from background probes
         * @description Needs no session and is not limited. The service probes what it needs in the background, so that asking costs nothing.
         */
        get: operations["health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallet-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The treasury wallet, where deposits are sent
         * @description SOL is paid to this address, tokens to its associated token account. POST /deposit/transaction builds such a payment.
         */
        get: operations["walletAddress"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/whitelabel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The public branding
         * @description Title, logo and colour for pages that show this casino.
         */
        get: operations["whitelabel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The house's games with config schema, defaults, exact return and limits
         * @description Every game of the house's own with its rules, the fields of its config, its defaults and its exact return.
         */
        get: operations["games"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/games/{gameType}/return": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The exact return, variance and greatest multiplier of one config of a game
         * @description Computed, not measured: over all 2^32 values of each draw (of keno and mines: over all ways to draw the numbers or place the mines, taken as equally likely, which they are to within a ten-millionth part). Before payouts are rounded down to base units. Amounts in a config stand for themselves: only their proportions matter here.
         */
        post: operations["gameReturn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/provider-games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The third-party games that can be launched
         * @description The games of the connected provider that are on offer and switched on: what `POST /legacy/launch` takes. Without a provider there are none. Whether a player may play is decided at the launch. By code, the greatest first.
         */
        get: operations["launchableGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The tokens the casino knows, with their limits
         * @description What can be deposited, played with and withdrawn, within which limits in base units.
         */
        get: operations["tokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What admits bets at the moment
         * @description A bet is admitted if its wager and the most that it can pay are within the token's limits, that is within `bankrollShare` of the house's money, and neither the game nor all play is paused. Pauses of one agent's players aren't shown. Changes of what is configured are events of the ledger (`limits.published`), and so are pauses.
         */
        get: operations["publicLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recompute a round from its seeds; nothing is looked up or kept
         * @description A round that was played step by step is recomputed with its `actions`; the multiplier is of everything that was staked. With `expected`, the answer says whether that is what the seeds decide; `notes` says in words what a round doesn't prove. The repository's docs/fairness says how rounds are drawn, for programs of your own.
         */
        post: operations["verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/checkpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The heads of the ledger's hash chains, for anyone to keep
         * @description A kept `head` can be held against the ledger at any later time with `casino audit --head`.
         *
         *     `signed` states the same heads with the ledger's id, its epoch, the time, and the newest finalized slot of the chain that the service knew. It is made at most once a second. What is signed is `statement` itself, byte for byte: a line each, `casino statement 1`, then `purpose`, `ledger`, `epoch`, `time` and `slot` (a number, or `unknown`), then a `head` for each lane, each with a colon and a space before its value and a line feed after it. `signature` is Ed25519 (RFC 8032) over these bytes, `publicKey` a SubjectPublicKeyInfo. With the response in `checkpoint.json`:
         *
         *         jq -rj .signed.statement checkpoint.json > statement.txt
         *         jq -r .signed.signature checkpoint.json | base64 -d > statement.sig
         *         { echo '-----BEGIN PUBLIC KEY-----'; jq -r '.signed.kid as $k | .keys[] | select(.kid == $k) | .publicKey' checkpoint.json; echo '-----END PUBLIC KEY-----'; } > statement.pem
         *         openssl pkeyutl -verify -pubin -inkey statement.pem -rawin -in statement.txt -sigfile statement.sig
         *
         *     Keep the public key apart from the checkpoints, from when you first trusted it: one that comes with the statement proves nothing. `casino checkpoint` verifies one too.
         */
        get: operations["checkpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/solvency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the service states that it owes to all players
         * @description Hourly statements with the sums and the roots of their trees, and what the treasury's addresses held. See docs/fairness/solvency.md. 404 where the service makes none.
         */
        get: operations["solvency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recent-bets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The last 20 bets of all players
         * @description The same for everybody. Players are named by pseudonyms that change with the month.
         */
        get: operations["recentBets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The keys that sign receipts, checkpoints and anchors
         * @description Store them separately from the signed texts, from your first visit on.
         */
        get: operations["publicKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/log/{epoch}/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest checkpoint of the log of all blocks' headers
         * @description A signed note of C2SP tlog-checkpoint, with the cosignatures of witnesses. `GET /public/keys` shows the epoch, as the last part of the log's name.
         */
        get: operations["logCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/log/{epoch}/tile/{level}/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A tile of the log of all blocks' headers
         * @description As C2SP tlog-tiles says: hashes of a level, or with `entries` the headers. The slashes of the index stand in the path as they are.
         */
        get: operations["logTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/public/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everybody's bets at the house's games as they are played
         * @description A stream of server-sent events, which `EventSource` reads; `data` is a `RecentBet`. At most 20 bets a second are shown, the newest of those that were played. It begins now and goes back nowhere.
         */
        get: operations["feed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document as JSON
         * @description The server in it has the base path in force.
         */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document as a page
         * @description Swagger UI over this document, on which requests can be tried.
         */
        get: operations["docs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Scripts and styles of the page
         * @description What the page of GET /docs loads.
         */
        get: operations["docsAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a wallet
         * @description The wallet signs the UTF-8 bytes of `casino-auth:{wallet}:{timestamp}` with its Ed25519 key, or the same
         *     text as a Solana off-chain message, as hardware wallets do: header version 0, format 0 or 1, and either
         *     this wallet as the only signer and an application domain of zeros, or the shorter header of
         *     `solana sign-offchain-message`, which has neither.
         *     The timestamp is at most 2 minutes old and 1 minute ahead; each message works once. At most
         *     10 requests, good or bad, from one IP address in any 60 seconds. Refusals come in the order
         *     of the fields, then timestamp, signature, agent, replay.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End all of the wallet's sessions
         * @description Tokens issued before end at once, at every instance; a new sign-in begins another session.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's balances
         * @description One a token, in base units. What a withdrawal or an open round holds is not in it. With `at` they are those of that moment: of the last booking that was not after it, whatever was played since. Where rounds of so long ago are no longer kept it is INVALID_PARAMETER.
         */
        get: operations["balance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register an on-chain deposit
         * @description The same request may be sent again. A claim reserves nothing: the evidence on chain decides which
         *     player a transaction belongs to. `DEPOSIT_REJECTED` gives the reason in `details.reason`: `not_found`, `failed`,
         *     `no_credit`, `not_sender`, `below_minimum`, `wrong_token`, `owner_changed`,
         *     `treasury_signed`, `before_watch` (paid before deposits of the token were taken here), or, by a
         *     decision of the operator, `declined` or `capital`. With 20 claims open a further one is
         *     TOO_MANY_OPEN, whatever the chain would say of it; a deposit that arrives is credited without a claim too.
         */
        post: operations["deposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deposit/transaction": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Build the transaction of a deposit
         * @description The transaction by which the caller's wallet pays the amount to the treasury: unsigned, with the
         *     wallet as its one signer and the payer of its fee. Have the wallet sign and send it, then name its
         *     signature to POST /deposit; what arrives is credited without that too, a little later. Nothing is
         *     booked or reserved by asking, and what the wallet holds isn't looked at. It can land until the
         *     chain is beyond `lastValidBlockHeight`, for about a minute: ask for another one after that. Two
         *     for the same amount may be one transaction, which lands once.
         *
         *     Its blockhash is a `confirmed` one. Send it with `preflightCommitment: "confirmed"`: the preflight's
         *     default, `finalized`, doesn't know the blockhash yet and answers `Blockhash not found`.
         */
        post: operations["depositTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a withdrawal
         * @description The amount leaves the balance at once and waits for an admin's approval. At most 5 are open at a time. The least amount of SOL is the token's `minWithdrawal`, or what a new account has to hold on the chain where that is more (AMOUNT_OUT_OF_RANGE below). While it is approved, `reason` says why it can't be paid, or why it waits once that takes more than 10 minutes.
         */
        post: operations["withdraw"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/withdraw/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a withdrawal that is pending, or can never be paid
         * @description A pending withdrawal, or an approved one whose `reason` begins with `can never be paid`: its destination takes no payment as it is (a frozen token account, say), or the amount is too small for it. Of any other status: INVALID_STATE. Where the service lets no player cancel, a pending one is FORBIDDEN.
         */
        post: operations["cancelWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was played in the caller's session
         * @description The session is the one of the bearer token; it began with its sign-in. Counted is what was done with the
         *     balances kept here since then, of each token of which anything was: own games and providers' games,
         *     in any of the player's sessions. Rounds of players with a balance at their agent's own site aren't
         *     counted, because they take nothing from the balances here. The service's pages show it in their reality
         *     check. Other clients must show a check of their own; no endpoint returns the operator's interval.
         */
        get: operations["playSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/solvency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Proof that what is owed to the caller is in the stated sum
         * @description Of the newest hourly statement; `casino verify --solvency` checks the response as it is. See docs/fairness/solvency.md. 404 before the first statement, and where the service makes none.
         */
        get: operations["accountSolvency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The limits on the caller's play, own and imposed
         * @description In force since `effectiveAt`. A change that waits is `pending` and listed after the present limit, with `amount` null when the limit ends: from `effectiveAt` on the caller can confirm it for 7 days.
         */
        get: operations["limits"];
        /**
         * Set the caller's own limits
         * @description The whole list of the caller's own; what the operator imposed stays. New and lower limits are in force at once. Higher ones and the end of those left
         *     out wait for 24 hours, and then for the caller's confirmation (POST /account/limits/confirm). `wager` and `loss` (wagered less won) refuse bets with `LIMIT_EXCEEDED`; a
         *     deposit beyond `deposit` is credited and can be withdrawn, and bets are refused until the period
         *     (UTC day, week from Monday, calendar month) ends. Own and provider games count alike.
         */
        put: operations["setLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/limits/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm higher limits, or the end of limits
         * @description Makes all changes of the caller's limits that have waited for 24 hours, at most 7 days ago. 409 if there are none.
         */
        post: operations["confirmLimits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/exclusion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exclude the caller from play
         * @description Until a moment, or for ever; an exclusion is never shortened. The service may ask for a least length (`until` is refused then). Sign-in, reading, deposits and withdrawals still work.
         */
        post: operations["exclude"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/cool-off": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a break from play
         * @description From 1 hour to 6 weeks; it can't be ended early. Bets are refused with `PLAYER_EXCLUDED`, `details.reason` `coolOff`. It is apart from an exclusion. Sign-in, reading, deposits and withdrawals still work.
         */
        post: operations["coolOff"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/chain-balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The balance of the caller's wallet on chain
         * @description What the wallet that signed in holds of a token, finalized, and could deposit: its lamports, or its associated token account. It is no balance here. Asked at most 60 times a minute of a wallet, RATE_LIMITED above that.
         */
        get: operations["chainBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/account/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's deposits, withdrawals and adjustments
         * @description Deposits also while they are pending or in review, withdrawals in every state.
         */
        get: operations["accountTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/play": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play one round
         * @description Every refusal is decided before anything is drawn. Refusals come in the order of the fields, then idempotency, token, seed pair (`INVALID_STATE` with `details.field` `expectedServerSeedHash` or `expectedNonce`), limits, funds. What is expected of the pair is no part of what an Idempotency-Key repeats. Where the operator sets a least time between rounds, one that comes earlier is `RATE_LIMITED` with `details.reason` `pace` and `Retry-After`.
         */
        post: operations["play"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rounds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's open rounds
         * @description Oldest first. What a client asks first that comes back.
         */
        get: operations["openRounds"];
        put?: never;
        /**
         * Open a round that is played step by step
         * @description Takes the stake and a nonce, and reserves the most that the round can pay until it ends. Every refusal is
         *     decided before anything is drawn.
         *
         *     **Bound.** Where every step returns the same, the round is bounded to the least of: the most that its game can
         *     pay, the token's `maxPayout` divided by the wager, and the `maxMultiplier` of its config (50 without one).
         *     `maxMultiplier` states the bound; no step beyond it is offered, and reaching it cashes out. `asked` and
         *     `maxPayout` are what it follows from. If there is no room for it the opening is refused; it is never lowered.
         *
         *     **Room.** Rounds that can pay more than 50 times the wager may be open while all open rounds reserve at most an
         *     eighth of what the house can pay, or a quarter for games that can't be bounded (video poker). Without room the
         *     opening is `WAGER_OUT_OF_RANGE`, with `details.reason` `room` if other open rounds are the cause.
         *
         *     **Open rounds.** A player has at most 4 (`TOO_MANY_OPEN`). The seed pair of an open round can't be rotated.
         *
         *     **Expiry.** A round without a step for 30 days ends by the action that its rules publish: cash out, stand, hold
         *     all. Room in a token is scarce while open rounds reserve more than a quarter of it, or after openings were refused
         *     for lack of it. Rounds then end 45 minutes after their last step and two hours after they were opened.
         */
        post: operations["openRound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rounds/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an action in an open round
         * @description `step` is the number of actions taken before, as the player saw the round. It makes the request safe to repeat
         *     without an Idempotency-Key: the same action at the same step gets its first answer again, another one is
         *     `IDEMPOTENCY_CONFLICT`.
         *
         *     Refusals come in this order:
         *
         *     1. the fields;
         *     2. existence;
         *     3. state, `INVALID_STATE` with `details.status`: `ended`; `recovered` for a round from before a recovery of the
         *        service; `open` with the next `details.step`;
         *     4. an action that isn't offered, `INVALID_PARAMETER` naming `action`;
         *     5. for an action that stakes more, every refusal of a bet.
         *
         *     An action that stakes nothing is taken even if the player may not bet.
         */
        post: operations["step"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crash": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest round of the shared crash, with its bets
         * @description The same for everybody, at most 200 ms old. Players are named by pseudonyms, as in `RecentBet`. Before the first round it is `NOT_FOUND`.
         */
        get: operations["crash"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crash/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What changes in the shared crash, as it changes
         * @description A stream of server-sent events, which `EventSource` reads; `data` is a `CrashNews`. The first message is that of
         *     `GET /crash`. Later ones have `round` if it changed, and the `bets` that are new or have a new `cashedOut`. A bet
         *     can come again: replace the one with its id. When `round.number` changes, drop the bets.
         *
         *     The height of the curve isn't sent: it follows from `startedAt`, see docs/fairness/shared-crash.md. `now` is the
         *     service's clock. An automatic cash-out isn't sent either: it is taken when the curve is at the bet's `cashOut`.
         *
         *     It begins anew with each connection. A client that doesn't read for 10 s is cut off.
         */
        get: operations["crashStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crash/bets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bet on the present round of the shared crash
         * @description Takes the stake, and reserves what the bet can win at most: the wager times its automatic cash-out. A player has
         *     one bet on a round.
         *
         *     Refusals come in this order: the fields; idempotency; token; whether the player may play; `RATE_LIMITED` with
         *     `details.reason` `pace`; `INVALID_STATE` with `details.status`: `closed` if the round takes no bets any more,
         *     `bet` if the player has one on it; `cashOut` above the round's cap; limits; funds.
         */
        post: operations["placeCrashBet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crash/cashout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cash out a bet on the shared crash
         * @description It counts from the moment at which the service has read the whole request, whatever the answer waits for. One that
         *     is received before the curve is at 1.01, or at the curve's end or later, is `INVALID_STATE`. A bet is cashed out
         *     once: repeat the request safely, it gets the first answer again.
         *
         *     Another player's bet is `NOT_FOUND`. `INVALID_STATE` has `details.status`. A cash-out is taken even if the player
         *     may not bet.
         */
        post: operations["cashOutCrash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crash/bet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's bet on the newest round of the shared crash
         * @description What a client asks first that comes back. A bet with a result is at `GET /history/{id}`, with the bet's id.
         */
        get: operations["crashBet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crash/rounds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rounds of the shared crash
         * @description Of one chain, the newest one if none is named.
         */
        get: operations["crashRounds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/crash/rounds/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A round of the shared crash with all its bets
         * @description Everything that docs/fairness/shared-crash.md needs to verify the round. Of the newest chain if none is named.
         */
        get: operations["crashRound"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What concerns the caller, as it is committed
         * @description A stream of server-sent events (`text/event-stream`): rounds, changes of balances, deposits, withdrawals, seeds, sessions, limits. Each event comes once, in the order in which it happened to the player. `data` is an `Event`, and `id` is the position after it. A client that reconnects sends its last id as `Last-Event-ID` and misses nothing; without one the stream begins now. The first message is an `id` without data, so that a client can resume from there if it loses the connection before the first event.
         *
         *     Browsers read it by `fetch`, because `EventSource` sends no bearer token. A stream that has nothing to say sends a comment every 15 s. It ends with the session, and when the service stops; a client that doesn't read for 10 s is cut off. At most 4 streams of a wallet and 32 of an address are open at once (`RATE_LIMITED`).
         */
        get: operations["events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's rounds
         * @description Rounds of the house's own games and of third-party games, newest first; a round's server seed is null until its pair is revealed. A span of time compares `createdAt`.
         */
        get: operations["listRounds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One of the caller's rounds
         * @description With the balance before and after it. Somebody else's round is `NOT_FOUND`.
         */
        get: operations["round"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/history/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A receipt of one of the caller's rounds, transactions or rotations
         * @description Of a round, of the newest state of an open round, a deposit or a seed pair, or of the request of a withdrawal, by its id. Somebody else's is `NOT_FOUND`.
         */
        get: operations["historyProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's active seed pair, without its server seed
         * @description The pair that the next round is drawn from: its commitment, the client seed, the nonce of that round, and the commitment of the pair after it.
         */
        get: operations["seed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seed/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reveal the active server seed and start the next pair
         * @description A client seed that the caller never used before makes the next pair's rounds provably fair (`clientSeedSource` `player`). One that a pair of the caller had already is `repeated` - the house knew it when it drew the next server seed. While rounds are open that are drawn from the active pair it is INVALID_STATE (`details.rounds`) - end them first.
         */
        post: operations["rotateSeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/seed/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's revealed seed pairs
         * @description Newest first, with the server seeds, from which every round of the pair can be recomputed.
         */
        get: operations["seedHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/legacy/launch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Launch a third-party game in seamless mode
         * @description Returns the address of a session of the game. The provider's callbacks move its money. At most 4 launches from one client address are served at a time: RATE_LIMITED above that.
         */
        post: operations["launch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gold_api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The wallet callbacks of the connected game provider
         * @description The `gold_api` agent protocol of game aggregators: `user_balance` and `transaction` (`debit`, `credit`, `debit_credit`).
         *     Authenticated by the provider connection's `agent_code` and `agent_secret` in the body, and by its networks.
         *     Known outcomes are 200 with the protocol's own `status`; 503 means that the outcome isn't known and the
         *     provider asks again. Unknown fields are ignored; money is decimal.
         */
        post: operations["providerCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/gold_api/{method}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The wallet callbacks of the gold_api protocol's newer dialect
         * @description `user_balance` and `game_callback`, as `POST /gold_api` without `method`; the amounts of a transaction are `bet` and `win`.
         */
        post: operations["goldCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hub88/{subject}/{call}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The wallet calls of Hub88's operator API
         * @description `user/info`, `user/balance`, `transaction/bet`, `transaction/win` and `transaction/rollback`, if `CASINO_PROVIDER_PROTOCOL` is
         *     `hub88`. `X-Hub88-Signature` is Hub88's base64 RSA-SHA256 signature of the body. Amounts are integers of 1/100,000 of a
         *     currency unit. Known outcomes are 200 with the protocol's `status`; 503 means that the outcome isn't known.
         */
        post: operations["hub88Callback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The caller's role
         * @description Permission: `admin:read`.
         */
        get: operations["adminMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The state of the business, from kept figures
         * @description Permission: `admin:read`. A role bound to an agent sees that agent's part, `treasury`, `solvent` and `difference` null. With `at`, `liabilities` and `held` are those of the newest hourly snapshot by then, whose moment is the response's `at`; `treasury`, `solvent` and `difference` are null, and everything else is of the present. 404 before the first snapshot; a role bound to an agent gives no `at`.
         */
        get: operations["overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/metrics/ggr-daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Gross gaming revenue per day and token, from kept figures
         * @description Permission: `admin:read`. Oldest first, today (UTC) included, zeros for days without play; without `token` every token. With `Accept: text/csv` a sheet.
         */
        get: operations["ggrDaily"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/metrics/rtp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Actual against theoretical return per game and token
         * @description Permission: `admin:read`. Shares of what was wagered, as decimals with six places. `margin` is
         *     how far `rtp` may be from `theoreticalRtp`: 4 standard deviations from the kept variance, and one
         *     base unit a round for rounding down. `status` is `within` or `outside` it; `few` below 1,000
         *     rounds; `unknown` where the variance outgrew its kept figure (`margin` is null then) and for
         *     providers' games, because their rules aren't known here (`theoreticalRtp` is null too). With `Accept: text/csv` a sheet.
         */
        get: operations["returns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rounds of all players
         * @description Permission: `admin:read`. A role bound to an agent sees that agent's players alone. With `Accept: text/csv` a sheet of the whole list under the filters, without `page`, `limit` and `cursor`.
         */
        get: operations["adminGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The players
         * @description Permission: `admin:read`. A role bound to an agent sees that agent's players alone. With `Accept: text/csv` a sheet of the whole list under the filters, without `page`, `limit` and `cursor`.
         */
        get: operations["listPlayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/players/{wallet}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everything about one player
         * @description Permission: `admin:read`. With `at`, `balances` are those of that moment, as at GET /balance.
         */
        get: operations["adminPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/players/{wallet}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A player's limits
         * @description Permission: `admin:read`.
         */
        get: operations["adminLimits"];
        /**
         * Impose limits on a player
         * @description Permission: `admin:write`. Replaces the operator's limits. The list is in force at once, even where it raises or ends a limit. The player's own limits stay; of two with the same kind, period and token the tighter one counts. Admins can't limit themselves: `FORBIDDEN`.
         */
        put: operations["adminSetLimits"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/players/{wallet}/exclusion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exclude a player from play
         * @description Permission: `admin:write`. By the rules of /account/exclusion.
         */
        post: operations["adminExclude"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/players/{wallet}/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze a player's account, or unfreeze it
         * @description Permission: `admin:write`. While the account is frozen the player can't play and withdrawals can't be approved.
         */
        post: operations["freeze"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/players/{wallet}/agent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Bind a player to another agent
         * @description Permission: `roles:write`. Rounds, transactions and figures of the past stay with the old agent, and so
         *     does a provider's round that is open when its win comes; new ones belong to the new agent, and so do the
         *     player, the player's balances and what is held for open withdrawals, which stay in the old agent's lists.
         *     Binding a player to the present agent is no error.
         *     `INVALID_AGENT`: no such agent; `BLOCKED_AGENT`: it is blocked or deleted.
         */
        put: operations["rebindPlayer"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/legacy/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The agents
         * @description Permission: `admin:read`. A role bound to an agent sees it alone. Sorted by code, without deleted ones; not paged. With `Accept: text/csv` a sheet.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Permission: `admin:write`; `siteEndpoint` and `ipAllowlist` need `roles:write` too. `rtp` is 95.00
         *     and `percent` 0.00 when left out. `token` and `secret` are shown only in this response. A deleted agent's code
         *     stays taken.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/legacy/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an agent
         * @description Permission: `admin:write`. It counts as blocked from then on, and its code stays taken. The house agent stays, and so does one with an unsettled prepaid account (`INVALID_STATE`).
         */
        delete: operations["deleteAgent"];
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description Permission: `admin:write`; `siteEndpoint` and `ipAllowlist` need `roles:write` too. Omitted fields
         *     keep their values; at least one is needed. A blocked agent's players can't sign up, launch or bet;
         *     sign-in, wins, refunds, deposits and withdrawals still work. The house agent can't be blocked.
         */
        patch: operations["changeAgent"];
        trace?: never;
    };
    "/admin/legacy/agents/{id}/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an agent's credentials
         * @description Permission: `roles:write`. The old ones stop working at once; the new ones are shown only in this response.
         */
        post: operations["rotateCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/legacy/agents/{id}/funds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Book a payment to or from an agent's prepaid account
         * @description Permission: `balances:write`, with a role that is not bound to an agent. The amount that the agent paid in (positive)
         *     or was paid back (negative). The account pays the bets of players with money at the agent's own site. A debit
         *     that would bring the balance, less what is reserved, below the credit limit is `INSUFFICIENT_AGENT_FUNDS`.
         *     A credit above the token's `twoPersonAbove`, counted with the admin's others of 24 hours or with all those
         *     to agents, waits for a second person (202). Amounts are counted in steps of ten minutes, for up
         *     to ten minutes more than 24 hours.
         */
        post: operations["fundAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/legacy/agents/{id}/credit-limit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set how far below zero an agent's prepaid account may go
         * @description Permission: `roles:write`. A limit below what is owed and reserved already is `INVALID_STATE`.
         */
        put: operations["limitCredit"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/legacy/agents/{id}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The endpoints that an agent's events are sent to
         * @description Permission: `roles:write`. Oldest first, 10 at most; not paged.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have an agent's events sent to an endpoint
         * @description Permission: `roles:write`. Each event that concerns the agent's players, as they hear it themselves, and what
         *     is done to the agent is sent as a CloudEvent by `POST`, signed as Standard Webhooks have it, one at a time and
         *     in order, until it is answered with 2xx. `secret` is shown only in this response. Without `from` it begins
         *     with what is committed from now on; the empty place is the beginning.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/legacy/agents/{id}/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * An endpoint, and how far it is
         * @description Permission: `roles:write`.
         */
        get: operations["webhook"];
        put?: never;
        post?: never;
        /**
         * Delete an endpoint
         * @description Permission: `roles:write`. Nothing more is sent to it, and its dead letters go with it.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change an endpoint
         * @description Permission: `roles:write`. Omitted fields keep their values; at least one is needed. A disabled endpoint that
         *     becomes active continues where it stopped, with its earlier failures forgotten, or from `from`.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/admin/legacy/agents/{id}/webhooks/{webhookId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give an endpoint a new secret
         * @description Permission: `roles:write`. The new one is shown only in this response. The one before it signs beside it for 24 hours; whichever was before both ends at once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/legacy/agents/{id}/webhooks/{webhookId}/dead-letters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The events that an endpoint refused for good
         * @description Permission: `roles:write`. An event that was refused 10 times within an hour; the next ones went on. Newest first.
         */
        get: operations["deadLetters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/legacy/agents/{id}/webhooks/{webhookId}/dead-letters/{deadLetterId}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a dead letter sent again
         * @description Permission: `roles:write`. It is sent once, soon, whatever else the endpoint waits for, and goes when it is
         *     taken; otherwise it stays with what was answered. `INVALID_STATE` for a disabled endpoint, and for an event
         *     that was too long to be kept.
         */
        post: operations["resendDeadLetter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/metrics/revenue-share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Revenue share per agent and day
         * @description Permission: `admin:read`. `share` is GGR × the agent's present percent, rounded down. Days without play have no row; oldest first. A role bound to an agent sees it alone. With `Accept: text/csv` a sheet.
         */
        get: operations["revenueShare"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/provider-games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The games on offer
         * @description Permission: `admin:read`. The house's own are those of the provider `casino`. By code, the greatest first. With `Accept: text/csv` a sheet of the whole list under the filters, without `page`, `limit` and `cursor`.
         */
        get: operations["providerGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/provider-games/{gameCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Switch a game on or off
         * @description Permission: `admin:write`. The next bet sees it (`GAME_DISABLED`). A `reason` is kept in the record `game.switched`.
         */
        patch: operations["switchGame"];
        trace?: never;
    };
    "/admin/provider-reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Providers' wins that wait for an admin's decision
         * @description Permission: `admin:read`. They are above a cap of net wins or of wins without a bet in an hour, or more than the balance can hold. Newest first. With `Accept: text/csv` a sheet of the whole list under the filters, without `page`, `limit` and `cursor`.
         */
        get: operations["providerReviews"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/provider-reviews/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a win in review, or refuse it
         * @description Permission: `balances:write`. A win above the token's threshold, counted with balance credits, waits for a second person (202). Admins can't decide wins of their own. A win is decided once (`INVALID_STATE`).
         */
        post: operations["decideProviderReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/provider-routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliveries of providers' transactions to agents' own sites
         * @description Permission: `admin:read`. A delivery (here: route) is one leg of a transaction. A bet is `asking` while the
         *     site is asked for it, then `paid`, `declined`, or `unknown` when the site didn't respond in time: the
         *     provider was refused, and the site is asked until it responds; a bet that it took is `reversing` and then
         *     `reversed`. A win is `delivering` and then `delivered`. `rejected` is a win or a reversal that the site
         *     refuses; it waits for an admin's decision. Newest first. With `Accept: text/csv` a sheet of the whole list under the filters, without `page`, `limit` and `cursor`.
         */
        get: operations["providerRoutes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/provider-routes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery to the agent's present site, or close it
         * @description Permission: `roles:write`. For deliveries to a site that is gone or refuses them. `resend` sends it to the agent's
         *     present `siteEndpoint` (`INVALID_AGENT` without one), until that responds; `close` ends it, because the two
         *     sides settled it otherwise. A delivery that has ended, or that a callback is still waiting for, is
         *     `INVALID_STATE`.
         */
        post: operations["decideProviderRoute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was committed, as pages or as a stream
         * @description Permission: `admin:read`. A page of events after `cursor`, oldest first; without one from the beginning. `nextCursor` is always present: continue from it for later events. A page may have no events and still have `more`.
         *
         *     With `Accept: text/event-stream` a stream as that of `GET /events`, which begins now unless a place is given, and ends with the session and when the role is revoked, changed or bound to another agent. A role bound to an agent hears what concerns that agent's players. Without `audit:read` one hears of players what they hear themselves, and nothing of what admins did beside them.
         */
        get: operations["adminEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The reports that POST /admin/reports/{kind} runs
         * @description Permission: `admin:read`. Each with its columns, and the parameters that it takes and needs. [Reports](/docs/reports.html) says what the figures mean.
         */
        get: operations["listReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/reports/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run a report
         * @description Permission: that of the kind, `admin:read` or `audit:read`. The run is kept as the record `report.run` of the
         *     audit log, with the parameters, the number of rows and the SHA-256 of the CSV. Another run about a period that
         *     is closed has the same CSV. A role bound to an agent sees that agent alone.
         *
         *     Days are UTC, at most 366 of them. A report of more than 10,000 rows is INVALID_PARAMETER: ask for less. Amounts
         *     are in base units. With `Accept: text/csv` the CSV, and the hash in `Report-Sha256`.
         */
        post: operations["runReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The record of who changed what
         * @description Permission: `audit:read`. Append-only and covered by the hash chain of blocks. With `Accept: text/csv` a sheet of the whole list under the filters.
         */
        get: operations["auditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/alarms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a person has to look at
         * @description Permission: `admin:read`. A role bound to an agent sees the alarms that concern that agent alone.
         *
         *     At most one alarm of a kind and a subject is open. The service clears an alarm about a `condition` when the condition ends; if only a worker can see it, at the earliest three minutes after it was last seen. An admin ends an alarm about a `happening` with `POST /admin/alarms/{id}/acknowledge`. With `Accept: text/csv` a sheet of the whole list under the filters, without `page`, `limit` and `cursor`.
         */
        get: operations["listAlarms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/alarms/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an alarm
         * @description Permission: `admin:write`; a role bound to an agent acknowledges what concerns that agent. An alarm about a
         *     `happening` is cleared with that. One about a `condition` stays open until the condition is over, unless
         *     `clear` is true: where its cause is seen again, another alarm is raised then. An alarm that is cleared, and one
         *     that is acknowledged and isn't to be cleared, is `INVALID_STATE`.
         */
        post: operations["acknowledgeAlarm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/whitelabel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the public branding
         * @description Permission: `whitelabel:write`. Omitted fields keep their values; at least one is needed. `logoUrl` is https on a public host name. The name is looked up: one without an address, or with any address that isn't on the public internet, is refused; if the lookup fails, the answer is `UNAVAILABLE`.
         */
        patch: operations["changeWhitelabel"];
        trace?: never;
    };
    "/admin/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deposits, withdrawals and adjustments of all players
         * @description Permission: `admin:read`. A role bound to an agent sees that agent's players alone. With `Accept: text/csv` a sheet of the whole list under the filters, without `page`, `limit` and `cursor`.
         */
        get: operations["adminTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/balances/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A player's balances
         * @description Permission: `admin:read`.
         */
        get: operations["adminBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Credit or debit a player's balance
         * @description Permission: `balances:write`. Admins can't adjust their own balance. A credit above the
         *     token's `twoPersonAbove`, counted with the admin's others of 24 hours or with the player's, waits
         *     for a second person (202): another admin with the same permission decides it at
         *     POST /admin/approvals/{id}. Amounts are counted in steps of ten minutes, for up to ten minutes
         *     more than 24 hours. Both roles must be at least 24 hours old.
         */
        patch: operations["adjustBalance"];
        trace?: never;
    };
    "/admin/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A withdrawal with its approvals
         * @description Permission: `admin:read`. A role bound to an agent sees its players' alone. With it a front end asks a wallet to sign an approval: see POST /admin/withdraw/approve.
         */
        get: operations["adminWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/withdraw/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a pending or failed withdrawal
         * @description Permission: `withdraw:approve`.
         *
         *     **Two persons.** Two admins must approve an amount above the token's `twoPersonAbove`, counted over 24 hours
         *     per player, destination and approver, or above its `twoPersonAbovePerDay`, counted over all admins. Each
         *     withdrawal counts once, from its newest approval on, in steps of ten minutes and for up to ten minutes more
         *     than 24 hours. After the first approval the status stays `pending` with `approvals` 1.
         *
         *     **Refusals.** A role younger than 24 hours approves nothing (403, `details.reason` `role_too_young`,
         *     `details.from` when it may). Two votes count as one (`same_grantor`) if within 30 days one admin granted the
         *     other's role, or one person granted both; founding roles have no grantor. Admins can't decide their own
         *     withdrawals, nor approve one of a player who was credited in the last 30 days by them (`credited`) or by an
         *     admin with whom their votes count as one (`same_grantor`).
         *
         *     An approval counts only while the admin's role allows it. The payouts of a frozen player wait.
         *
         *     `signature` is the admin's own over the UTF-8 bytes, or the off-chain message as for POST /auth/login, of
         *     `casino-approve:{treasury}:{withdrawal}:{token}:{amount}:{destination}:{timestamp}`, all of it from
         *     GET /admin/withdrawals/{id} but the timestamp: Unix milliseconds, at most 10 minutes old and 1 minute
         *     ahead when it arrives. It is required where `signatureRequired` says so; one that is sent is verified
         *     in any case and kept with the approval. Show the amount and the destination to the person who signs.
         *     Rejecting needs none. The signature is checked last, after the permission to approve.
         */
        post: operations["approveWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/withdraw/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a withdrawal; the money goes back to the player
         * @description Permission: `withdraw:reject`. Pending, failed, and approved ones that no live transaction can pay.
         */
        post: operations["rejectWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/unclaimed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What arrived from wallets that never signed in
         * @description Permission: `admin:read`. Money from wallets that never signed in, such as an exchange's. POST /admin/unclaimed/assign moves it to its player; the wallet's first sign-in moves the rest. Roles that are bound to an agent see nothing. With `Accept: text/csv` a sheet of the whole list under the filters, without `page`, `limit` and `cursor`.
         */
        get: operations["unclaimedBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/unclaimed/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign unclaimed money to a player
         * @description Permission: `balances:write`, with a role that is not bound to an agent. Moves at most the unclaimed money of
         *     `wallet`, which never signed in, to the player `to`, and keeps the evidence in the audit log.
         *
         *     Above the token's threshold, counted with balance credits, a second person decides (202); until then another
         *     request about the same balance is INVALID_STATE. Admins can't assign money to themselves. The same request again
         *     gives the same response, and completes an assignment that was interrupted.
         */
        post: operations["assignUnclaimed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/transactions/{id}/correct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request that an adjustment or an assignment is reversed
         * @description Permission: `balances:write`. The whole entry is booked back when another admin approves it at
         *     POST /admin/approvals/{id}: neither the player nor the admin who booked the entry. The entry stays, and both name
         *     each other in `corrects` and `correctedBy`. Each entry is corrected once; a correction can't be corrected.
         *
         *     The money of an assignment is unclaimed again, or its sender's if that wallet has signed in since; roles bound to
         *     an agent can't correct assignments. A player who no longer has the amount is INSUFFICIENT_FUNDS.
         */
        post: operations["correctTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/capital/correct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request that a booking of capital is reversed
         * @description Permission: `balances:write`, with a role that is not bound to an agent. The newest booking under the reference is
         *     booked back when another admin approves it at POST /admin/approvals/{id}. Capital that was a wallet's deposit is
         *     unclaimed again, or that wallet's if it has signed in since. `casino capital book` can book the reference again.
         */
        post: operations["correctCapital"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/deposits/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a deposit in review
         * @description Permission: `balances:write`. With `wallet` the amount that the treasury received by the transaction is credited
         *     to that player once, and every other claim to it is declined. Wrapped SOL is credited as SOL. Above the token's
         *     threshold, counted with balance credits, the credit is requested (202) and another admin must approve it at
         *     POST /admin/approvals/{id}.
         *
         *     Without `wallet` all claims to it are declined; the operator returns the money. The same decision again gives the
         *     same response. Admins can't decide their own deposits.
         */
        post: operations["resolveDeposit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/play": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What play is paused
         * @description Permission: `admin:read`. An operator sees what concerns its own players.
         */
        get: operations["playPauses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/play/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop play at once
         * @description Permission: `admin:write`. Refuses new bets, launches and rounds with `API_CHECKING`, `details.reason` `paused`: of
         *     one game, of one agent's players, of both together, or all. Wins, withdrawals and rounds in progress continue.
         *     Pausing again changes nothing.
         *
         *     The answer comes when bets that began before have ended: none is taken after it. `503` with `details.outcome`
         *     `unknown` means that play is paused, and that a bet which began before may still end.
         */
        post: operations["pausePlay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/play/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume play
         * @description Permission: `admin:write`. Ends the pause of exactly this game, agent, both, or all; others stay. Resuming without a pause changes nothing.
         */
        post: operations["resumePlay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/rounds/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a player's open round
         * @description Permission: `admin:write`. The round ends by the action that its rules publish for an absent player: cash out, stand, hold all. It is audited as `round.abandoned`, with the admin and the reason. A round of a player outside the admin's scope is `NOT_FOUND`, one that has ended `INVALID_STATE`.
         */
        post: operations["endRound"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether payouts are paused
         * @description Permission: `admin:read`. A role bound to an agent sees whether, `by` and `reason` null.
         */
        get: operations["payouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/payouts/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop payouts at once
         * @description Permission: `withdraw:reject`. Nothing is signed or sent again until payouts are resumed, which takes two persons or the command line. Transactions sent before may still land. A further pause replaces this one: older requests to resume are refused.
         */
        post: operations["pausePayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/admission/overrule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request that what screeners refused is admitted
         * @description Permission: `balances:write`. The caller is the first of two persons: from the approval of another admin at POST /admin/approvals/{id} on, what the key names is admitted although screeners refuse it. The key is the target of the refusal's record `admission.decided` in the audit log. 404 without such a record; 409 if the last one admits it.
         */
        post: operations["overruleAdmission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/payouts/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request that payouts are resumed
         * @description Permission: `withdraw:approve`. The caller is the first of two persons: payouts are resumed when another admin approves at POST /admin/approvals/{id}. A pause made after that approval stays.
         */
        post: operations["resumePayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Requests that wait for a second person
         * @description Permission: `admin:read`. A role bound to an agent sees those about its agent's players alone. Withdrawals aren't among them: they are approved at POST /admin/withdraw/approve. With `Accept: text/csv` a sheet of the whole list under the filters, without `page`, `limit` and `cursor`.
         */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide a request as its second person
         * @description Permission: `admin:read`, and that of the request's kind: `balances:write` for `adjustment`, `provider.win`, `unclaimed`, `admission` and
         *     `deposit`, `withdraw:approve` for `payouts.resume`. An approval carries the request out in the
         *     same commit and must come from another person, whose role is at least 24 hours old; a rejection closes it.
         *     A request ends after 24 hours.
         */
        post: operations["decideApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who has which role
         * @description Permission: `admin:read`. A role bound to an agent sees that agent's roles alone. Not paged. With `Accept: text/csv` a sheet.
         */
        get: operations["listRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/roles/{wallet}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One wallet's role
         * @description Permission: `admin:read`.
         */
        get: operations["role"];
        /**
         * Give a wallet a role
         * @description Permission: `roles:write`. Only for strictly lower levels: neither the new role nor the present
         *     one may be at the caller's level or above. It takes effect on the wallet's next request. A role
         *     that stays what it was keeps its age, which counts where two persons decide.
         */
        put: operations["grantRole"];
        post?: never;
        /**
         * Take a wallet's role away
         * @description Permission: `roles:write`. Only for strictly lower levels; the last role of the top level stays.
         */
        delete: operations["revokeRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dev/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The demo wallets of casino dev
         * @description In `casino dev` alone, where money is simulated; 404 anywhere else. They sign for every caller, so that a page can be tried without a wallet.
         */
        get: operations["demoWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dev/wallets/{name}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a demo wallet sign a text
         * @description In `casino dev` alone; 404 anywhere else. Like a wallet's `signMessage`: it signs the text's UTF-8 bytes, such as the message of a sign-in.
         */
        post: operations["demoSign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dev/wallets/{name}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have a demo wallet sign a transaction and send it
         * @description In `casino dev` alone; 404 anywhere else. As a wallet's `signAndSendTransaction`, to the simulated chain: for what POST /deposit/transaction built. A transaction that the chain refuses is `EXTERNAL_ERROR` with the chain's reason.
         */
        post: operations["demoSend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ReportColumn: {
            name: string;
            /**
             * @description `period` is a day, month or year (UTC), `time` RFC 3339, `amount` in base units of the row's token, with the sign.
             * @enum {string}
             */
            type: "text" | "period" | "time" | "count" | "amount";
            meaning: string;
        };
        ReportKind: {
            kind: string;
            summary: string;
            permission: string;
            /** @description Members of the body that the kind takes; others are INVALID_PARAMETER. */
            parameters: string[];
            required: string[];
            columns: components["schemas"]["ReportColumn"][];
        };
        Report: {
            kind: string;
            parameters: {
                name: string;
                value: string;
            }[];
            columns: components["schemas"]["ReportColumn"][];
            rows: string[][];
            /** @description There is nothing to report: no rows. */
            noActivity: boolean;
            /** @description The period ended at least 15 minutes ago: another run has the same rows and hash. */
            closed: boolean;
            /** @description Unix milliseconds. */
            runAt: number | bigint;
            /** @description Id of the run's record in the audit log. */
            recordId: string;
            /** @description SHA-256 of the CSV, in hexadecimal. */
            sha256: string;
        };
        /**
         * Format: int64
         * @description Base units of a token.
         */
        Amount: number | bigint;
        /**
         * Format: int64
         * @description Base units of a token.
         */
        Balance: number | bigint;
        /** @description A sum in base units, of any length. */
        Total: number | bigint;
        /** Format: int64 */
        Count: number | bigint;
        /** @description A day, UTC. */
        Day: string;
        TokenBalance: {
            token: components["schemas"]["Token"];
            balance: components["schemas"]["Balance"];
        };
        /**
         * Format: int64
         * @description Unix milliseconds.
         */
        Time: number;
        /** @description A mint address. */
        Token: string;
        /** @description The base58 of an Ed25519 public key. */
        Wallet: string;
        DemoWalletName: string;
        /** @description An Ed25519 signature in standard base64, over the message's UTF-8 bytes or over the same text as a Solana off-chain message. */
        SignatureBytes: string;
        /**
         * Format: byte
         * @description A Solana transaction as wallets take it, in standard base64.
         */
        TransactionBytes: string;
        /** @description The base58 of a transaction's 64 signature bytes. */
        TransactionSignature: string;
        /** @description SHA-256 in hexadecimal digits. */
        Hash: string;
        ServerSeed: string;
        /** @description 1 to 64 printable ASCII characters. */
        ClientSeed: string;
        /**
         * @description Only rounds of `player` are called provably fair: the player chose the client seed, after the server seed was committed to. `repeated` is one that the player chose for an earlier pair too, so that the house knew it when it drew this server seed; `server` is the house's own.
         * @enum {string}
         */
        ClientSeedSource: "player" | "server" | "repeated";
        /** @description A gameType of GET /public/games. */
        GameType: string;
        AgentCode: string;
        Reason: string;
        /** @description Of a transaction: the base58 of 64 bytes. */
        Signature: string;
        PlayPause: {
            /** @description The game that is paused; null for every game. */
            gameType: string | null;
            /** @description Whose players are paused; null for everybody's. */
            agentCode: string | null;
            /** @description The admin who paused it; null for the command line. */
            by: string | null;
            reason: string;
            /** @description Unix milliseconds. */
            pausedAt: number | bigint;
        };
        PayoutSwitch: {
            /** @description Nothing is signed and nothing is sent again. */
            paused: boolean;
            /** @description The admin who paused or resumed payouts last; null for the command line, and for the service itself, which pauses them if the treasury signed an unannounced transaction. */
            by: string | null;
            reason: string | null;
            /** @description Unix milliseconds; null when payouts were never paused. */
            updatedAt: number | bigint | null;
        };
        /** @enum {string} */
        RoleName: "superadmin" | "admin" | "finance" | "ops" | "support" | "readonly" | "operator";
        /** @enum {string} */
        Permission: "admin:read" | "admin:write" | "audit:read" | "balances:write" | "roles:write" | "whitelabel:write" | "withdraw:approve" | "withdraw:reject";
        /** @description The game's own config, see configSchema at GET /public/games. Left out, or without some fields, it takes the defaults. Decimals are exact; more of them than a field has are refused, even zeros. */
        Config: {
            [key: string]: unknown;
        };
        /** @description The game's own account of what happened; null for a round that was void (its stake was returned). */
        Outcome: {
            [key: string]: unknown;
        } | null;
        /** @description What the rules pay for the outcome in wagers, before rounding down to base units. A number of more than 18 digits is cut after 18 here; the payout is of the exact one. */
        Multiplier: number;
        /**
         * @description What kind of refusal it is; stable, for programs.
         * @enum {string}
         */
        ErrorCode: "INVALID_PARAMETER" | "INSUFFICIENT_USER_FUNDS" | "INSUFFICIENT_AGENT_FUNDS" | "INVALID_AGENT" | "INVALID_USER" | "INVALID_PROVIDER" | "INVALID_GAME" | "GAME_DISABLED" | "TOKEN_NOT_ACCEPTED" | "WAGER_OUT_OF_RANGE" | "AMOUNT_OUT_OF_RANGE" | "INVALID_DESTINATION" | "DEPOSIT_REJECTED" | "LIMIT_EXCEEDED" | "AGENT_SEAMLESS" | "MISSING_AUTH" | "INVALID_TOKEN" | "EXPIRED_TOKEN" | "INVALID_SIGNATURE" | "STALE_TIMESTAMP" | "REPLAYED_LOGIN" | "ADMIN_FORBIDDEN" | "FORBIDDEN" | "BLOCKED_AGENT" | "PLAYER_EXCLUDED" | "PLAYER_FROZEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "DUPLICATED_AGENT" | "INVALID_STATE" | "DEPOSIT_TAKEN" | "IDEMPOTENCY_CONFLICT" | "TOO_MANY_OPEN" | "BODY_TOO_SLOW" | "BODY_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "EXTERNAL_ERROR" | "API_CHECKING" | "UNAVAILABLE";
        Error: {
            /** @description The short title of the code. */
            error: string;
            code: components["schemas"]["ErrorCode"];
            /** @description What was wrong this time, for people. */
            message: string;
            /** @description Facts for programs; none for most codes. */
            details: {
                /** @description The field, parameter or header that was refused. */
                field?: string;
                permission?: components["schemas"]["Permission"];
                status?: string;
                /**
                 * @description Further ones may be added.
                 * @enum {string}
                 */
                reason?: "room" | "pace" | "coolOff" | "paused" | "restored" | "roles" | "role_too_young" | "same_grantor" | "credited" | "not_found" | "failed" | "no_credit" | "not_sender" | "below_minimum" | "wrong_token" | "owner_changed" | "treasury_signed" | "several_senders" | "wrapped_sol" | "no_sender" | "capital" | "before_watch" | "declined" | "unreadable" | "amount_out_of_range" | "screened" | "review" | "deny";
                /** @description The limit that would be exceeded, such as `loss.day`. */
                limit?: string;
                /** @description When an exclusion, a break or a limit's period ends. */
                until?: components["schemas"]["Time"];
                /** @description The token of the amounts that follow, which are in its base units. */
                token?: components["schemas"]["Token"];
                /** @description The least amount allowed. */
                min?: components["schemas"]["Balance"];
                /** @description The greatest amount allowed; of `LIMIT_EXCEEDED` the limit. */
                max?: components["schemas"]["Balance"];
                /** @description What a round may pay at most; the wager could pay more. */
                maxPayout?: components["schemas"]["Balance"];
                /** @description The balance that doesn't cover the amount. */
                balance?: components["schemas"]["Balance"];
                /** @description The fee of a withdrawal, which the balance has to cover too. */
                fee?: components["schemas"]["Balance"];
                /** @description What may still be wagered before the limit. */
                left?: components["schemas"]["Balance"];
                serverTime?: components["schemas"]["Time"];
                retryAfterMs?: number | bigint;
                /**
                 * @description Whether a write may have happened all the same.
                 * @enum {string}
                 */
                outcome?: "none" | "unknown";
                /** @description The open rounds that have to end first. */
                rounds?: string[];
                /** @description The first place of events that can be read. */
                cursor?: string;
            };
            requestId: string;
            /** @description The refusal of a bet, signed, where `Prefer: receipt` asked for it and the bet's seed pair was known. See docs/fairness/refusals.md. */
            receipt?: components["schemas"]["SignedStatement"];
        };
        Session: {
            token: string;
            wallet: components["schemas"]["Wallet"];
            expiresAt: components["schemas"]["Time"];
        };
        Branding: {
            title: string;
            /** Format: uri */
            logoUrl: string;
            accentColor: string;
        };
        Health: {
            /** @enum {string} */
            status: "ok" | "degraded" | "down";
            version: string;
            /**
             * @description One entry for each dependency, and:
             *
             *     - `ledger`: degraded while the database is an older copy. Reads work; everything that decides is 503 `API_CHECKING`
             *       with `details.reason` `restored`.
             *     - `clocks`: degraded while the database's clock is more than 10 s from the service's, or the chain's newest
             *       finalized block is more than 10 s ahead or 70 s behind.
             *     - `workers`: degraded while a worker (payouts, deposits, the watch of the treasury) was never started, or the watch
             *       of a token's deposits has not begun.
             */
            checks: {
                database: components["schemas"]["HealthCheck"];
                rateLimiter: components["schemas"]["HealthCheck"];
                chain: components["schemas"]["HealthCheck"];
                provider: components["schemas"]["HealthCheck"];
                clocks: components["schemas"]["HealthCheck"];
                workers: components["schemas"]["HealthCheck"];
                ledger?: components["schemas"]["HealthCheck"];
            } & {
                [key: string]: components["schemas"]["HealthCheck"];
            };
        };
        HealthCheck: {
            /** @enum {string} */
            status: "ok" | "degraded" | "down" | "disabled";
            latencyMs: number | bigint;
            /** @description The cause. `ledger`: the block kept outside the database, and the database's own; `workers`: the workers that never ran; `clocks`: which clock differs, and by how much. */
            detail?: string;
        };
        Return: {
            /** @description Exact, before payouts are rounded down to base units. */
            ratio: string;
            /** @description Rounded to six decimals. */
            percent: number;
        };
        Game: {
            gameType: components["schemas"]["GameType"];
            rules: string;
            title: string;
            /** @description For players: how a round goes and what it pays. null for games without a text. */
            explanation: string | null;
            /** @description JSON Schema (draft 2020-12) of config; null for games that are only played step by step. */
            configSchema: {
                [key: string]: unknown;
            } | null;
            /** @description The config that takes effect when it is left out. Bets that are no part of it take effect with the whole wager on one, as the field says. */
            defaults: {
                [key: string]: unknown;
            } | null;
            /** @description The game as it is played step by step, with the returns of its defaults; null for games that are decided in one call alone. `least` is the return of the worst way to play, null where it depends on how well a round is played. Stakes and multipliers are in first wagers. */
            steps: components["schemas"]["GameSteps"] | null;
            /** @description Return to player of the default config, and the least and the greatest of any config. */
            rtp: {
                default: components["schemas"]["Return"];
                min: components["schemas"]["Return"];
                max: components["schemas"]["Return"];
            };
            /** @description What the rules use beside the draws (reels, pays, prizes by rows, hits or segments); null for games without one. */
            table: {
                [key: string]: unknown;
            } | null;
            /** @description Per accepted token. A wager that could pay more than maxPayout is refused as well. */
            limits: {
                token: components["schemas"]["Token"];
                minWager: components["schemas"]["Amount"];
                maxWager: components["schemas"]["Amount"];
                maxPayout: components["schemas"]["Amount"];
            }[];
        };
        GameSteps: {
            /** @description JSON Schema (draft 2020-12) of the config of such a round. */
            configSchema: {
                [key: string]: unknown;
            };
            /** @description The config that takes effect when it is left out. */
            defaults: {
                [key: string]: unknown;
            };
            best: components["schemas"]["Return"];
            least: components["schemas"]["Return"] | null;
            maxStake: number;
            maxMultiplier: components["schemas"]["Multiplier"];
        };
        TokenTerms: {
            token: components["schemas"]["Token"];
            symbol: string;
            decimals: number;
            /** @enum {string} */
            program: "system" | "spl-token" | "token-2022";
            minDeposit: components["schemas"]["Amount"];
            minWager: components["schemas"]["Amount"];
            maxWager: components["schemas"]["Amount"];
            maxPayout: components["schemas"]["Amount"];
            minWithdrawal: components["schemas"]["Amount"];
            maxWithdrawal: components["schemas"]["Amount"];
            /** @description Held beside the amount of a withdrawal, and kept when the destination's token account had to be opened. */
            newAccountFee: components["schemas"]["Balance"];
            /** @description No deposits and no play any more; withdrawals go on. */
            closing: boolean;
        };
        /** @description A CloudEvent 1.0. `data` depends on the type; each type has a JSON schema (`dataschema`). */
        Event: {
            /** @enum {string} */
            specversion: "1.0";
            /** @description Unique within the ledger and always the same. */
            id: string;
            /** @description `urn:casino:` and the ledger's id. */
            source: string;
            type: string;
            /** @description What it is about: a round, a withdrawal, a wallet, … */
            subject: string;
            /** Format: date-time */
            time: string;
            /** @enum {string} */
            datacontenttype: "application/json";
            /** Format: uri */
            dataschema: string;
            /** @description A text that sorts as a player's events happened. */
            sequence: string;
            cursor?: components["schemas"]["EventCursor"];
            data: {
                [key: string]: unknown;
            };
        };
        /** @description An opaque position in the events. It is the same at every instance, never changes, and gives no access. A position in a month that was removed is `INVALID_STATE`, with the first readable position in `details.cursor`. If a restore lost blocks that were already delivered, the next event is `ledger.restored`. */
        EventCursor: string;
        RecentBet: {
            id: string;
            /** @description `casino` for the house's own games, else the maker's code. */
            provider: string;
            gameType: components["schemas"]["GameType"];
            /** @description A pseudonym: the same for all bets of one player within a month (UTC), another one in the next. It doesn't reveal the player. */
            player: string;
            token: components["schemas"]["Token"];
            wager: components["schemas"]["Amount"];
            payout: components["schemas"]["Balance"];
            multiplier: components["schemas"]["Multiplier"];
            createdAt: components["schemas"]["Time"];
        };
        /** @description A provider's round has no rules, config, outcome, seeds and nonce here: they are null. A bet on the shared crash (rules `crash/2`) has no seeds and nonce: they are null too, see `GET /crash/rounds/{number}`. `createdAt` is when the round ended; of a provider's round, its first transaction. A round that was played step by step was opened at `createdAt` of its OpenRound; its id, a UUID of version 7, begins with the opening's time. */
        Round: {
            id: string;
            /** @description `casino` for the house's own games, else the maker's code. */
            provider: string;
            gameType: components["schemas"]["GameType"];
            /** @description The version of the game's rules it was decided by. */
            rules: string | null;
            token: components["schemas"]["Token"];
            /**
             * Format: int64
             * @description 0 only for a provider's win without a bet.
             */
            wager: number | bigint;
            payout: components["schemas"]["Balance"];
            multiplier: components["schemas"]["Multiplier"];
            /** @description As it took effect, defaults filled in. */
            config: {
                [key: string]: unknown;
            } | null;
            outcome: components["schemas"]["Outcome"];
            /** @description Those taken in a round that was played step by step, in their order; absent of a round that was decided in one call. `wager` is then everything that was staked, which `multiplier` is of. */
            actions?: {
                [key: string]: unknown;
            }[];
            serverSeedHash: components["schemas"]["Hash"] | null;
            /** @description Null until the pair is rotated. */
            serverSeed: string | null;
            clientSeed: components["schemas"]["ClientSeed"] | null;
            clientSeedSource: components["schemas"]["ClientSeedSource"] | null;
            /** Format: int64 */
            nonce: number | bigint | null;
            createdAt: components["schemas"]["Time"];
        };
        /** @description Proof, signed by the service, that a block of its ledger has the content of the response. See docs/fairness/receipts.md. */
        Receipt: {
            /** @description The signed text: a line for the version, the id of the ledger, and the header of the block. The SHA-256 of the header is the hash of the block. */
            text: string;
            /** @description The name of the key that signed it, see GET /public/keys. */
            kid: string;
            /** @description Ed25519 over the bytes of text. */
            signature: string;
            /** @description The leaf's place in the block's Merkle tree (RFC 6962), from 0. */
            index: number | bigint;
            /** @description The leaf's audit path: its hashes of 32 bytes, the lowest first. */
            path: string;
            leaf: components["schemas"]["ReceiptLeaf"];
        };
        /** @description Proof that the log of all blocks' headers has the receipt's block. Absent until a checkpoint has it. See docs/fairness/log.md. */
        LogProof: {
            /** @description The newest checkpoint, a signed note. */
            checkpoint: string;
            /**
             * Format: int64
             * @description The header's place in the log.
             */
            index: number | bigint;
            /** @description The audit path of the header to the checkpoint's root, the lowest hash first. */
            path: string[];
            /** @description The first anchor that has the header. Absent until it is finalized. */
            anchor?: {
                /** @description The signature of the transaction. Its memo states the size and the root. */
                signature: string;
                /** @description The audit path of the header to the anchored root, the lowest hash first. */
                path: string[];
            };
        };
        /** @description Fields of the leaf that the rest of the response lacks. */
        ReceiptLeaf: {
            /**
             * @description `round` is a settled round; the others are events.
             * @enum {string}
             */
            kind: "round" | "round.open" | "withdrawal" | "deposit" | "pair";
            /** @description Of a round. */
            agentCode?: string;
            /** @description Of a round. */
            pairId?: string;
            /** @description Of a round, as numerator/denominator. */
            multiplier?: string;
            /**
             * Format: int64
             * @description Of a round: the player's balance after it.
             */
            balance?: number | bigint;
            /**
             * Format: int64
             * @description Of a round, in Unix microseconds.
             */
            time?: number | bigint;
            /** @description Of a pair. Other events have the id of the round, withdrawal or deposit. */
            id?: string;
            /** @description Of an event: the digest of the state before, empty for the first event. */
            was?: string;
            /** @description Of an event: the values of its fields that the response doesn't show, in the order of docs/fairness/receipts.md, empty for none. */
            fields?: string[];
        };
        /** @description A round that is played step by step and has not ended. */
        OpenRound: {
            /** @description Also that of the settled round. */
            id: string;
            /** @constant */
            status: "open";
            /** @constant */
            provider: "casino";
            gameType: components["schemas"]["GameType"];
            rules: string;
            token: components["schemas"]["Token"];
            wager: components["schemas"]["Amount"];
            /** @description Everything staked so far, the wager included. */
            stake: components["schemas"]["Amount"];
            /** @description The most that the round can pay, of the wager. */
            maxMultiplier: components["schemas"]["Multiplier"];
            /** @description As it took effect, defaults filled in, with the bound that follows from asked, wager and maxPayout. */
            config: {
                [key: string]: unknown;
            };
            /** @description The config that was asked for, defaults filled in. */
            asked: {
                [key: string]: unknown;
            };
            /** @description The token's greatest payout of a round when this one was opened. */
            maxPayout: components["schemas"]["Amount"];
            /** @description How many actions were taken. */
            step: number | bigint;
            actions: {
                [key: string]: unknown;
            }[];
            /** @description What the round has come to. */
            shown: {
                [key: string]: unknown;
            };
            choices: {
                action: {
                    type: string;
                } & {
                    [key: string]: unknown;
                };
                /** @description JSON Schema (draft 2020-12) of what the action has beside its own members. */
                fields?: {
                    [key: string]: unknown;
                };
                /** @description What it takes of the balance. */
                stake?: components["schemas"]["Amount"];
                /** @description That of not losing the round by it, exactly. */
                chance?: string;
                /** @description What the round could be ended with after it, of the wager. */
                prize?: number;
            }[];
            serverSeedHash: components["schemas"]["Hash"];
            clientSeed: components["schemas"]["ClientSeed"];
            clientSeedSource: components["schemas"]["ClientSeedSource"];
            /** Format: int64 */
            nonce: number | bigint;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        /** @description A multiplier of the curve, with two decimals. */
        CrashMultiplier: number;
        /** @description A chain of hashes that decides the rounds of the shared crash. */
        CrashChain: {
            id: string;
            /** @description The text that was published before the first round, see docs/fairness/shared-crash.md. */
            commitment: string;
            /**
             * Format: int64
             * @description The number of rounds.
             */
            length: number | bigint;
        };
        /** @description A round of the shared crash. What isn't known in its state is absent. */
        CrashRound: {
            /** @description The chain's id. */
            chain: string;
            /** Format: int64 */
            number: number | bigint;
            /**
             * @description `betting` takes bets until they are `stopped`. `closed` waits for the beacon. `flying`: the curve rises. `crashed`: the point is known, bets are being settled. `settled`: every bet has its result. `cancelled`: every stake is returned.
             * @enum {string}
             */
            status: "betting" | "closed" | "flying" | "crashed" | "settled" | "cancelled";
            /** @description Where every bet left is cashed out. */
            cap: components["schemas"]["CrashMultiplier"];
            /** @description The hash of the round before, which this round's hash leads to. */
            previousHash: components["schemas"]["Hash"];
            /**
             * Format: int64
             * @description The greatest height that a closing commit of the chain named or a beacon of it had before this round; 0 for the first. This round's height is above it.
             */
            aboveHeight: number | bigint;
            openedAt: components["schemas"]["Time"];
            /** @description When the betting is to end. Only in `GET /crash` and its stream, while the round takes bets. */
            closesAt?: components["schemas"]["Time"];
            /** @description True once no further bet is taken. */
            stopped?: boolean;
            /** @description The text of the closing commit. */
            closing?: string;
            /**
             * Format: int64
             * @description The height of the beacon that the closing commit states.
             */
            height?: number | bigint;
            salt?: string;
            /**
             * Format: int64
             * @description The height of the beacon that came.
             */
            beaconHeight?: number | bigint;
            /** @description When the curve began to rise. */
            startedAt?: components["schemas"]["Time"];
            /** @description The round's; known from the crash on. */
            hash?: components["schemas"]["Hash"];
            /** @description Where the curve crashed. */
            point?: components["schemas"]["CrashMultiplier"];
            /** @description True if the database was restored while the round was open: stakes of bets that don't win by the kept cash-outs are returned. */
            recovered?: boolean;
        };
        /** @description A bet on a round of the shared crash, as everybody sees it. */
        CrashBet: {
            id: string;
            /** @description A pseudonym, as in `RecentBet`. */
            player: string;
            token: components["schemas"]["Token"];
            wager: components["schemas"]["Amount"];
            /** @description The automatic cash-out, whether the player chose one or not. */
            cashOut: components["schemas"]["CrashMultiplier"];
            /** @description The cash-out by hand. */
            cashedOut?: components["schemas"]["CrashMultiplier"];
            /** @description What the bet is paid in wagers, 0 for a loss. Only in `GET /crash/rounds/{number}`, once the bet is settled. */
            multiplier?: number;
            /** @description Together with multiplier. */
            payout?: components["schemas"]["Balance"];
        };
        /** @description The state of the shared crash, or the parts of it that changed: see `GET /crash/stream`. */
        CrashNews: {
            /** @description The service's clock, which openedAt, closesAt and startedAt are of. */
            now: components["schemas"]["Time"];
            chain?: components["schemas"]["CrashChain"];
            /**
             * Format: int64
             * @description How long rounds take bets.
             */
            bettingMs?: number | bigint;
            round?: components["schemas"]["CrashRound"];
            bets?: components["schemas"]["CrashBet"][];
        };
        /** @description The caller's bet on a round of the shared crash. */
        OwnCrashBet: {
            /** @description Also that of the settled round in `GET /history/{id}`. */
            id: string;
            chain: string;
            /**
             * Format: int64
             * @description The round's number.
             */
            round: number | bigint;
            token: components["schemas"]["Token"];
            wager: components["schemas"]["Amount"];
            /** @description The automatic cash-out, whether one was chosen or not. */
            cashOut: components["schemas"]["CrashMultiplier"];
            /** @description The cash-out by hand. */
            cashedOut?: components["schemas"]["CrashMultiplier"];
            /** @description When the whole request for the cash-out had been read. Together with cashedOut. */
            receivedAt?: components["schemas"]["Time"];
            createdAt: components["schemas"]["Time"];
        };
        ProviderReview: {
            id: string;
            wallet: components["schemas"]["Wallet"];
            agentCode: components["schemas"]["AgentCode"];
            provider: string;
            gameCode: string;
            /** @description The provider's. */
            txnId: string;
            token: components["schemas"]["Token"];
            amount: components["schemas"]["Amount"];
            /**
             * @description Which cap of an hour it is above: the player's, that of wins without a bet, or that of all players of the provider together.
             * @enum {string}
             */
            reason: "NET_WIN_CAP" | "CREDIT_WITHOUT_DEBIT_CAP" | "CONNECTION_WIN_CAP" | "BALANCE_FULL";
            createdAt: components["schemas"]["Time"];
        };
        Webhook: {
            id: string;
            agentCode: components["schemas"]["AgentCode"];
            url: string;
            /** @description Those that it hears; none for all that an agent may hear. */
            types: string[];
            /** @enum {string} */
            state: "active" | "disabled";
            /**
             * @description Why it is disabled: by an `admin`; `failing`, because it took nothing for three days; `gone`, because it answered 410; `behind`, because what comes next is in a month that was taken away.
             * @enum {string|null}
             */
            reason: "admin" | "failing" | "gone" | "behind" | null;
            /** @description The place up to which it has everything; empty for the beginning. */
            cursor: string;
            /** @description What comes after it, where that was tried and not taken. */
            next: null | {
                eventId: string;
                tries: number | bigint;
                /** @description So many of them were refused (4xx, 3xx). */
                refused: number | bigint;
                since: components["schemas"]["Time"];
                nextAt: components["schemas"]["Time"];
                /** @description What was answered last. */
                status: number | bigint | null;
                /**
                 * @description Why nothing was; `address`: the host leads to one that isn't on the public internet.
                 * @enum {string|null}
                 */
                failure: "timeout" | "unreachable" | "address" | "garbled" | null;
            };
            /**
             * Format: int64
             * @description Since when it takes nothing; null while it answers.
             */
            failingSince: number | bigint | null;
            /**
             * Format: int64
             * @description Until when the secret before the present one signs beside it.
             */
            previousSecretUntil: number | bigint | null;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        WebhookSecret: {
            webhook: components["schemas"]["Webhook"];
            secret: string;
        };
        DeadLetter: {
            id: string;
            eventId: string;
            type: string;
            eventAt: components["schemas"]["Time"];
            /** @description What was sent; null where it was too long to be kept. */
            event: null | components["schemas"]["Event"];
            tries: number | bigint;
            /** @description What was answered last. */
            status: number | bigint | null;
            /**
             * @description Why nothing was; `address`: the host leads to one that isn't on the public internet.
             * @enum {string|null}
             */
            failure: "timeout" | "unreachable" | "address" | "garbled" | null;
            triedAt: components["schemas"]["Time"];
            /** @description It is to be sent again. */
            due: boolean;
        };
        ProviderRoute: {
            id: string;
            transactionId: string;
            /** @enum {string} */
            leg: "debit" | "credit";
            /** @enum {string} */
            status: "asking" | "paid" | "declined" | "unknown" | "reversing" | "reversed" | "delivering" | "delivered" | "rejected" | "closed";
            wallet: components["schemas"]["Wallet"];
            agentCode: components["schemas"]["AgentCode"];
            /** @description The site that it is sent to. */
            siteEndpoint: string;
            provider: string;
            gameCode: string;
            /** @description The transaction id that the site knows it by. */
            txnId: string;
            token: components["schemas"]["Token"];
            /** Format: int64 */
            amount: number | bigint;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        ProviderReply: {
            /** @enum {integer} */
            status: 0 | 1;
            /** @description In the provider's money. */
            user_balance: number;
            msg?: string;
        };
        Hub88Reply: {
            user?: string;
            status: string;
            request_uuid?: string;
            currency?: string;
            /** @description In 1/100,000 of a currency unit. */
            balance?: number | bigint;
        };
        SettledRound: {
            id: string;
            /** @description `casino` for the house's own games, else the maker's code. */
            provider: string;
            gameType: components["schemas"]["GameType"];
            /** @description The version of the game's rules it was decided by. */
            rules: string | null;
            token: components["schemas"]["Token"];
            /**
             * Format: int64
             * @description 0 only for a provider's win without a bet.
             */
            wager: number | bigint;
            payout: components["schemas"]["Balance"];
            multiplier: components["schemas"]["Multiplier"];
            /** @description As it took effect, defaults filled in. */
            config: {
                [key: string]: unknown;
            } | null;
            outcome: components["schemas"]["Outcome"];
            /** @description Those taken in a round that was played step by step, in their order; absent of a round that was decided in one call. `wager` is then everything that was staked, which `multiplier` is of. */
            actions?: {
                [key: string]: unknown;
            }[];
            serverSeedHash: components["schemas"]["Hash"] | null;
            /** @description Null until the pair is rotated. */
            serverSeed: string | null;
            clientSeed: components["schemas"]["ClientSeed"] | null;
            clientSeedSource: components["schemas"]["ClientSeedSource"] | null;
            /** Format: int64 */
            nonce: number | bigint | null;
            createdAt: components["schemas"]["Time"];
            /**
             * Format: int64
             * @description The player's in the round's token, before its wager; of a round that was played step by step, before its end, when its stakes had been taken. Null for a provider's round, between whose transactions others may lie.
             */
            balanceBefore: number | bigint | null;
            /** Format: int64 */
            balanceAfter: number | bigint | null;
        };
        AdminRound: {
            id: string;
            /** @description `casino` for the house's own games, else the maker's code. */
            provider: string;
            gameType: components["schemas"]["GameType"];
            /** @description The version of the game's rules it was decided by. */
            rules: string | null;
            token: components["schemas"]["Token"];
            /**
             * Format: int64
             * @description 0 only for a provider's win without a bet.
             */
            wager: number | bigint;
            payout: components["schemas"]["Balance"];
            multiplier: components["schemas"]["Multiplier"];
            /** @description As it took effect, defaults filled in. */
            config: {
                [key: string]: unknown;
            } | null;
            outcome: components["schemas"]["Outcome"];
            /** @description Those taken in a round that was played step by step, in their order; absent of a round that was decided in one call. `wager` is then everything that was staked, which `multiplier` is of. */
            actions?: {
                [key: string]: unknown;
            }[];
            serverSeedHash: components["schemas"]["Hash"] | null;
            /** @description Null until the pair is rotated. */
            serverSeed: string | null;
            clientSeed: components["schemas"]["ClientSeed"] | null;
            clientSeedSource: components["schemas"]["ClientSeedSource"] | null;
            /** Format: int64 */
            nonce: number | bigint | null;
            createdAt: components["schemas"]["Time"];
            wallet: components["schemas"]["Wallet"];
            /** @description The player's agent at the time. */
            agentCode: components["schemas"]["AgentCode"];
        };
        Seed: {
            serverSeedHash: components["schemas"]["Hash"];
            clientSeed: components["schemas"]["ClientSeed"];
            clientSeedSource: components["schemas"]["ClientSeedSource"];
            /**
             * Format: int64
             * @description The one the next round uses.
             */
            nonce: number | bigint;
            nextServerSeedHash: components["schemas"]["Hash"];
            /** @description Only in the answer of `GET /seed`, and only where there are any - earlier pairs that ended while rounds were open that are drawn from them. They take no further nonce, and each is revealed with the end of its last open round. */
            closing?: {
                serverSeedHash: components["schemas"]["Hash"];
                clientSeed: components["schemas"]["ClientSeed"];
                clientSeedSource: components["schemas"]["ClientSeedSource"];
                /** @description The open rounds' ids, oldest first. */
                rounds: string[];
            }[];
        };
        RevealedSeed: {
            id: string;
            serverSeed: components["schemas"]["ServerSeed"];
            serverSeedHash: components["schemas"]["Hash"];
            clientSeed: components["schemas"]["ClientSeed"];
            clientSeedSource: components["schemas"]["ClientSeedSource"];
            /** Format: int64 */
            rounds: number | bigint;
        };
        /** @enum {string} */
        TransactionType: "deposit" | "withdrawal" | "adjustment" | "assignment" | "adjustment_correction" | "assignment_correction";
        /** @enum {string} */
        TransactionStatus: "pending" | "review" | "credited" | "approved" | "sending" | "completed" | "failed" | "rejected" | "cancelled";
        Transaction: {
            id: string;
            type: components["schemas"]["TransactionType"];
            /** @enum {string} */
            direction: "credit" | "debit";
            status: components["schemas"]["TransactionStatus"];
            token: components["schemas"]["Token"];
            /** @description Null while a deposit's amount isn't known. */
            amount: number | bigint | null;
            destination: string | null;
            /** @description Of the transaction on chain. */
            signature: string | null;
            reason: string | null;
            /** @description The id of the transaction that this one reverses. */
            corrects: string | null;
            /** @description The id of the transaction that reverses this one. */
            correctedBy: string | null;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        AdminTransaction: {
            id: string;
            type: components["schemas"]["TransactionType"];
            /** @enum {string} */
            direction: "credit" | "debit";
            status: components["schemas"]["TransactionStatus"];
            token: components["schemas"]["Token"];
            /** @description Null while a deposit's amount isn't known. */
            amount: number | bigint | null;
            destination: string | null;
            /** @description Of the transaction on chain. */
            signature: string | null;
            reason: string | null;
            /** @description The id of the transaction that this one reverses. */
            corrects: string | null;
            /** @description The id of the transaction that reverses this one. */
            correctedBy: string | null;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
            wallet: components["schemas"]["Wallet"];
        };
        Withdrawal: {
            id: string;
            wallet: components["schemas"]["Wallet"];
            token: components["schemas"]["Token"];
            amount: components["schemas"]["Amount"];
            /**
             * Format: int64
             * @description Held beside the amount for a token account that may have to be opened; it is returned when none had to be opened.
             */
            fee: number | bigint;
            destination: components["schemas"]["Wallet"];
            /** @description The destination is the wallet that signed in. */
            destinationIsOwner: boolean;
            /** @enum {string} */
            status: "pending" | "approved" | "sending" | "completed" | "failed" | "rejected" | "cancelled";
            /** @description How many persons approved so far. */
            approvals: number | bigint;
            /** @description Of the newest payout transaction. */
            signature: string | null;
            /** @description Why it was rejected or failed. */
            reason: string | null;
            /** @description The last approver's. */
            note: string | null;
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        WithdrawalDetails: {
            withdrawal: components["schemas"]["Withdrawal"];
            /** @description Since it was requested or last failed, oldest first. */
            approvals: {
                by: components["schemas"]["Wallet"];
                at: components["schemas"]["Time"];
                note: string | null;
                /** @description The text that was signed; null when nothing was. */
                message: string | null;
                /**
                 * Format: int64
                 * @description Unix milliseconds, as signed.
                 */
                timestamp: number | bigint | null;
                /** @description Standard padded base64 of the 64 signature bytes. */
                signature: string | null;
            }[];
            treasury: components["schemas"]["Wallet"];
            /** @description An approval counts only with its admin's signature. */
            signatureRequired: boolean;
        };
        WithdrawalAndBalance: {
            withdrawal: components["schemas"]["Withdrawal"];
            balance: components["schemas"]["Balance"];
            receipt?: components["schemas"]["Receipt"];
        };
        DecidedWithdrawal: {
            withdrawal: components["schemas"]["Withdrawal"];
        };
        AdminIdentity: {
            wallet: components["schemas"]["Wallet"];
            role: components["schemas"]["RoleName"];
            level: number | bigint;
            permissions: components["schemas"]["Permission"][];
            /** @description The agent the role is bound to; null for all others. */
            agentCode: string | null;
        };
        /** @description A text that the service signed. */
        SignedStatement: {
            /** @description The text that was signed. */
            statement: string;
            /** @description The name of the key that signed it. */
            kid: string;
            /** @description Ed25519 over the bytes of statement. */
            signature: string;
        };
        AccountSolvency: {
            signed: components["schemas"]["SignedStatement"];
            wallet: components["schemas"]["Wallet"];
            /** @description What hides the wallet in the tree from everybody else, another one each hour. */
            salt: components["schemas"]["Hash"];
            proofs: components["schemas"]["SolvencyProof"][];
        };
        /** @description What is owed to the caller in a token, and the way of its leaf to the stated root. */
        SolvencyProof: {
            token: components["schemas"]["Token"];
            /** @description The leaf's place in the tree, from 0. */
            index: number | bigint;
            available: components["schemas"]["Balance"];
            held: components["schemas"]["Balance"];
            staked: components["schemas"]["Balance"];
            unclaimed: components["schemas"]["Balance"];
            /** @description The nodes beside the way to the root, the lowest first, in base64: of each 8 bytes of its sum, the highest first, and 32 of its hash. */
            path: string;
        };
        Overview: {
            /** @description Wallets that ever signed in, admins' included. */
            players: components["schemas"]["Count"];
            rounds: components["schemas"]["Count"];
            /** @description With the parameter `at` alone: when `liabilities` and `held` were as they are here. */
            at?: components["schemas"]["Time"];
            /** @description Since the beginning, sorted by token. */
            tokens: {
                token: components["schemas"]["Token"];
                wagered: components["schemas"]["Total"];
                paid: components["schemas"]["Total"];
                ggr: components["schemas"]["Total"];
                /** @description Everything owed to players, held withdrawals included. */
                liabilities: components["schemas"]["Total"];
                held: components["schemas"]["Total"];
                /** @description What the treasury held on chain at the newest check, at most five minutes old; null when no check succeeded in that time. */
                treasury: number | bigint | null;
                /** @description The treasury covers the liabilities. */
                solvent: boolean | null;
                /** @description By how much the chain held more than the ledger and parked transactions explain at the newest check, less when negative; null when that is unknown. */
                difference: number | bigint | null;
            }[];
            agents: components["schemas"]["Count"];
            /** @description All games on offer, the house's own included. */
            providerGames: components["schemas"]["Count"];
            /** @description Those that still hold money, by status. */
            withdrawals: {
                pending: components["schemas"]["Count"];
                approved: components["schemas"]["Count"];
                sending: components["schemas"]["Count"];
                failed: components["schemas"]["Count"];
            };
        };
        Player: {
            wallet: components["schemas"]["Wallet"];
            agentCode: components["schemas"]["AgentCode"];
            /** @enum {string} */
            status: "active" | "coolingOff" | "excluded" | "frozen";
            createdAt: components["schemas"]["Time"];
        };
        PlayerLimit: {
            /** @enum {string} */
            kind: "deposit" | "wager" | "loss";
            /** @enum {string} */
            period: "day" | "week" | "month";
            token: components["schemas"]["Token"];
            /** @description Base units; null for a limit that ends. */
            amount: number | bigint | null;
            /**
             * @description Who made it. Both may have one of the same kind, period and token, and the tighter one counts; an operator's is changed and lifted by the operator alone.
             * @enum {string}
             */
            by: "player" | "operator";
            effectiveAt: components["schemas"]["Time"];
            /** @description True for a change that waits until `effectiveAt`, and then for POST /account/limits/confirm. */
            pending?: boolean;
        };
        PlaySession: {
            startedAt: components["schemas"]["Time"];
            tokens: components["schemas"]["PlayedToken"][];
        };
        PlayedToken: {
            token: components["schemas"]["Token"];
            /**
             * Format: int64
             * @description Rounds that took a stake.
             */
            rounds: number | bigint;
            wagered: components["schemas"]["Total"];
            won: components["schemas"]["Total"];
            /** @description Won less wagered. */
            net: number | bigint;
            /** @description Credited deposits less withdrawals; one that was cancelled or rejected comes back. */
            netDeposits: number | bigint;
        };
        Limits: {
            limits: components["schemas"]["PlayerLimit"][];
        };
        LimitsRequest: {
            limits: {
                /** @enum {string} */
                kind: "deposit" | "wager" | "loss";
                /** @enum {string} */
                period: "day" | "week" | "month";
                token: components["schemas"]["Token"];
                /** Format: int64 */
                amount: number | bigint;
            }[];
        };
        AdminLimitsRequest: {
            limits: {
                /** @enum {string} */
                kind: "deposit" | "wager" | "loss";
                /** @enum {string} */
                period: "day" | "week" | "month";
                token: components["schemas"]["Token"];
                /** Format: int64 */
                amount: number | bigint;
            }[];
            reason: components["schemas"]["Reason"];
        };
        /** @description One of both. */
        ExclusionRequest: {
            until?: components["schemas"]["Time"];
            /** @constant */
            permanent?: true;
        };
        AdminExclusionRequest: {
            until?: components["schemas"]["Time"];
            /** @constant */
            permanent?: true;
            reason: components["schemas"]["Reason"];
        };
        Exclusion: {
            /** @enum {string} */
            status: "active" | "coolingOff" | "excluded" | "frozen";
            until: number | bigint | null;
            permanent: boolean;
            /** @description When the newest break that the player took ends, or ended. */
            coolOffUntil: number | bigint | null;
        };
        ExclusionResponse: {
            exclusion: components["schemas"]["Exclusion"];
        };
        /** @description At most two decimals, without an exponent. */
        Percent: number;
        Agent: {
            id: string;
            agentCode: components["schemas"]["AgentCode"];
            agentName: string;
            /** @enum {string} */
            status: "active" | "blocked";
            /** @description Handed to providers, never applied to own games. */
            rtp: components["schemas"]["Percent"];
            /** @description Revenue share. */
            percent: components["schemas"]["Percent"];
            siteEndpoint: string | null;
            ipAllowlist: string[];
            memo: string | null;
            /** @description Prepaid accounts, sorted by token; those without a balance, a reservation and a credit limit are left out. */
            funds: components["schemas"]["Funds"][];
            createdAt: components["schemas"]["Time"];
            updatedAt: components["schemas"]["Time"];
        };
        Funds: {
            token: components["schemas"]["Token"];
            /**
             * Format: int64
             * @description Below zero when the agent owes.
             */
            balance: number | bigint;
            /**
             * Format: int64
             * @description Bets that the agent's site is being asked for.
             */
            reserved: number | bigint;
            /**
             * Format: int64
             * @description How far below zero the balance, less what is reserved, may go.
             */
            creditLimit: number | bigint;
        };
        AgentCredentials: {
            agent: components["schemas"]["Agent"];
            /** @description Stored hashed. */
            token: string;
            /** @description Stored sealed. */
            secret: string;
        };
        Share: {
            date: components["schemas"]["Day"];
            agentCode: components["schemas"]["AgentCode"];
            token: components["schemas"]["Token"];
            rounds: components["schemas"]["Count"];
            wagered: components["schemas"]["Total"];
            paid: components["schemas"]["Total"];
            ggr: components["schemas"]["Total"];
            percent: components["schemas"]["Percent"];
            share: components["schemas"]["Total"];
        };
        ProviderGame: {
            gameCode: string;
            provider: string;
            name: string;
            type: string;
            banner: string | null;
            enabled: boolean;
            /** @description The provider does not offer it at the moment: it can't be launched. */
            vanished: boolean;
            updatedAt: components["schemas"]["Time"];
        };
        LaunchableGame: {
            /** @description For `POST /legacy/launch`. */
            gameCode: string;
            provider: string;
            name: string;
            /** @description The provider's own category, such as slot. */
            type: string;
            /** @description The address of a picture. */
            banner: string | null;
            token: components["schemas"]["Token"];
        };
        PlayerDetails: {
            wallet: components["schemas"]["Wallet"];
            agentCode: components["schemas"]["AgentCode"];
            /** @enum {string} */
            status: "active" | "coolingOff" | "excluded" | "frozen";
            createdAt: components["schemas"]["Time"];
            exclusion: components["schemas"]["Exclusion"];
            limits: components["schemas"]["PlayerLimit"][];
            balances: components["schemas"]["TokenBalance"][];
            /** @description What the player owes: payouts that were found on chain after the database had been restored, and that the balance didn't cover. The next withdrawal of the token pays it first, and until then none is paid. */
            owed: components["schemas"]["TokenBalance"][];
            openWithdrawals: components["schemas"]["Withdrawal"][];
        };
        AuditRecord: {
            id: string;
            /** @description `<noun>.<verb>`, for example `balance.adjusted`. */
            action: string;
            /** @description Null if the service or its operator did it. */
            by: string | null;
            target: string;
            before: string | null;
            after: string | null;
            createdAt: components["schemas"]["Time"];
            requestId: string | null;
        };
        /** @enum {string} */
        AlarmKind: "payout_failed" | "payout_stuck" | "payout_unsignable" | "payout_forged" | "payout_capped" | "payout_proved" | "payout_unproved" | "payout_screened" | "screener_fails" | "treasury_unindexed" | "treasury_foreign" | "treasury_differs" | "treasury_insolvent" | "treasury_low_fees" | "deposit_unreadable" | "deposits_unwatched" | "deposit_review" | "assignment_interrupted" | "return_out_of_bounds" | "round_voided" | "open_round_forged" | "open_rounds_full" | "roles_forged" | "solvency_unproved" | "provider_conflict" | "provider_review" | "provider_capped" | "provider_differs" | "provider_rollback" | "provider_catalogue" | "site_refuses" | "site_unsettled" | "webhook_disabled" | "public_log" | "crash_beacon_late" | "crash_stuck" | "clocks_apart";
        Alarm: {
            id: string;
            /** @description One of `AlarmKind`, to which later versions add. */
            kind: string;
            /** @description What it says in the log. */
            message: string;
            /**
             * @description How it ends: when a `condition` is over, or when an admin acknowledges a `happening`.
             * @enum {string}
             */
            ending: "condition" | "happening";
            /** @description Its subject: a withdrawal's id, a token, a signature. */
            about: string;
            /** @description The agent that it concerns. */
            agentCode: string | null;
            /** @description What was known when it was raised. */
            facts: {
                name: string;
                value: string;
            }[];
            raisedAt: components["schemas"]["Time"];
            /** @description Unix milliseconds. */
            acknowledgedAt: number | bigint | null;
            acknowledgedBy: string | null;
            note: string | null;
            /** @description Unix milliseconds; null while it is open. */
            clearedAt: number | bigint | null;
            /** @description Null when the service found that it is over. */
            clearedBy: string | null;
            lastSeenAt: components["schemas"]["Time"];
            /** @description How often it was noted that its cause was seen, at most once a minute by each instance. */
            seen: number | bigint;
            /**
             * Format: uri
             * @description What to do.
             */
            runbook: string;
        };
        Approval: {
            id: string;
            /** @enum {string} */
            kind: "adjustment" | "deposit" | "payouts.resume" | "operator.funds" | "provider.win" | "unclaimed" | "correction" | "correction.capital" | "admission";
            request: {
                /** @description The player it is about. */
                wallet: string | null;
                /** @description The player's agent, or the agent with the funds concerned. */
                agentCode: string | null;
                token: string | null;
                /** @description Base units. */
                amount: number | bigint | null;
                /** @description Of a transaction on chain. */
                signature: string | null;
                /** @description The provider's win in review. */
                reviewId: string | null;
                /** @description The wallet that sent the unclaimed money. */
                sender: string | null;
                /** @description The id of the transaction, or the reference of the capital, that is corrected. The amount is that of the correction. */
                corrects: string | null;
                reason: string | null;
                /** @description Only of kind `admission`: the target of the refusal in the audit log. */
                admission?: string;
            };
            by: components["schemas"]["Wallet"];
            /** @enum {string} */
            status: "open" | "approved" | "refused";
            createdAt: components["schemas"]["Time"];
            expiresAt: components["schemas"]["Time"];
            decidedBy: string | null;
            /** @description Unix milliseconds. */
            decidedAt: number | bigint | null;
        };
        ApprovalResponse: {
            approval: components["schemas"]["Approval"];
        };
        Role: {
            wallet: components["schemas"]["Wallet"];
            /** @description One that isn't configured any more keeps its name. */
            role: string;
            /** @description 1 is the top; 0 for a role that isn't configured any more. */
            level: number | bigint;
            permissions: components["schemas"]["Permission"][];
            agentCode: string | null;
            /** @description Null if the operator granted it. */
            grantedBy: string | null;
            grantedAt: components["schemas"]["Time"];
            /** @description Granted before the first withdrawal was requested: the role counts as old and has no grantor. */
            founding: boolean;
        };
        List: {
            /** @description Null for pages by cursor. */
            page: number | bigint | null;
            limit: number;
            /** @description Exact up to 1,000. */
            total: number;
            /**
             * @description Present when there are more than 1,000.
             * @constant
             */
            totalCapped?: true;
            /** @description Null at the end. */
            nextCursor: string | null;
        };
    };
    responses: {
        /** @description `ok`; `degraded` if a dependency is down, the treasury differs from the ledger, the database is an older copy, clocks are too far apart, or a worker was never started; `down` (503) if the database is down. */
        Health: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "ok",
                 *       "version": "0.1.0",
                 *       "checks": {
                 *         "database": {
                 *           "status": "ok",
                 *           "latencyMs": 1
                 *         },
                 *         "rateLimiter": {
                 *           "status": "ok",
                 *           "latencyMs": 0
                 *         },
                 *         "chain": {
                 *           "status": "ok",
                 *           "latencyMs": 3
                 *         },
                 *         "provider": {
                 *           "status": "disabled",
                 *           "latencyMs": 0
                 *         },
                 *         "clocks": {
                 *           "status": "ok",
                 *           "latencyMs": 2
                 *         },
                 *         "ledger": {
                 *           "status": "ok",
                 *           "latencyMs": 0
                 *         },
                 *         "workers": {
                 *           "status": "ok",
                 *           "latencyMs": 0
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["Health"];
            };
        };
        /** @description `INVALID_PARAMETER`; `details.field` names it. */
        Invalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid parameter",
                 *       "code": "INVALID_PARAMETER",
                 *       "message": "limit: is not a parameter of this endpoint",
                 *       "details": {
                 *         "field": "limit"
                 *       },
                 *       "requestId": "019cebab-8995-7e42-94ca-e8b5f9b6e345"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `INVALID_GAME` · `INVALID_AGENT`; `details.field` names it. */
        InvalidPause: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid game",
                 *       "code": "INVALID_GAME",
                 *       "message": "no such game",
                 *       "details": {
                 *         "field": "gameType"
                 *       },
                 *       "requestId": "019cebab-8995-7e42-94ca-e892e49f7402"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "INVALID_GAME" | "INVALID_AGENT";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `INVALID_USER` · `INVALID_PROVIDER` · `INVALID_GAME` · `GAME_DISABLED` · `TOKEN_NOT_ACCEPTED` · `LIMIT_EXCEEDED` · `INSUFFICIENT_AGENT_FUNDS` · `AGENT_SEAMLESS` */
        InvalidLaunch: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid game",
                 *       "code": "INVALID_GAME",
                 *       "message": "no such game",
                 *       "details": {
                 *         "field": "gameType"
                 *       },
                 *       "requestId": "019cebab-8995-7e42-94ca-e892e49f7402"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "INVALID_USER" | "INVALID_PROVIDER" | "INVALID_GAME" | "GAME_DISABLED" | "TOKEN_NOT_ACCEPTED" | "LIMIT_EXCEEDED" | "INSUFFICIENT_AGENT_FUNDS" | "AGENT_SEAMLESS";
                };
            };
        };
        /** @description `BLOCKED_AGENT` · `PLAYER_EXCLUDED` · `PLAYER_FROZEN` · `FORBIDDEN`. `FORBIDDEN`: screeners refuse it (`details.reason`: `review` or `deny`), until two admins overrule them. */
        MayNotPlay: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Agent blocked",
                 *       "code": "BLOCKED_AGENT",
                 *       "message": "agentCode: the agent is blocked",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7667-be54-4c29b73ceb50"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "BLOCKED_AGENT" | "PLAYER_EXCLUDED" | "PLAYER_FROZEN" | "FORBIDDEN";
                };
            };
        };
        /** @description `UNAVAILABLE`, or `API_CHECKING` while the provider is in maintenance. */
        UnavailableOrChecking: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Maintenance",
                 *       "code": "API_CHECKING",
                 *       "message": "play is paused",
                 *       "details": {
                 *         "reason": "paused"
                 *       },
                 *       "requestId": "01a20aea-8a4b-7a51-b518-c6860bf28205"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNAVAILABLE" | "API_CHECKING";
                };
            };
        };
        /** @description `FORBIDDEN`: screeners refuse the destination (`details.reason`: `deny`), until two admins overrule them. */
        NotAdmitted: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Forbidden",
                 *       "code": "FORBIDDEN",
                 *       "message": "this is not admitted",
                 *       "details": {
                 *         "reason": "deny",
                 *         "status": "screened"
                 *       },
                 *       "requestId": "019cf0d1-e97d-7c3a-b1f1-e22359b62023"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "FORBIDDEN";
                };
            };
        };
        /** @description `FORBIDDEN`: players can't cancel withdrawals that can still be paid here. */
        CancelForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Forbidden",
                 *       "code": "FORBIDDEN",
                 *       "message": "the second approval must come from another person",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e97d-7c3a-b1f1-e22359b62023"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "FORBIDDEN";
                };
            };
        };
        /** @description `FORBIDDEN`: not one of the provider's networks. */
        ForbiddenAddress: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Forbidden",
                 *       "code": "FORBIDDEN",
                 *       "message": "the second approval must come from another person",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e97d-7c3a-b1f1-e22359b62023"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "FORBIDDEN";
                };
            };
        };
        /** @description Requested; it waits for a second person. */
        Asked: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "approval": {
                 *         "id": "019cf0d1-f91d-70a4-b123-f822ab1947e1",
                 *         "kind": "deposit",
                 *         "request": {
                 *           "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                 *           "agentCode": "house",
                 *           "token": "So11111111111111111111111111111111111111112",
                 *           "amount": null,
                 *           "signature": "4YkrXeVjchQWHNZ6XMGH3omPR3x7DTrUWDkULk9QHNrJJB7e4ypo1RYaKhAePEcyk1iqYbpPvThAsewN91jEbju8",
                 *           "reviewId": null,
                 *           "sender": null,
                 *           "corrects": null,
                 *           "reason": "she called"
                 *         },
                 *         "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                 *         "status": "open",
                 *         "createdAt": 1795262405000,
                 *         "expiresAt": 1795348805000,
                 *         "decidedBy": null,
                 *         "decidedAt": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApprovalResponse"];
            };
        };
        /** @description `INVALID_PARAMETER` · `TOKEN_NOT_ACCEPTED` */
        InvalidToken: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Token not accepted",
                 *       "code": "TOKEN_NOT_ACCEPTED",
                 *       "message": "token CnQ1qH55AWP1xSWrwBbiTSFnVqDjYyfUwS1CKcQVfegC is not known here",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8a19db9cc0"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "TOKEN_NOT_ACCEPTED";
                };
            };
        };
        /** @description `DUPLICATED_AGENT` */
        AgentTaken: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Agent code taken",
                 *       "code": "DUPLICATED_AGENT",
                 *       "message": "agentCode: \"acme\" is taken",
                 *       "details": {
                 *         "field": "agentCode"
                 *       },
                 *       "requestId": "019cf0d1-e595-7667-be54-4c1b4536c241"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "DUPLICATED_AGENT";
                };
            };
        };
        /** @description `ADMIN_FORBIDDEN` (`details.permission`) · `BLOCKED_AGENT` */
        RebindForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Permission missing",
                 *       "code": "ADMIN_FORBIDDEN",
                 *       "message": "this needs the permission balances:write",
                 *       "details": {
                 *         "permission": "balances:write"
                 *       },
                 *       "requestId": "019cf0d1-e595-7c14-a69f-a48a2fd0013d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "ADMIN_FORBIDDEN" | "BLOCKED_AGENT";
                };
            };
        };
        /** @description `BLOCKED_AGENT`: a new player of a blocked agent. `FORBIDDEN`: screeners refuse it (`details.reason`: `review` or `deny`), until two admins overrule them. */
        BlockedAgent: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Agent blocked",
                 *       "code": "BLOCKED_AGENT",
                 *       "message": "agentCode: the agent is blocked",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7667-be54-4c29b73ceb50"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "BLOCKED_AGENT" | "FORBIDDEN";
                };
            };
        };
        /** @description `PLAYER_FROZEN` · `PLAYER_EXCLUDED` · `BLOCKED_AGENT` · `FORBIDDEN`. `FORBIDDEN`: screeners refuse it (`details.reason`: `review` or `deny`), until two admins overrule them. */
        PlayForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Player frozen",
                 *       "code": "PLAYER_FROZEN",
                 *       "message": "the account is frozen",
                 *       "details": {},
                 *       "requestId": "019cf62f-3015-7309-8b41-ab5d056715d6"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "PLAYER_FROZEN" | "PLAYER_EXCLUDED" | "BLOCKED_AGENT" | "FORBIDDEN";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `TOKEN_NOT_ACCEPTED` · `AMOUNT_OUT_OF_RANGE` · `DEPOSIT_REJECTED` */
        InvalidApproval: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Token not accepted",
                 *       "code": "TOKEN_NOT_ACCEPTED",
                 *       "message": "token CnQ1qH55AWP1xSWrwBbiTSFnVqDjYyfUwS1CKcQVfegC is not known here",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8a19db9cc0"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "TOKEN_NOT_ACCEPTED" | "AMOUNT_OUT_OF_RANGE" | "DEPOSIT_REJECTED";
                };
            };
        };
        /** @description `IDEMPOTENCY_CONFLICT` · `INVALID_STATE` (`details.status`) · `DEPOSIT_TAKEN` */
        ApprovalConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Idempotency key already used",
                 *       "code": "IDEMPOTENCY_CONFLICT",
                 *       "message": "the idempotency key was used for another request",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8146c1f9b9"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "IDEMPOTENCY_CONFLICT" | "INVALID_STATE" | "DEPOSIT_TAKEN";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `INVALID_AGENT` */
        InvalidRole: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid agent",
                 *       "code": "INVALID_AGENT",
                 *       "message": "the house has no prepaid account",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8876201af4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "INVALID_AGENT";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `INVALID_AGENT` */
        InvalidLogin: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid agent",
                 *       "code": "INVALID_AGENT",
                 *       "message": "the house has no prepaid account",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8876201af4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "INVALID_AGENT";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `INVALID_GAME` */
        InvalidGame: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid game",
                 *       "code": "INVALID_GAME",
                 *       "message": "no such game",
                 *       "details": {
                 *         "field": "gameType"
                 *       },
                 *       "requestId": "019cebab-8995-7e42-94ca-e892e49f7402"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "INVALID_GAME";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `INVALID_GAME` · `GAME_DISABLED` · `TOKEN_NOT_ACCEPTED` · `LIMIT_EXCEEDED` (`details.limit`) · `WAGER_OUT_OF_RANGE` · `INSUFFICIENT_USER_FUNDS` */
        InvalidPlay: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid game",
                 *       "code": "INVALID_GAME",
                 *       "message": "no such game",
                 *       "details": {
                 *         "field": "gameType"
                 *       },
                 *       "requestId": "019cebab-8995-7e42-94ca-e892e49f7402"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "INVALID_GAME" | "GAME_DISABLED" | "TOKEN_NOT_ACCEPTED" | "LIMIT_EXCEEDED" | "WAGER_OUT_OF_RANGE" | "INSUFFICIENT_USER_FUNDS";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `TOKEN_NOT_ACCEPTED` · `DEPOSIT_REJECTED` (`details.reason`) */
        InvalidDeposit: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Token not accepted",
                 *       "code": "TOKEN_NOT_ACCEPTED",
                 *       "message": "token CnQ1qH55AWP1xSWrwBbiTSFnVqDjYyfUwS1CKcQVfegC is not known here",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8a19db9cc0"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "TOKEN_NOT_ACCEPTED" | "DEPOSIT_REJECTED";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `TOKEN_NOT_ACCEPTED` · `AMOUNT_OUT_OF_RANGE` (below the token's smallest deposit) · `DEPOSIT_REJECTED` (the caller is the treasury) */
        InvalidDepositTransaction: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Token not accepted",
                 *       "code": "TOKEN_NOT_ACCEPTED",
                 *       "message": "token CnQ1qH55AWP1xSWrwBbiTSFnVqDjYyfUwS1CKcQVfegC is not known here",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8a19db9cc0"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "TOKEN_NOT_ACCEPTED" | "AMOUNT_OUT_OF_RANGE" | "DEPOSIT_REJECTED";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `TOKEN_NOT_ACCEPTED` · `INVALID_DESTINATION` · `AMOUNT_OUT_OF_RANGE` · `INSUFFICIENT_USER_FUNDS` */
        InvalidWithdrawal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Token not accepted",
                 *       "code": "TOKEN_NOT_ACCEPTED",
                 *       "message": "token CnQ1qH55AWP1xSWrwBbiTSFnVqDjYyfUwS1CKcQVfegC is not known here",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8a19db9cc0"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "TOKEN_NOT_ACCEPTED" | "INVALID_DESTINATION" | "AMOUNT_OUT_OF_RANGE" | "INSUFFICIENT_USER_FUNDS";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `AMOUNT_OUT_OF_RANGE` (the balance would exceed the largest possible amount with the refund) */
        InvalidRefund: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Amount out of range",
                 *       "code": "AMOUNT_OUT_OF_RANGE",
                 *       "message": "amount: the smallest deposit of this token is 1000 base units",
                 *       "details": {
                 *         "field": "amount"
                 *       },
                 *       "requestId": "019cebab-8995-7e42-94ca-e88df9047693"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "AMOUNT_OUT_OF_RANGE";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `TOKEN_NOT_ACCEPTED` · `AMOUNT_OUT_OF_RANGE` · `INSUFFICIENT_USER_FUNDS` */
        InvalidAdjustment: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Token not accepted",
                 *       "code": "TOKEN_NOT_ACCEPTED",
                 *       "message": "token CnQ1qH55AWP1xSWrwBbiTSFnVqDjYyfUwS1CKcQVfegC is not known here",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8a19db9cc0"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "TOKEN_NOT_ACCEPTED" | "AMOUNT_OUT_OF_RANGE" | "INSUFFICIENT_USER_FUNDS";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `TOKEN_NOT_ACCEPTED` · `AMOUNT_OUT_OF_RANGE` (the balance would exceed the largest possible amount with the refund) */
        InvalidDecision: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Token not accepted",
                 *       "code": "TOKEN_NOT_ACCEPTED",
                 *       "message": "token CnQ1qH55AWP1xSWrwBbiTSFnVqDjYyfUwS1CKcQVfegC is not known here",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8a19db9cc0"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "TOKEN_NOT_ACCEPTED" | "AMOUNT_OUT_OF_RANGE";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `TOKEN_NOT_ACCEPTED` · `DEPOSIT_REJECTED` (`details.reason`: nothing of it arrived) · `AMOUNT_OUT_OF_RANGE` (the balance can't hold it) */
        InvalidResolution: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Token not accepted",
                 *       "code": "TOKEN_NOT_ACCEPTED",
                 *       "message": "token CnQ1qH55AWP1xSWrwBbiTSFnVqDjYyfUwS1CKcQVfegC is not known here",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8a19db9cc0"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "TOKEN_NOT_ACCEPTED" | "DEPOSIT_REJECTED" | "AMOUNT_OUT_OF_RANGE";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `INVALID_AGENT` (the house) · `TOKEN_NOT_ACCEPTED` · `AMOUNT_OUT_OF_RANGE` · `INSUFFICIENT_AGENT_FUNDS` */
        InvalidFunding: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid agent",
                 *       "code": "INVALID_AGENT",
                 *       "message": "the house has no prepaid account",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8876201af4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "INVALID_AGENT" | "TOKEN_NOT_ACCEPTED" | "AMOUNT_OUT_OF_RANGE" | "INSUFFICIENT_AGENT_FUNDS";
                };
            };
        };
        /** @description `INVALID_PARAMETER` · `INVALID_AGENT` (the agent has no site) */
        InvalidRouteDecision: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid agent",
                 *       "code": "INVALID_AGENT",
                 *       "message": "the house has no prepaid account",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8876201af4"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PARAMETER" | "INVALID_AGENT";
                };
            };
        };
        /** @description `MISSING_AUTH` · `INVALID_TOKEN` · `EXPIRED_TOKEN` */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Authentication required",
                 *       "code": "MISSING_AUTH",
                 *       "message": "sign in first: this endpoint needs the header Authorization: Bearer <token>, with the token of POST /auth/login",
                 *       "details": {},
                 *       "requestId": "019cf0d1-f91d-70a4-b123-f847d2b3712e"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "MISSING_AUTH" | "INVALID_TOKEN" | "EXPIRED_TOKEN";
                };
            };
        };
        /** @description `STALE_TIMESTAMP` (`details.serverTime`) · `INVALID_SIGNATURE` · `REPLAYED_LOGIN` */
        LoginRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Invalid signature",
                 *       "code": "INVALID_SIGNATURE",
                 *       "message": "the signature of the login message does not match the wallet",
                 *       "details": {},
                 *       "requestId": "01a20aea-8a4b-7a51-b518-c6860bf28205"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "STALE_TIMESTAMP" | "INVALID_SIGNATURE" | "REPLAYED_LOGIN";
                };
            };
        };
        /** @description `MISSING_AUTH` · `INVALID_TOKEN` · `EXPIRED_TOKEN` · `STALE_TIMESTAMP` (`details.serverTime`) · `INVALID_SIGNATURE`; the last two are of the approval's signature, the session goes on */
        ApprovalUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Authentication required",
                 *       "code": "MISSING_AUTH",
                 *       "message": "sign in first: this endpoint needs the header Authorization: Bearer <token>, with the token of POST /auth/login",
                 *       "details": {},
                 *       "requestId": "019cf0d1-f91d-70a4-b123-f847d2b3712e"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "MISSING_AUTH" | "INVALID_TOKEN" | "EXPIRED_TOKEN" | "STALE_TIMESTAMP" | "INVALID_SIGNATURE";
                };
            };
        };
        /** @description `ADMIN_FORBIDDEN` (`details.permission`) */
        AdminForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Permission missing",
                 *       "code": "ADMIN_FORBIDDEN",
                 *       "message": "this needs the permission balances:write",
                 *       "details": {
                 *         "permission": "balances:write"
                 *       },
                 *       "requestId": "019cf0d1-e595-7c14-a69f-a48a2fd0013d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "ADMIN_FORBIDDEN";
                };
            };
        };
        /** @description `ADMIN_FORBIDDEN` (`details.permission`) · `FORBIDDEN` · `PLAYER_FROZEN` (approving a frozen player's withdrawal) */
        DecisionForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Permission missing",
                 *       "code": "ADMIN_FORBIDDEN",
                 *       "message": "this needs the permission balances:write",
                 *       "details": {
                 *         "permission": "balances:write"
                 *       },
                 *       "requestId": "019cf0d1-e595-7c14-a69f-a48a2fd0013d"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "ADMIN_FORBIDDEN" | "FORBIDDEN" | "PLAYER_FROZEN";
                };
            };
        };
        /** @description `NOT_FOUND`; also for things that belong to another player. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Not found",
                 *       "code": "NOT_FOUND",
                 *       "message": "this path does not exist",
                 *       "details": {},
                 *       "requestId": "019cf0d1-f91d-70a4-b123-f846e45e0409"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "NOT_FOUND";
                };
            };
        };
        /** @description `INVALID_STATE` (`details.status`) */
        InvalidState: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Not possible in this state",
                 *       "code": "INVALID_STATE",
                 *       "message": "the seed pair has open rounds: end them first",
                 *       "details": {
                 *         "rounds": [
                 *           "019cf0d1-f14d-7b8a-8a82-7fdb45101edf"
                 *         ],
                 *         "status": "open"
                 *       },
                 *       "requestId": "019cf0d1-f14d-7b8a-8a82-7fe2b6d16762"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_STATE";
                };
            };
        };
        /** @description `TOO_MANY_OPEN`: the agent has 10 · `INVALID_STATE`: `from` is in a month that was taken away (`details.cursor`) */
        WebhookConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Too many open requests",
                 *       "code": "TOO_MANY_OPEN",
                 *       "message": "an agent has at most 10 webhooks",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7c90-93d9-a67bf6178b84"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "TOO_MANY_OPEN" | "INVALID_STATE";
                };
            };
        };
        /** @description `IDEMPOTENCY_CONFLICT`: the key was used for another request. */
        IdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Idempotency key already used",
                 *       "code": "IDEMPOTENCY_CONFLICT",
                 *       "message": "the idempotency key was used for another request",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8146c1f9b9"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "IDEMPOTENCY_CONFLICT";
                };
            };
        };
        /** @description `IDEMPOTENCY_CONFLICT` · `INVALID_STATE` (`details.status`) · `TOO_MANY_OPEN`: 4 rounds are open */
        RoundConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Idempotency key already used",
                 *       "code": "IDEMPOTENCY_CONFLICT",
                 *       "message": "the idempotency key was used for another request",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8146c1f9b9"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "IDEMPOTENCY_CONFLICT" | "INVALID_STATE" | "TOO_MANY_OPEN";
                };
            };
        };
        /** @description `IDEMPOTENCY_CONFLICT` · `INVALID_STATE` (`details.status`) */
        StateOrIdempotencyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Idempotency key already used",
                 *       "code": "IDEMPOTENCY_CONFLICT",
                 *       "message": "the idempotency key was used for another request",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8146c1f9b9"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "IDEMPOTENCY_CONFLICT" | "INVALID_STATE";
                };
            };
        };
        /** @description `IDEMPOTENCY_CONFLICT` · `TOO_MANY_OPEN` */
        WithdrawalConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Idempotency key already used",
                 *       "code": "IDEMPOTENCY_CONFLICT",
                 *       "message": "the idempotency key was used for another request",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e595-7482-b370-3b8146c1f9b9"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "IDEMPOTENCY_CONFLICT" | "TOO_MANY_OPEN";
                };
            };
        };
        /** @description `DEPOSIT_TAKEN` · `TOO_MANY_OPEN` · `INVALID_STATE` (credited by another request at this moment, or the watch of the token has not begun) */
        DepositConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Deposit already credited",
                 *       "code": "DEPOSIT_TAKEN",
                 *       "message": "this transaction was credited to another player",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e97d-7c3a-b1f1-e22a997781a6"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "DEPOSIT_TAKEN" | "TOO_MANY_OPEN" | "INVALID_STATE";
                };
            };
        };
        /** @description `DEPOSIT_TAKEN`: credited to another player · `INVALID_STATE` (`details.status`): not in review */
        ResolutionConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Deposit already credited",
                 *       "code": "DEPOSIT_TAKEN",
                 *       "message": "this transaction was credited to another player",
                 *       "details": {},
                 *       "requestId": "019cf0d1-e97d-7c3a-b1f1-e22a997781a6"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "DEPOSIT_TAKEN" | "INVALID_STATE";
                };
            };
        };
        /** @description `BODY_TOO_SLOW`: the body came too slowly; the connection is closed. */
        BodyTooSlow: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Body too slow",
                 *       "code": "BODY_TOO_SLOW",
                 *       "message": "the request body was sent too slowly: send it again at once",
                 *       "details": {},
                 *       "requestId": "019cebab-8995-7e42-94ca-e8b4749046c1"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "BODY_TOO_SLOW";
                };
            };
        };
        /** @description `BODY_TOO_LARGE`: above 64 KiB. */
        BodyTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Body too large",
                 *       "code": "BODY_TOO_LARGE",
                 *       "message": "the request body must not be larger than 65536 bytes",
                 *       "details": {},
                 *       "requestId": "019cebab-8995-7e42-94ca-e8b4749046c0"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "BODY_TOO_LARGE";
                };
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE`: the body isn't declared as plain UTF-8 `application/json`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Unsupported media type",
                 *       "code": "UNSUPPORTED_MEDIA_TYPE",
                 *       "message": "the request body needs one Content-Type header: application/json",
                 *       "details": {},
                 *       "requestId": "019cebab-8995-7e42-94ca-e88b89800ebf"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNSUPPORTED_MEDIA_TYPE";
                };
            };
        };
        /**
         * @description `RATE_LIMITED`, for one of these reasons:
         *
         *     - too many requests from this address;
         *     - too many requests of this wallet that cost a player nothing: new deposit claims, deposit transactions,
         *       withdrawals, rotations, limits;
         *     - too many requests of this wallet at once: 32 of any kind, 16 that write; sign-ins and sign-outs count apart;
         *     - a round that is too early (`details.reason` `pace`).
         *
         *     If a window of this endpoint refused the request, the answer names that window.
         */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Too many requests",
                 *       "code": "RATE_LIMITED",
                 *       "message": "too many requests about deposits: at most 60 of one wallet in 60 seconds",
                 *       "details": {
                 *         "retryAfterMs": 60000
                 *       },
                 *       "requestId": "019cebab-8995-7e42-94ca-e8ab701270ff"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "RATE_LIMITED";
                };
            };
        };
        /** @description `INTERNAL_ERROR` */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Internal error",
                 *       "code": "INTERNAL_ERROR",
                 *       "message": "something went wrong on our side; please quote the request id to support",
                 *       "details": {},
                 *       "requestId": "01a20aea-8a4b-7a51-b518-c6860bf28205"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INTERNAL_ERROR";
                };
            };
        };
        /** @description `EXTERNAL_ERROR`: the chain or the game provider can't be reached or gave an unusable response; nothing was changed. */
        External: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "External error",
                 *       "code": "EXTERNAL_ERROR",
                 *       "message": "the simulated chain refused the transaction",
                 *       "details": {},
                 *       "requestId": "019cebab-8995-7e42-94ca-e8883df70561"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "EXTERNAL_ERROR";
                };
            };
        };
        /**
         * @description - `UNAVAILABLE`: a dependency is down or the queue is full. For a write `details.outcome` says whether it may have
         *       happened: `none` or `unknown`.
         *     - `API_CHECKING`: `details.reason` is `paused` while play is paused, or `restored` while the database is an older
         *       copy, when only reads and requests that stop something work.
         */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": "Temporarily unavailable",
                 *       "code": "UNAVAILABLE",
                 *       "message": "the name silent.example.com can't be looked up now",
                 *       "details": {
                 *         "outcome": "none"
                 *       },
                 *       "requestId": "019cebab-8995-7e42-94ca-e8904f8db256"
                 *     }
                 */
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNAVAILABLE" | "API_CHECKING";
                };
            };
        };
    };
    parameters: {
        /** @description A key of the client's own for this write, kept for 30 days. */
        IdempotencyKey: string;
        /** @description `receipt` adds a receipt to the response (RFC 7240), where the service has a key for receipts. Other preferences are ignored. */
        Prefer: string;
        Id: string;
        LogEpoch: string;
        WebhookId: string;
        WalletPath: string;
        /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
        Page: number | bigint;
        Limit: number;
        /** @description The nextCursor of an earlier page; works for lists of any length. */
        Cursor: string;
        /** @description The chain's id. */
        CrashChain: string;
        /** @description Days up to today, UTC. */
        Days: number;
        TokenFilter: components["schemas"]["Token"];
        /** @description Inclusive. */
        From: components["schemas"]["Time"];
        /** @description Exclusive. */
        To: components["schemas"]["Time"];
        /** @description A moment, not in the future: what was booked within its millisecond is in. Left out, the present. */
        At: components["schemas"]["Time"];
    };
    requestBodies: {
        /** @description Nothing, or an empty object. */
        Nothing: {
            content: {
                "application/json": Record<string, never>;
            };
        };
    };
    headers: {
        /** @description Names this request in the service's logs. One that was sent in the same header is kept when it matches. */
        "X-Request-Id": string;
        /** @description Present when this repeats the first response to the key. */
        "Idempotent-Replayed": "true";
        /** @description Seconds until another attempt makes sense. */
        "Retry-After": number | bigint;
        /**
         * @description The window that counted this request, how many more it admits at this moment (`r`) and, for a
         *     request that it refused, the seconds until it admits another (`t`), as in IETF
         *     draft-ietf-httpapi-ratelimit-headers. Windows slide: there is no moment at which one is empty
         *     again, so that a `t` stands only where it says something.
         */
        RateLimit: string;
        /** @description The window's quota (`q`) in any span of so many seconds (`w`), of an address or, signed in, of a wallet. */
        "RateLimit-Policy": string;
        /** @description Present on a report as CSV: the SHA-256 of the body, in hexadecimal. */
        "Report-Sha256": string;
        /** @description Present on a sheet: `attachment` with a name for the file. */
        "Content-Disposition": string;
        /** @description Names the file's content. */
        ETag: string;
        /** @description For how long the file may be used without asking again. */
        "Cache-Control": string;
        /** @description How to authenticate. */
        "WWW-Authenticate": "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    index: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The service's version and its links. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "version": "1.0",
                     *       "links": {
                     *         "docs": "/casino/docs",
                     *         "openapi": "/casino/openapi.json",
                     *         "health": "/casino/health",
                     *         "games": "/casino/public/games",
                     *         "tokens": "/casino/public/tokens",
                     *         "treasury": "/casino/wallet-address",
                     *         "login": "/casino/auth/login"
                     *       }
                     *     }
                     */
                    "application/json": {
                        version: string;
                        links: {
                            /** @description A page to read this contract. */
                            docs: string;
                            /** @description This contract as JSON. */
                            openapi: string;
                            health: string;
                            games: string;
                            tokens: string;
                            /** @description Where deposits are sent. */
                            treasury: string;
                            /** @description Where a wallet signs in, with POST. */
                            login: string;
                        };
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Health"];
            400: components["responses"]["Invalid"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Health"];
        };
    };
    walletAddress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The treasury. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "address": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs"
                     *     }
                     */
                    "application/json": {
                        address: components["schemas"]["Wallet"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    whitelabel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The branding. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Casino",
                     *       "logoUrl": "https://example.com/logo.svg",
                     *       "accentColor": "#7c3aed"
                     *     }
                     */
                    "application/json": components["schemas"]["Branding"];
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    games: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The games, in the order the house shows them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "games": [
                     *         {
                     *           "gameType": "coinflip",
                     *           "rules": "coinflip/1",
                     *           "title": "Coin flip",
                     *           "explanation": "Choose a side and how many flips in a row must show it. Each flip is even, and each one more doubles the prize: 1.98 for one, 3.96 for two.",
                     *           "configSchema": {
                     *             "type": "object",
                     *             "properties": {
                     *               "side": {
                     *                 "type": "string",
                     *                 "enum": [
                     *                   "heads",
                     *                   "tails"
                     *                 ],
                     *                 "default": "heads"
                     *               },
                     *               "flips": {
                     *                 "type": "integer",
                     *                 "minimum": 1,
                     *                 "maximum": 20,
                     *                 "default": 1
                     *               }
                     *             },
                     *             "additionalProperties": false
                     *           },
                     *           "defaults": {
                     *             "side": "heads",
                     *             "flips": 1
                     *           },
                     *           "steps": null,
                     *           "rtp": {
                     *             "default": {
                     *               "ratio": "99/100",
                     *               "percent": 99
                     *             },
                     *             "min": {
                     *               "ratio": "99/100",
                     *               "percent": 99
                     *             },
                     *             "max": {
                     *               "ratio": "99/100",
                     *               "percent": 99
                     *             }
                     *           },
                     *           "table": null,
                     *           "limits": [
                     *             {
                     *               "token": "So11111111111111111111111111111111111111112",
                     *               "minWager": 10000,
                     *               "maxWager": 1000000000,
                     *               "maxPayout": 10000000000
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        games: components["schemas"]["Game"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    gameReturn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A gameType of GET /public/games. */
                gameType: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "config": {
                 *         "mines": 5,
                 *         "picks": [
                 *           0,
                 *           1,
                 *           2
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": {
                    config?: components["schemas"]["Config"];
                    /**
                     * @description The figures of a round that is played step by step, with a config of `steps.configSchema`. A game that is only played so needs no `steps`.
                     * @default false
                     */
                    steps?: boolean;
                };
            };
        };
        responses: {
            /** @description What the config pays in the long run. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "gameType": "coinflip",
                     *       "rules": "coinflip/1",
                     *       "config": {
                     *         "side": "heads",
                     *         "flips": 3
                     *       },
                     *       "rtp": {
                     *         "ratio": "99/100",
                     *         "percent": 99
                     *       },
                     *       "least": null,
                     *       "variance": {
                     *         "ratio": "68607/10000",
                     *         "decimal": 6.8607
                     *       },
                     *       "maxStake": 1,
                     *       "maxMultiplier": 7.92,
                     *       "maxMultiplierChance": {
                     *         "ratio": "1/8",
                     *         "percent": 12.5
                     *       }
                     *     }
                     */
                    "application/json": {
                        gameType: components["schemas"]["GameType"];
                        rules: string;
                        config: components["schemas"]["Config"];
                        rtp: components["schemas"]["Return"];
                        /** @description By steps, the return of the worst way to play where every way returns about the same, `rtp` being that of the best; null where the return depends on how a round is played, and for rounds that are decided in one call. */
                        least: components["schemas"]["Return"] | null;
                        /** @description Of the multiplier, in wagers squared; null for rounds that are played step by step, where it is up to the player. */
                        variance: {
                            /** @description Exact. */
                            ratio: string;
                            /** @description Rounded to at least six digits. */
                            decimal: number;
                        } | null;
                        /** @description The most that a round can take, in first wagers: doubles and splits included. */
                        maxStake: number;
                        maxMultiplier: components["schemas"]["Multiplier"];
                        /** @description The chance that a round pays maxMultiplier; null for a game that doesn't state it. */
                        maxMultiplierChance: {
                            /** @description Exact. */
                            ratio: string;
                            /** @description Rounded to at least six digits. */
                            percent: number;
                        } | null;
                    };
                };
            };
            400: components["responses"]["InvalidGame"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    launchableGames: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The games. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "games": [
                     *         {
                     *           "gameCode": "cherry-rush",
                     *           "provider": "DEMOSPIN",
                     *           "name": "Cherry Rush",
                     *           "type": "slot",
                     *           "banner": "https://cdn.example.com/cherry-rush.png",
                     *           "token": "So11111111111111111111111111111111111111112"
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 20,
                     *       "total": 1,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        games: components["schemas"]["LaunchableGame"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    tokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tokens, sorted by mint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": [
                     *         {
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "symbol": "SOL",
                     *           "decimals": 9,
                     *           "program": "system",
                     *           "minDeposit": 10000,
                     *           "minWager": 10000,
                     *           "maxWager": 1000000000,
                     *           "maxPayout": 10000000000,
                     *           "minWithdrawal": 10000,
                     *           "maxWithdrawal": 100000000000,
                     *           "newAccountFee": 0,
                     *           "closing": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        tokens: components["schemas"]["TokenTerms"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publicLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The limits in force. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": [
                     *         {
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "minWager": 10000,
                     *           "maxWager": 1000000000,
                     *           "maxPayout": 10000000000,
                     *           "bankrollShare": "1/100",
                     *           "closing": false
                     *         }
                     *       ],
                     *       "games": [
                     *         {
                     *           "gameType": "dice",
                     *           "rules": "dice/1",
                     *           "enabled": true,
                     *           "paused": false,
                     *           "paceMs": 0
                     *         }
                     *       ],
                     *       "rounds": {
                     *         "openMax": 4,
                     *         "reserveMultiple": 50,
                     *         "fixedPart": 4,
                     *         "askedPart": 8
                     *       },
                     *       "paused": false
                     *     }
                     */
                    "application/json": {
                        /** @description Sorted by mint. */
                        tokens: {
                            token: components["schemas"]["Token"];
                            minWager: components["schemas"]["Amount"];
                            maxWager: components["schemas"]["Amount"];
                            /** @description The most that one round may pay. */
                            maxPayout: components["schemas"]["Amount"];
                            /** @description The part of the house's money that one round may pay, or open rounds together. */
                            bankrollShare: string;
                            /** @description No play in this token any more. */
                            closing: boolean;
                        }[];
                        games: {
                            gameType: string;
                            rules: string;
                            enabled: boolean;
                            paused: boolean;
                            /** @description The least time since the player's last round. */
                            paceMs: number | bigint;
                        }[];
                        /** @description Of rounds that are played step by step. */
                        rounds: {
                            /** @description How many a player may have open. */
                            openMax: number | bigint;
                            /** @description A round reserves this many first wagers at most, unless its player asks for more; it may use all of the room then. */
                            reserveMultiple: number | bigint;
                            /** @description One that can pay more may be opened within this part of the room, if its game can't be bounded lower, */
                            fixedPart: number | bigint;
                            /** @description and within this part, if its player asked for more. */
                            askedPart: number | bigint;
                        };
                        /** @description All play is paused. */
                        paused: boolean;
                        /** @description The other members as JSON in a statement with the purpose `limits`, where the service signs receipts. */
                        receipt?: components["schemas"]["SignedStatement"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    verify: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "gameType": "dice",
                 *       "rules": "dice/1",
                 *       "config": {
                 *         "target": 50,
                 *         "direction": "over"
                 *       },
                 *       "serverSeed": "4f0cbd8d64f4f3b2c0f5a6d2e6f5a1c84c56fd9c9b6e1c3cbfe1e1b7e5a3c901",
                 *       "clientSeed": "my seed",
                 *       "nonce": 3,
                 *       "expected": {
                 *         "outcome": {
                 *           "roll": 54.78
                 *         },
                 *         "multiplier": 1.98,
                 *         "wager": 10000,
                 *         "payout": 19800
                 *       }
                 *     }
                 */
                "application/json": {
                    gameType: components["schemas"]["GameType"];
                    /** @description The version the round was played by; the present one when left out. */
                    rules?: string;
                    config?: components["schemas"]["Config"];
                    serverSeed: string;
                    clientSeed: components["schemas"]["ClientSeed"];
                    /** @description The round's. For server and repeated, notes says what the round doesn't prove. */
                    clientSeedSource?: components["schemas"]["ClientSeedSource"];
                    /** Format: int64 */
                    nonce: number | bigint;
                    /** @description Of a round that was played step by step, its actions in their order; left out for one that was decided in one call. */
                    actions?: {
                        [key: string]: unknown;
                    }[] | null;
                    /** @description Of a round that was played step by step, how it was opened. The bound of config is compared with the published function of it. */
                    opened?: {
                        /** @description The config that was asked for; the defaults when left out. */
                        asked?: {
                            [key: string]: unknown;
                        };
                        /** @description The first stake. */
                        wager: components["schemas"]["Amount"];
                        maxPayout: components["schemas"]["Amount"];
                    };
                    /**
                     * @description The round as it was shown. Omitted fields aren't compared. The wager is compared with the amounts of the
                     *     config, or with the stakes of the actions. The payout needs the wager. A multiplier without a finite decimal is
                     *     compared to a billionth.
                     */
                    expected?: {
                        serverSeedHash?: components["schemas"]["Hash"];
                        /** @description The game's own account of what happened, members in any order; null of a void round, of which multiplier and payout are those of a returned stake. */
                        outcome?: {
                            [key: string]: unknown;
                        } | null;
                        multiplier?: components["schemas"]["Multiplier"];
                        /** Format: int64 */
                        wager?: number | bigint;
                        /** Format: int64 */
                        payout?: number | bigint;
                    };
                };
            };
        };
        responses: {
            /** @description What the seeds decide, and the hash that must have been published before the round. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": {
                     *         "roll": 54.78
                     *       },
                     *       "multiplier": 1.98,
                     *       "serverSeedHash": "43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e",
                     *       "matches": true,
                     *       "differences": [],
                     *       "notes": []
                     *     }
                     */
                    "application/json": {
                        outcome: components["schemas"]["Outcome"];
                        multiplier: components["schemas"]["Multiplier"];
                        serverSeedHash: components["schemas"]["Hash"];
                        /** @description Whether everything is as it was expected; there when something was. */
                        matches?: boolean;
                        /** @description The differences from the expected round; empty if there are none. */
                        differences?: ("config" | "serverSeedHash" | "outcome" | "multiplier" | "wager" | "payout")[];
                        /** @description In words, what the round doesn't prove, and what a void round would have paid. */
                        notes: string[];
                    };
                };
            };
            400: components["responses"]["InvalidGame"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkpoints: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The newest block of each lane. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signed": {
                     *         "ledger": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                     *         "epoch": 1,
                     *         "time": 1795262400000,
                     *         "slot": 382045117,
                     *         "statement": "casino statement 1\npurpose: public checkpoint\nledger: 019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d\nepoch: 1\ntime: 1795262400000\nslot: 382045117\nhead: 0:12:9b1c41a3a8f2f5c1b6c1b0b0a7d3a1f5b0f6f6a0b1f9d6c4e0c5d3f1a2b3c4d5\n",
                     *         "kid": "2026-01",
                     *         "signature": "e1OlQ9UF0Glo6q8tEkjPAFIzZV/gCEA9HN+TuVmGyKEZcbmI5TfbgnqMnXRvL7teb5kVeBeBzrtWPaxcvCCHCw=="
                     *       },
                     *       "keys": [
                     *         {
                     *           "kid": "2026-01",
                     *           "publicKey": "MCowBQYDK2VwAyEAm1a1KEYsBzkd/kauRH6WFzA2fNIu7CmScsruUlXBKPQ="
                     *         }
                     *       ],
                     *       "checkpoints": [
                     *         {
                     *           "lane": 0,
                     *           "seq": 12,
                     *           "hash": "9b1c41a3a8f2f5c1b6c1b0b0a7d3a1f5b0f6f6a0b1f9d6c4e0c5d3f1a2b3c4d5",
                     *           "head": "0:12:9b1c41a3a8f2f5c1b6c1b0b0a7d3a1f5b0f6f6a0b1f9d6c4e0c5d3f1a2b3c4d5"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        checkpoints: {
                            lane: number | bigint;
                            /** Format: int64 */
                            seq: number | bigint;
                            hash: components["schemas"]["Hash"];
                            /** @description lane:seq:hash */
                            head: string;
                        }[];
                        /** @description null where the service has no key to sign with. */
                        signed: {
                            /** @description The ledger's id. */
                            ledger: string;
                            /** Format: int64 */
                            epoch: number | bigint;
                            time: components["schemas"]["Time"];
                            /**
                             * Format: uint64
                             * @description The newest finalized slot that the service knew.
                             */
                            slot: number | bigint | null;
                            /** @description The text that was signed. */
                            statement: string;
                            /** @description The name of the key that signed it. */
                            kid: string;
                            signature: string;
                        } | null;
                        /** @description The public halves of all keys that sign or signed, newest first. */
                        keys: {
                            kid: string;
                            /** @description SubjectPublicKeyInfo */
                            publicKey: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    solvency: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Those that are kept, a day's as a rule, newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "statements": [
                     *         {
                     *           "statement": "casino statement 1\npurpose: solvency\nledger: 019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d\nepoch: 1\ntime: 1795262404321\nslot: 382045117\nhead: 0:12:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\nhead: 1:3907:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d\ntoken: EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v\nroot: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\nsum: 0\nleaves: 0\ntreasury: GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW\nholding: unknown\ntoken: So11111111111111111111111111111111111111112\nroot: 989f158bc09a9c82c1791d3139fcfbb995e207f5eb7ccbfaf14edd11a99ce53e\nsum: 1053030297\nleaves: 3\ntreasury: 8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR\nholding: 2500000000\n",
                     *           "kid": "2026-01",
                     *           "signature": "Lwp69qo+6YHYthwDmB4O3CA9ScMAh4X6znsevlACXyojWx7mpwpHuQ0UyqMKdv6uvEHtq+RuFvurIOqjirVGBA=="
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        statements: components["schemas"]["SignedStatement"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    recentBets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first, at most a second old. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bets": [
                     *         {
                     *           "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                     *           "provider": "casino",
                     *           "gameType": "dice",
                     *           "player": "5f1c09a7d3e28b46",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "wager": 10000,
                     *           "payout": 19800,
                     *           "multiplier": 1.98,
                     *           "createdAt": 1795262400000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        bets: components["schemas"]["RecentBet"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publicKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public halves, by use, newest first. The newest key of a use signs. Older ones remain, so that their signatures can be verified. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keys": [
                     *         {
                     *           "use": "receipts",
                     *           "kid": "2026-01",
                     *           "publicKey": "MCowBQYDK2VwAyEAeWou0naAHF6L1n/rvhQqDjUBF2eAkqwFqz4PMwI84FQ=",
                     *           "signs": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        keys: {
                            /** @enum {string} */
                            use: "receipts" | "checkpoints" | "anchors";
                            kid: string;
                            /** @description SubjectPublicKeyInfo */
                            publicKey: string;
                            /** @description Whether it is the one that signs now. */
                            signs: boolean;
                        }[];
                        /** @description The keys of the log's checkpoints as C2SP signed-note writes them, the newest first. */
                        log?: string[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    logCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                epoch: components["parameters"]["LogEpoch"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The note. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example casino/019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d/1
                     *     2
                     *     UFsdCG2r8bsaBc48glNrWpTzYwDpUnGpEvNNfrEp6Hk=
                     */
                    "text/plain": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    logTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                epoch: components["parameters"]["LogEpoch"];
                level: string;
                index: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tile. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    feed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "Casino",
                     *         "version": "0.1.0"
                     *       },
                     *       "paths": {}
                     *     }
                     */
                    "application/json": {
                        openapi: string;
                        info: {
                            [key: string]: unknown;
                        };
                        paths: {
                            [key: string]: unknown;
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
        };
    };
    docs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An HTML page that needs nothing from other hosts. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
        };
    };
    docsAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                asset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            /** @description The file is the one that `If-None-Match` names. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                 *       "timestamp": 1795262400000,
                 *       "signature": "MEUCIQDk1n8nV0yF4wF9z0Jc0M3wC7vY0o1m2kKc6m0nBqXg7ZQb0v0o2t4Qq7oV4rXn9b2Jq0y1c3e5g7i9kA=="
                 *     }
                 */
                "application/json": {
                    wallet: components["schemas"]["Wallet"];
                    /**
                     * Format: int64
                     * @description Unix milliseconds, as signed.
                     */
                    timestamp: number | bigint;
                    /** @description Standard padded base64 of the 64 signature bytes. */
                    signature: string;
                    /** @description The agent that a new player belongs to; ignored for a known player. */
                    agentCode?: components["schemas"]["AgentCode"];
                };
            };
        };
        responses: {
            /** @description A session of 30 minutes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJIUzI1NiJ9.e30.c2ln",
                     *       "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *       "expiresAt": 1795264200000
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidLogin"];
            401: components["responses"]["LoginRefused"];
            403: components["responses"]["BlockedAgent"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description Every token issued until now is invalid. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    balance: {
        parameters: {
            query?: {
                /** @description A moment, not in the future: what was booked within its millisecond is in. Left out, the present. */
                at?: components["parameters"]["At"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sorted by token; zero balances that once moved are shown. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "balances": [
                     *         {
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "balance": 1000000000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        balances: {
                            token: components["schemas"]["Token"];
                            balance: components["schemas"]["Balance"];
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deposit: {
        parameters: {
            query?: never;
            header?: {
                /** @description `receipt` adds a receipt to the response (RFC 7240), where the service has a key for receipts. Other preferences are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *       "token": "So11111111111111111111111111111111111111112"
                 *     }
                 */
                "application/json": {
                    signature: components["schemas"]["TransactionSignature"];
                    token: components["schemas"]["Token"];
                };
            };
        };
        responses: {
            /** @description Credited. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction": {
                     *         "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                     *         "type": "deposit",
                     *         "direction": "credit",
                     *         "status": "credited",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": 1000000000,
                     *         "destination": null,
                     *         "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                     *         "reason": null,
                     *         "corrects": null,
                     *         "correctedBy": null,
                     *         "createdAt": 1795262400000,
                     *         "updatedAt": 1795262400000
                     *       },
                     *       "balance": 1000000000
                     *     }
                     */
                    "application/json": {
                        transaction: components["schemas"]["Transaction"];
                        receipt?: components["schemas"]["Receipt"];
                        balance: components["schemas"]["Balance"];
                    };
                };
            };
            /** @description Not final yet (`pending`) or waiting for an admin's decision (`review`); credited later without another call. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction": {
                     *         "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                     *         "type": "deposit",
                     *         "direction": "credit",
                     *         "status": "pending",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": null,
                     *         "destination": null,
                     *         "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                     *         "reason": null,
                     *         "corrects": null,
                     *         "correctedBy": null,
                     *         "createdAt": 1795262400000,
                     *         "updatedAt": 1795262400000
                     *       }
                     *     }
                     */
                    "application/json": {
                        transaction: components["schemas"]["Transaction"];
                        receipt?: components["schemas"]["Receipt"];
                    };
                };
            };
            400: components["responses"]["InvalidDeposit"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["DepositConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["External"];
            503: components["responses"]["Unavailable"];
        };
    };
    depositTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "So11111111111111111111111111111111111111112",
                 *       "amount": 1000000000
                 *     }
                 */
                "application/json": {
                    token: components["schemas"]["Token"];
                    amount: components["schemas"]["Amount"];
                };
            };
        };
        responses: {
            /** @description For the wallet to sign. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAEDXJ6dX6MJhkrNfYEY0yYxPN57ht8Y4ZeSSgMYb/6fPXpm+p+dMYa5wTpmsAT8i7XzNZxN6xcZcmaJX7jTxnw7FwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAksidmFOi9XFtKiNjPoaDWvql1CE1gNvuCET1N2fSk8gBAgIAAQwCAAAAAMqaOwAAAAA=",
                     *       "lastValidBlockHeight": 362114982
                     *     }
                     */
                    "application/json": {
                        transaction: components["schemas"]["TransactionBytes"];
                        lastValidBlockHeight: components["schemas"]["Count"];
                    };
                };
            };
            400: components["responses"]["InvalidDepositTransaction"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["External"];
            503: components["responses"]["Unavailable"];
        };
    };
    withdraw: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `receipt` adds a receipt to the response (RFC 7240), where the service has a key for receipts. Other preferences are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 500000000,
                 *       "token": "So11111111111111111111111111111111111111112",
                 *       "destination": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs"
                 *     }
                 */
                "application/json": {
                    amount: components["schemas"]["Amount"];
                    token: components["schemas"]["Token"];
                    /** @description A wallet that a key can sign for; not one of the casino's, not a mint. */
                    destination: string;
                };
            };
        };
        responses: {
            /** @description Pending. */
            201: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "withdrawal": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7fd61a8d3326",
                     *         "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": 5000,
                     *         "fee": 0,
                     *         "destination": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "destinationIsOwner": true,
                     *         "status": "pending",
                     *         "approvals": 0,
                     *         "signature": null,
                     *         "reason": null,
                     *         "note": null,
                     *         "createdAt": 1795262403000,
                     *         "updatedAt": 1795262403000
                     *       },
                     *       "balance": 49984597
                     *     }
                     */
                    "application/json": components["schemas"]["WithdrawalAndBalance"];
                };
            };
            400: components["responses"]["InvalidWithdrawal"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotAdmitted"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["WithdrawalConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description Cancelled; the money is back in the balance. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "withdrawal": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7fd61a8d3326",
                     *         "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": 5000,
                     *         "fee": 0,
                     *         "destination": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "destinationIsOwner": true,
                     *         "status": "cancelled",
                     *         "approvals": 0,
                     *         "signature": null,
                     *         "reason": null,
                     *         "note": null,
                     *         "createdAt": 1795262403000,
                     *         "updatedAt": 1795262403000
                     *       },
                     *       "balance": 49989597
                     *     }
                     */
                    "application/json": components["schemas"]["WithdrawalAndBalance"];
                };
            };
            400: components["responses"]["InvalidRefund"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CancelForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    playSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sorted by token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "startedAt": 1795384800000,
                     *       "tokens": [
                     *         {
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "rounds": 40,
                     *           "wagered": 400000,
                     *           "won": 356400,
                     *           "net": -43600,
                     *           "netDeposits": 1000000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlaySession"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    accountSolvency: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement, and a proof for each token in which anything is owed to the caller. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signed": {
                     *         "statement": "casino statement 1\npurpose: solvency\nledger: 019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d\nepoch: 1\ntime: 1795262404321\nslot: 382045117\nhead: 0:12:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb\nhead: 1:3907:3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d\ntoken: EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v\nroot: e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\nsum: 0\nleaves: 0\ntreasury: GsbwXfJraMomNxBcjYLcG3mxkBUiyWXAB32fGbSMQRdW\nholding: unknown\ntoken: So11111111111111111111111111111111111111112\nroot: 989f158bc09a9c82c1791d3139fcfbb995e207f5eb7ccbfaf14edd11a99ce53e\nsum: 1053030297\nleaves: 3\ntreasury: 8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR\nholding: 2500000000\n",
                     *         "kid": "2026-01",
                     *         "signature": "Lwp69qo+6YHYthwDmB4O3CA9ScMAh4X6znsevlACXyojWx7mpwpHuQ0UyqMKdv6uvEHtq+RuFvurIOqjirVGBA=="
                     *       },
                     *       "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *       "salt": "82983b79941ed1aa335a7ee9e09ca766033c0576f44a2defc535bb0a7b9a247a",
                     *       "proofs": [
                     *         {
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "index": 1,
                     *           "available": 52989797,
                     *           "held": 13000,
                     *           "staked": 0,
                     *           "unclaimed": 0,
                     *           "path": "AAAAADubGCAu+Ol5KmAYRNBSrECKx0yaBC6QwehP+E4F7qQEWL44AAAAAAAAAB1MOFrsoJo/8P0Y8IZqYf4uRvHHhDu99StdGjRkSZpzPoY="
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AccountSolvency"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    limits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sorted by kind, period, token and maker, the player first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limits": [
                     *         {
                     *           "kind": "loss",
                     *           "period": "day",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 40000000,
                     *           "by": "player",
                     *           "effectiveAt": 1795262403000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Limits"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    setLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "limits": [
                 *         {
                 *           "amount": 40000000,
                 *           "kind": "loss",
                 *           "period": "day",
                 *           "token": "So11111111111111111111111111111111111111112"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["LimitsRequest"];
            };
        };
        responses: {
            /** @description The limits as they stand. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limits": [
                     *         {
                     *           "kind": "loss",
                     *           "period": "day",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 40000000,
                     *           "by": "player",
                     *           "effectiveAt": 1795262403000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Limits"];
                };
            };
            400: components["responses"]["InvalidToken"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    confirmLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The limits as they stand. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limits": [
                     *         {
                     *           "kind": "loss",
                     *           "period": "day",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 80000000,
                     *           "by": "player",
                     *           "effectiveAt": 1795262403000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Limits"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    exclude: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "until": 1795435205000
                 *     }
                 */
                "application/json": components["schemas"]["ExclusionRequest"];
            };
        };
        responses: {
            /** @description The exclusion. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exclusion": {
                     *         "status": "excluded",
                     *         "until": 1795435205000,
                     *         "permanent": false,
                     *         "coolOffUntil": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExclusionResponse"];
                };
            };
            400: components["responses"]["InvalidToken"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    coolOff: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "until": 1795269605000
                 *     }
                 */
                "application/json": {
                    until: components["schemas"]["Time"];
                };
            };
        };
        responses: {
            /** @description What restricts the caller's play. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exclusion": {
                     *         "status": "excluded",
                     *         "until": null,
                     *         "permanent": true,
                     *         "coolOffUntil": 1795269605000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExclusionResponse"];
                };
            };
            400: components["responses"]["InvalidToken"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    chainBalance: {
        parameters: {
            query: {
                token: components["schemas"]["Token"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance, or null while it isn't known because the chain doesn't answer or too many ask. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "So11111111111111111111111111111111111111112",
                     *       "balance": 2500000000
                     *     }
                     */
                    "application/json": {
                        token: components["schemas"]["Token"];
                        /**
                         * Format: int64
                         * @description In base units; null while it isn't known.
                         */
                        balance: number | bigint | null;
                    };
                };
            };
            400: components["responses"]["InvalidToken"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    accountTransactions: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
                type?: components["schemas"]["TransactionType"];
                status?: components["schemas"]["TransactionStatus"];
                token?: components["parameters"]["TokenFilter"];
                /** @description Inclusive. */
                from?: components["parameters"]["From"];
                /** @description Exclusive. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. A withdrawal and its transaction have one id. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactions": [
                     *         {
                     *           "id": "019cf0d1-f91d-70a4-b123-f8243470cf8c",
                     *           "type": "deposit",
                     *           "direction": "credit",
                     *           "status": "rejected",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 10000,
                     *           "destination": null,
                     *           "signature": "PkXYnSGWYG3EKiWfYZCuteEzy9QQMrF2wBjE2AyCGVkSCscDdiPcWuxtjjxnSnPGSSkQT5pct48jCFrW7zUWcaS",
                     *           "reason": "declined",
                     *           "corrects": null,
                     *           "correctedBy": null,
                     *           "createdAt": 1795262405000,
                     *           "updatedAt": 1795262405000
                     *         },
                     *         {
                     *           "id": "019cf0d1-f91d-70a4-b123-f821c71b9fd6",
                     *           "type": "deposit",
                     *           "direction": "credit",
                     *           "status": "review",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 10000,
                     *           "destination": null,
                     *           "signature": "4YkrXeVjchQWHNZ6XMGH3omPR3x7DTrUWDkULk9QHNrJJB7e4ypo1RYaKhAePEcyk1iqYbpPvThAsewN91jEbju8",
                     *           "reason": "several_senders",
                     *           "corrects": null,
                     *           "correctedBy": null,
                     *           "createdAt": 1795262405000,
                     *           "updatedAt": 1795262405000
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 2,
                     *       "total": 8,
                     *       "nextCursor": "019cf0d1-f91d-70a4-b123-f821c71b9fd6"
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        transactions: components["schemas"]["Transaction"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    play: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `receipt` adds a receipt to the response (RFC 7240), where the service has a key for receipts. Other preferences are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "gameType": "dice",
                 *       "wager": 10000,
                 *       "token": "So11111111111111111111111111111111111111112",
                 *       "config": {
                 *         "target": 50,
                 *         "direction": "over"
                 *       }
                 *     }
                 */
                "application/json": {
                    gameType: components["schemas"]["GameType"];
                    wager: components["schemas"]["Amount"];
                    token: components["schemas"]["Token"];
                    config?: components["schemas"]["Config"];
                    /** @description The hash of the active pair; with another one the answer is INVALID_STATE, and nothing is drawn. */
                    expectedServerSeedHash?: string;
                    /**
                     * Format: int64
                     * @description The nonce that the round uses; with another one the answer is INVALID_STATE, and nothing is drawn.
                     */
                    expectedNonce?: number | bigint;
                };
            };
        };
        responses: {
            /** @description The settled round and the balance after it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "round": {
                     *         "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                     *         "provider": "casino",
                     *         "gameType": "dice",
                     *         "rules": "dice/1",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "wager": 10000,
                     *         "payout": 19800,
                     *         "multiplier": 1.98,
                     *         "config": {
                     *           "target": 50,
                     *           "direction": "over"
                     *         },
                     *         "outcome": {
                     *           "roll": 54.78
                     *         },
                     *         "serverSeedHash": "43f4ead1721b88240c4ce15b215616a43536527030575db1736346029d38238e",
                     *         "serverSeed": null,
                     *         "clientSeed": "my seed",
                     *         "clientSeedSource": "player",
                     *         "nonce": 3,
                     *         "createdAt": 1795262400000
                     *       },
                     *       "balance": 1000009800
                     *     }
                     */
                    "application/json": {
                        round: components["schemas"]["Round"];
                        balance: components["schemas"]["Balance"];
                        receipt?: components["schemas"]["Receipt"];
                    };
                };
            };
            400: components["responses"]["InvalidPlay"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PlayForbidden"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["StateOrIdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    openRounds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At most 4 rounds. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rounds": [
                     *         {
                     *           "id": "019cf0d1-f14d-7b8a-8a82-7fdb45101edf",
                     *           "status": "open",
                     *           "provider": "casino",
                     *           "gameType": "dragontower",
                     *           "rules": "dragontower/1",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "wager": 10000,
                     *           "stake": 10000,
                     *           "maxMultiplier": 13.185112025605852,
                     *           "config": {
                     *             "difficulty": "easy"
                     *           },
                     *           "asked": {
                     *             "difficulty": "easy"
                     *           },
                     *           "maxPayout": 10000000000,
                     *           "step": 1,
                     *           "actions": [
                     *             {
                     *               "type": "climb",
                     *               "tile": 3
                     *             }
                     *           ],
                     *           "shown": {
                     *             "picks": [
                     *               3
                     *             ]
                     *           },
                     *           "choices": [
                     *             {
                     *               "action": {
                     *                 "type": "climb"
                     *               },
                     *               "fields": {
                     *                 "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *                 "type": "object",
                     *                 "properties": {
                     *                   "tile": {
                     *                     "title": "Tile",
                     *                     "description": "The tile of the next level, 0 being the leftmost.",
                     *                     "type": "integer",
                     *                     "minimum": 0,
                     *                     "maximum": 3,
                     *                     "multipleOf": 1
                     *                   }
                     *                 },
                     *                 "required": [
                     *                   "tile"
                     *                 ],
                     *                 "additionalProperties": false
                     *               },
                     *               "chance": "3/4",
                     *               "prize": 1.76
                     *             },
                     *             {
                     *               "action": {
                     *                 "type": "cashOut"
                     *               },
                     *               "chance": "1",
                     *               "prize": 1.32
                     *             }
                     *           ],
                     *           "serverSeedHash": "60859fad1c36184ccf34e2fdf76d1ac29da43033aae431313dec7ca733d70a1b",
                     *           "clientSeed": "my own",
                     *           "clientSeedSource": "player",
                     *           "nonce": 0,
                     *           "createdAt": 1795262403000,
                     *           "updatedAt": 1795262403000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        rounds: components["schemas"]["OpenRound"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    openRound: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `receipt` adds a receipt to the response (RFC 7240), where the service has a key for receipts. Other preferences are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "gameType": "mines",
                 *       "wager": 10000,
                 *       "token": "So11111111111111111111111111111111111111112",
                 *       "config": {
                 *         "mines": 3
                 *       }
                 *     }
                 */
                "application/json": {
                    gameType: components["schemas"]["GameType"];
                    wager: components["schemas"]["Amount"];
                    token: components["schemas"]["Token"];
                    config?: components["schemas"]["Config"];
                    /** @description The hash of the active pair; with another one the answer is INVALID_STATE, and nothing is drawn. */
                    expectedServerSeedHash?: string;
                    /**
                     * Format: int64
                     * @description The nonce that the round uses; with another one the answer is INVALID_STATE, and nothing is drawn.
                     */
                    expectedNonce?: number | bigint;
                };
            };
        };
        responses: {
            /** @description The open round and the balance after its stake. A round that ended at once is a settled one. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "round": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7fdb45101edf",
                     *         "status": "open",
                     *         "provider": "casino",
                     *         "gameType": "dragontower",
                     *         "rules": "dragontower/1",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "wager": 10000,
                     *         "stake": 10000,
                     *         "maxMultiplier": 13.185112025605852,
                     *         "config": {
                     *           "difficulty": "easy"
                     *         },
                     *         "asked": {
                     *           "difficulty": "easy"
                     *         },
                     *         "maxPayout": 10000000000,
                     *         "step": 0,
                     *         "actions": [],
                     *         "shown": {
                     *           "picks": []
                     *         },
                     *         "choices": [
                     *           {
                     *             "action": {
                     *               "type": "climb"
                     *             },
                     *             "fields": {
                     *               "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *               "type": "object",
                     *               "properties": {
                     *                 "tile": {
                     *                   "title": "Tile",
                     *                   "description": "The tile of the next level, 0 being the leftmost.",
                     *                   "type": "integer",
                     *                   "minimum": 0,
                     *                   "maximum": 3,
                     *                   "multipleOf": 1
                     *                 }
                     *               },
                     *               "required": [
                     *                 "tile"
                     *               ],
                     *               "additionalProperties": false
                     *             },
                     *             "chance": "3/4",
                     *             "prize": 1.32
                     *           },
                     *           {
                     *             "action": {
                     *               "type": "cashOut"
                     *             },
                     *             "chance": "1",
                     *             "prize": 0.99
                     *           }
                     *         ],
                     *         "serverSeedHash": "60859fad1c36184ccf34e2fdf76d1ac29da43033aae431313dec7ca733d70a1b",
                     *         "clientSeed": "my own",
                     *         "clientSeedSource": "player",
                     *         "nonce": 0,
                     *         "createdAt": 1795262403000,
                     *         "updatedAt": 1795262403000
                     *       },
                     *       "balance": 49979597
                     *     }
                     */
                    "application/json": {
                        round: components["schemas"]["OpenRound"] | components["schemas"]["Round"];
                        balance: components["schemas"]["Balance"];
                        receipt?: components["schemas"]["Receipt"];
                    };
                };
            };
            400: components["responses"]["InvalidPlay"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PlayForbidden"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["RoundConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    step: {
        parameters: {
            query?: never;
            header?: {
                /** @description `receipt` adds a receipt to the response (RFC 7240), where the service has a key for receipts. Other preferences are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The round's. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "step": 0,
                 *       "action": {
                 *         "type": "open",
                 *         "tile": 7
                 *       }
                 *     }
                 */
                "application/json": {
                    step: number;
                    /** @description One of the round's `choices`, with its fields beside its own members. */
                    action: {
                        [key: string]: unknown;
                    };
                };
            };
        };
        responses: {
            /** @description The round as it stands and the balance, or the settled round that it ended as. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "round": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7fdb45101edf",
                     *         "status": "open",
                     *         "provider": "casino",
                     *         "gameType": "dragontower",
                     *         "rules": "dragontower/1",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "wager": 10000,
                     *         "stake": 10000,
                     *         "maxMultiplier": 13.185112025605852,
                     *         "config": {
                     *           "difficulty": "easy"
                     *         },
                     *         "asked": {
                     *           "difficulty": "easy"
                     *         },
                     *         "maxPayout": 10000000000,
                     *         "step": 1,
                     *         "actions": [
                     *           {
                     *             "type": "climb",
                     *             "tile": 3
                     *           }
                     *         ],
                     *         "shown": {
                     *           "picks": [
                     *             3
                     *           ]
                     *         },
                     *         "choices": [
                     *           {
                     *             "action": {
                     *               "type": "climb"
                     *             },
                     *             "fields": {
                     *               "$schema": "https://json-schema.org/draft/2020-12/schema",
                     *               "type": "object",
                     *               "properties": {
                     *                 "tile": {
                     *                   "title": "Tile",
                     *                   "description": "The tile of the next level, 0 being the leftmost.",
                     *                   "type": "integer",
                     *                   "minimum": 0,
                     *                   "maximum": 3,
                     *                   "multipleOf": 1
                     *                 }
                     *               },
                     *               "required": [
                     *                 "tile"
                     *               ],
                     *               "additionalProperties": false
                     *             },
                     *             "chance": "3/4",
                     *             "prize": 1.76
                     *           },
                     *           {
                     *             "action": {
                     *               "type": "cashOut"
                     *             },
                     *             "chance": "1",
                     *             "prize": 1.32
                     *           }
                     *         ],
                     *         "serverSeedHash": "60859fad1c36184ccf34e2fdf76d1ac29da43033aae431313dec7ca733d70a1b",
                     *         "clientSeed": "my own",
                     *         "clientSeedSource": "player",
                     *         "nonce": 0,
                     *         "createdAt": 1795262403000,
                     *         "updatedAt": 1795262403000
                     *       },
                     *       "balance": 49979597
                     *     }
                     */
                    "application/json": {
                        round: components["schemas"]["OpenRound"] | components["schemas"]["Round"];
                        balance: components["schemas"]["Balance"];
                        receipt?: components["schemas"]["Receipt"];
                    };
                };
            };
            400: components["responses"]["InvalidPlay"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PlayForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["StateOrIdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    crash: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every member of CrashNews. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "now": 1795262419345,
                     *       "chain": {
                     *         "id": "2026-1",
                     *         "commitment": "casino crash chain 1\nchain: 2026-1\nepoch: 1\nrules: crash/2\nterminal: 04bbf01610d6c17018a916c42713cf63084d30d10e36ec5250a04d955f236164\nlength: 1000\nbeacon: solana\nnetwork: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d\ndelay: 32\nwindow: 150\n",
                     *         "length": 1000
                     *       },
                     *       "bettingMs": 10000,
                     *       "round": {
                     *         "chain": "2026-1",
                     *         "number": 1,
                     *         "status": "flying",
                     *         "cap": 100,
                     *         "previousHash": "04bbf01610d6c17018a916c42713cf63084d30d10e36ec5250a04d955f236164",
                     *         "aboveHeight": 0,
                     *         "openedAt": 1795262400000,
                     *         "stopped": true,
                     *         "closing": "casino crash round 1\nchain: 2026-1\nround: 1\ncap: 10000\nseen: 380000000\nheight: 380000032\nbets: 1\nroot: 54b9831a4a554271a77a45d0042ead879e90952aede86b6b646b1ce02f62a7b8\n",
                     *         "height": 380000032,
                     *         "salt": "solana:380000033:EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N",
                     *         "beaconHeight": 380000033,
                     *         "startedAt": 1795262416000
                     *       },
                     *       "bets": [
                     *         {
                     *           "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                     *           "player": "5f1c09a7d3e28b46",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "wager": 1000000,
                     *           "cashOut": 2.5,
                     *           "cashedOut": 1.16
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CrashNews"];
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    crashStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    placeCrashBet: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `receipt` adds a receipt to the response (RFC 7240), where the service has a key for receipts. Other preferences are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wager": 1000000,
                 *       "token": "So11111111111111111111111111111111111111112",
                 *       "cashOut": 2.5
                 *     }
                 */
                "application/json": {
                    wager: components["schemas"]["Amount"];
                    token: components["schemas"]["Token"];
                    /** @description The automatic cash-out, with at most two decimals. If it is left out: 50, or less where the round's cap is less or the token's `maxPayout` covers the wager only up to a lower one. */
                    cashOut?: number;
                };
            };
        };
        responses: {
            /** @description The bet, and the balance after it. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bet": {
                     *         "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                     *         "chain": "2026-1",
                     *         "round": 1,
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "wager": 1000000,
                     *         "cashOut": 2.5,
                     *         "createdAt": 1795262403000
                     *       },
                     *       "balance": 49000000
                     *     }
                     */
                    "application/json": {
                        bet: components["schemas"]["OwnCrashBet"];
                        balance: components["schemas"]["Balance"];
                        receipt?: components["schemas"]["Receipt"];
                    };
                };
            };
            400: components["responses"]["InvalidPlay"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PlayForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["RoundConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cashOutCrash: {
        parameters: {
            query?: never;
            header?: {
                /** @description `receipt` adds a receipt to the response (RFC 7240), where the service has a key for receipts. Other preferences are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "bet": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d"
                 *     }
                 */
                "application/json": {
                    /** @description The bet's id. */
                    bet: string;
                };
            };
        };
        responses: {
            /** @description The bet with its cash-out. It is paid when the round is settled. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bet": {
                     *         "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                     *         "chain": "2026-1",
                     *         "round": 1,
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "wager": 1000000,
                     *         "cashOut": 2.5,
                     *         "cashedOut": 1.16,
                     *         "receivedAt": 1795262418500,
                     *         "createdAt": 1795262403000
                     *       },
                     *       "balance": 49000000
                     *     }
                     */
                    "application/json": {
                        bet: components["schemas"]["OwnCrashBet"];
                        balance: components["schemas"]["Balance"];
                        receipt?: components["schemas"]["Receipt"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    crashBet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bet; no member without one that has no result yet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "bet": {
                     *         "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                     *         "chain": "2026-1",
                     *         "round": 1,
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "wager": 1000000,
                     *         "cashOut": 2.5,
                     *         "createdAt": 1795262403000
                     *       }
                     *     }
                     */
                    "application/json": {
                        bet?: components["schemas"]["OwnCrashBet"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    crashRounds: {
        parameters: {
            query?: {
                /** @description The chain's id. */
                chain?: components["parameters"]["CrashChain"];
                /** @description Only rounds with lower numbers. */
                before?: number | bigint;
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rounds": [
                     *         {
                     *           "chain": "2026-1",
                     *           "number": 1,
                     *           "status": "settled",
                     *           "cap": 100,
                     *           "previousHash": "04bbf01610d6c17018a916c42713cf63084d30d10e36ec5250a04d955f236164",
                     *           "aboveHeight": 0,
                     *           "openedAt": 1795262400000,
                     *           "stopped": true,
                     *           "closing": "casino crash round 1\nchain: 2026-1\nround: 1\ncap: 10000\nseen: 380000000\nheight: 380000032\nbets: 1\nroot: 54b9831a4a554271a77a45d0042ead879e90952aede86b6b646b1ce02f62a7b8\n",
                     *           "height": 380000032,
                     *           "salt": "solana:380000033:EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N",
                     *           "beaconHeight": 380000033,
                     *           "startedAt": 1795262416000,
                     *           "hash": "b990d9e21b655ca92498ef1f40a45c65727746d21b9b31bd1d401884ebf88b8f",
                     *           "point": 5.02
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        rounds: components["schemas"]["CrashRound"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    crashRound: {
        parameters: {
            query?: {
                /** @description The chain's id. */
                chain?: components["parameters"]["CrashChain"];
            };
            header?: never;
            path: {
                /** @description The round's. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bets in the order of their ids, in which the closing commit's root has them; with their results once the round has some. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "chain": {
                     *         "id": "2026-1",
                     *         "commitment": "casino crash chain 1\nchain: 2026-1\nepoch: 1\nrules: crash/2\nterminal: 04bbf01610d6c17018a916c42713cf63084d30d10e36ec5250a04d955f236164\nlength: 1000\nbeacon: solana\nnetwork: 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d\ndelay: 32\nwindow: 150\n",
                     *         "length": 1000
                     *       },
                     *       "round": {
                     *         "chain": "2026-1",
                     *         "number": 1,
                     *         "status": "settled",
                     *         "cap": 100,
                     *         "previousHash": "04bbf01610d6c17018a916c42713cf63084d30d10e36ec5250a04d955f236164",
                     *         "aboveHeight": 0,
                     *         "openedAt": 1795262400000,
                     *         "stopped": true,
                     *         "closing": "casino crash round 1\nchain: 2026-1\nround: 1\ncap: 10000\nseen: 380000000\nheight: 380000032\nbets: 1\nroot: 54b9831a4a554271a77a45d0042ead879e90952aede86b6b646b1ce02f62a7b8\n",
                     *         "height": 380000032,
                     *         "salt": "solana:380000033:EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N",
                     *         "beaconHeight": 380000033,
                     *         "startedAt": 1795262416000,
                     *         "hash": "b990d9e21b655ca92498ef1f40a45c65727746d21b9b31bd1d401884ebf88b8f",
                     *         "point": 5.02
                     *       },
                     *       "bets": [
                     *         {
                     *           "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                     *           "player": "5f1c09a7d3e28b46",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "wager": 1000000,
                     *           "cashOut": 2.5,
                     *           "cashedOut": 1.16,
                     *           "multiplier": 1.16,
                     *           "payout": 1160000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        chain: components["schemas"]["CrashChain"];
                        round: components["schemas"]["CrashRound"];
                        bets: components["schemas"]["CrashBet"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    events: {
        parameters: {
            query?: {
                /** @description Only these types, with commas between them. */
                types?: string;
                /** @description The place to go on from, as `Last-Event-ID`, which goes before it. */
                cursor?: components["schemas"]["EventCursor"];
            };
            header?: {
                /** @description The last `id` that was heard. */
                "Last-Event-ID"?: components["schemas"]["EventCursor"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["InvalidState"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRounds: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
                gameType?: components["schemas"]["GameType"];
                token?: components["parameters"]["TokenFilter"];
                /** @description Inclusive. */
                from?: components["parameters"]["From"];
                /** @description Exclusive. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rounds": [
                     *         {
                     *           "id": "019cf0d1-f14d-7b8a-8a82-7fdb45101edf",
                     *           "provider": "casino",
                     *           "gameType": "dragontower",
                     *           "rules": "dragontower/1",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "wager": 10000,
                     *           "payout": 13200,
                     *           "multiplier": 1.32,
                     *           "config": {
                     *             "difficulty": "easy"
                     *           },
                     *           "outcome": {
                     *             "picks": [
                     *               3
                     *             ],
                     *             "levels": [
                     *               [
                     *                 3,
                     *                 2,
                     *                 1
                     *               ],
                     *               [
                     *                 1,
                     *                 2,
                     *                 3
                     *               ],
                     *               [
                     *                 1,
                     *                 2,
                     *                 0
                     *               ],
                     *               [
                     *                 0,
                     *                 3,
                     *                 2
                     *               ],
                     *               [
                     *                 2,
                     *                 3,
                     *                 0
                     *               ],
                     *               [
                     *                 1,
                     *                 2,
                     *                 3
                     *               ],
                     *               [
                     *                 2,
                     *                 1,
                     *                 0
                     *               ],
                     *               [
                     *                 2,
                     *                 1,
                     *                 3
                     *               ],
                     *               [
                     *                 3,
                     *                 1,
                     *                 0
                     *               ]
                     *             ]
                     *           },
                     *           "actions": [
                     *             {
                     *               "type": "climb",
                     *               "tile": 3
                     *             },
                     *             {
                     *               "type": "cashOut"
                     *             }
                     *           ],
                     *           "serverSeedHash": "60859fad1c36184ccf34e2fdf76d1ac29da43033aae431313dec7ca733d70a1b",
                     *           "serverSeed": null,
                     *           "clientSeed": "my own",
                     *           "clientSeedSource": "player",
                     *           "nonce": 0,
                     *           "createdAt": 1795262403000
                     *         }
                     *       ],
                     *       "page": 3,
                     *       "limit": 1,
                     *       "total": 7,
                     *       "nextCursor": "019cf0d1-f14d-7b8a-8a82-7fdb45101edf"
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        rounds: components["schemas"]["Round"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    round: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The round; with its server seed once that is revealed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "round": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7fcf86752b0c",
                     *         "provider": "casino",
                     *         "gameType": "dice",
                     *         "rules": "dice/1",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "wager": 20000,
                     *         "payout": 39600,
                     *         "multiplier": 1.98,
                     *         "config": {
                     *           "target": 50,
                     *           "direction": "over"
                     *         },
                     *         "outcome": {
                     *           "roll": 82.05
                     *         },
                     *         "serverSeedHash": "7160ce03d64ff57d3fd3f6a53d1d8b60ec5af17e5a39ed1286b7b0ddf90df0ed",
                     *         "serverSeed": null,
                     *         "clientSeed": "535307426d32d9799ce2a0d8ed448fb3",
                     *         "clientSeedSource": "server",
                     *         "nonce": 3,
                     *         "createdAt": 1795262403000,
                     *         "balanceBefore": 49969997,
                     *         "balanceAfter": 49989597
                     *       }
                     *     }
                     */
                    "application/json": {
                        round: components["schemas"]["SettledRound"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    historyProof: {
        parameters: {
            query?: {
                /** @description Adds the proof that the log has the block. */
                log?: "true";
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The receipt. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "receipt": {
                     *         "text": "casino receipt 1\nledger: 019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d\ncasino block 3\nlane: 0\nseq: 5\nepoch: 1\nprevious: 9fd883d06ceecc7cc9365950f372a6ccad0800fc2e3b553bcc0aada3036a682c\ntime: 1773480413589793\nroot: 4b1c263503e89ded8e53d4f8f64a6a887ab76651bfe182be828cec792d1e3b67\nsize: 2\n",
                     *         "kid": "2026-01",
                     *         "signature": "7KITWogvTSBwunm6TFcs9qefbsAOVQCw6/0HLa0E6BuP2fCmiU3U8pcCiepxCYRd6rWkKKD/1KjawuucTcVMCQ==",
                     *         "index": 1,
                     *         "path": "UFsdCG2r8bsaBc48glNrWpTzYwDpUnGpEvNNfrEp6Hk=",
                     *         "leaf": {
                     *           "kind": "round",
                     *           "agentCode": "house",
                     *           "pairId": "019cebab-8995-7e42-94ca-e887978f470c",
                     *           "multiplier": "19800/10000",
                     *           "balance": 1009800,
                     *           "time": 1773480413589793
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        receipt: components["schemas"]["Receipt"];
                        log?: components["schemas"]["LogProof"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    seed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The hash of the active server seed, the nonce of the next round, and the hash of the server seed after it. The service ends a pair in the commit of a round - the one with nonce 9999, the first one after 30 days, and a void one. Its server seed is then revealed, and the next pair goes on with the player's client seed as `repeated`, or with another one of the server's. While rounds are open that are drawn from it, it is `closing` instead - the next pair goes on at once, and the end of the last of those rounds reveals it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "serverSeedHash": "7160ce03d64ff57d3fd3f6a53d1d8b60ec5af17e5a39ed1286b7b0ddf90df0ed",
                     *       "clientSeed": "535307426d32d9799ce2a0d8ed448fb3",
                     *       "clientSeedSource": "server",
                     *       "nonce": 4,
                     *       "nextServerSeedHash": "60859fad1c36184ccf34e2fdf76d1ac29da43033aae431313dec7ca733d70a1b"
                     *     }
                     */
                    "application/json": components["schemas"]["Seed"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateSeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `receipt` adds a receipt to the response (RFC 7240), where the service has a key for receipts. Other preferences are ignored. */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "clientSeed": "my own choice"
                 *     }
                 */
                "application/json": {
                    /** @description The player's choice for the next pair, best a new one each time; without it the server chooses and the rounds aren't called provably fair. */
                    clientSeed?: components["schemas"]["ClientSeed"];
                    /** @description When given, the active pair's hash; another one is INVALID_STATE. */
                    expectedServerSeedHash?: string;
                };
            };
        };
        responses: {
            /** @description What was revealed, and the pair that follows. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "revealed": {
                     *         "serverSeed": "208ccba1a3817a09b4d8110fd6e694cb87f14b7ef9a4bf92c8300200516c1bd9",
                     *         "serverSeedHash": "7160ce03d64ff57d3fd3f6a53d1d8b60ec5af17e5a39ed1286b7b0ddf90df0ed",
                     *         "clientSeed": "535307426d32d9799ce2a0d8ed448fb3",
                     *         "rounds": 4
                     *       },
                     *       "seed": {
                     *         "serverSeedHash": "60859fad1c36184ccf34e2fdf76d1ac29da43033aae431313dec7ca733d70a1b",
                     *         "clientSeed": "my own",
                     *         "clientSeedSource": "player",
                     *         "nonce": 0,
                     *         "nextServerSeedHash": "af2b1ba6875c0db3191b6faec2bfa6dd6b60463ba1d5032e6a2c9024455ceda6"
                     *       }
                     *     }
                     */
                    "application/json": {
                        revealed: {
                            serverSeed: components["schemas"]["ServerSeed"];
                            serverSeedHash: components["schemas"]["Hash"];
                            clientSeed: components["schemas"]["ClientSeed"];
                            /**
                             * Format: int64
                             * @description How many rounds it decided: the nonces 0 … rounds-1.
                             */
                            rounds: number | bigint;
                        };
                        seed: components["schemas"]["Seed"];
                        receipt?: components["schemas"]["Receipt"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["StateOrIdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    seedHistory: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "seeds": [
                     *         {
                     *           "id": "019cf0d1-e595-7482-b370-3b7679790a90",
                     *           "serverSeed": "208ccba1a3817a09b4d8110fd6e694cb87f14b7ef9a4bf92c8300200516c1bd9",
                     *           "serverSeedHash": "7160ce03d64ff57d3fd3f6a53d1d8b60ec5af17e5a39ed1286b7b0ddf90df0ed",
                     *           "clientSeed": "535307426d32d9799ce2a0d8ed448fb3",
                     *           "clientSeedSource": "server",
                     *           "rounds": 4
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 1,
                     *       "total": 1,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        seeds: components["schemas"]["RevealedSeed"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    launch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "gameCode": "cherry-rush",
                 *       "userCode": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                 *       "language": "pt"
                 *     }
                 */
                "application/json": {
                    /** @description A gameCode of a provider. */
                    gameCode: string;
                    /** @description The caller's own wallet. */
                    userCode: string;
                    /** @description A BCP 47 tag; the service's default language without it, pt unless it is configured. */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description Where the player is sent to. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://games.example/play/s-1"
                     *     }
                     */
                    "application/json": {
                        /** Format: uri */
                        url: string;
                    };
                };
            };
            400: components["responses"]["InvalidLaunch"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MayNotPlay"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["External"];
            503: components["responses"]["UnavailableOrChecking"];
        };
    };
    providerCallback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "method": "transaction",
                 *       "agent_code": "gold",
                 *       "agent_secret": "the secret of the connection",
                 *       "user_code": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                 *       "game_type": "slot",
                 *       "slot": {
                 *         "provider_code": "MAKER",
                 *         "game_code": "fruits",
                 *         "type": "base",
                 *         "bet_money": 20,
                 *         "win_money": 30,
                 *         "txn_id": "round-1",
                 *         "txn_type": "debit_credit"
                 *       }
                 *     }
                 */
                "*/*": unknown;
            };
        };
        responses: {
            /** @description `status` 1 with the balance, or 0 with the reason. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 1,
                     *       "user_balance": 1000.5
                     *     }
                     */
                    "application/json": components["schemas"]["ProviderReply"];
                };
            };
            400: components["responses"]["Invalid"];
            403: components["responses"]["ForbiddenAddress"];
            404: components["responses"]["NotFound"];
            /** @description More than 64 KiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderReply"];
                };
            };
            /** @description Too many malformed calls or wrong credentials from this address; with the body of any failure, too many calls from outside the provider's networks. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderReply"] | components["schemas"]["Error"];
                };
            };
            500: components["responses"]["Internal"];
            /** @description The outcome isn't known; send the same request again. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderReply"];
                };
            };
        };
    };
    goldCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                method: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agent_code": "gold",
                 *       "agent_secret": "the secret of the connection",
                 *       "user_code": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                 *       "game_type": "slot",
                 *       "slot": {
                 *         "provider_code": "MAKER",
                 *         "game_code": "fruits",
                 *         "type": "base",
                 *         "bet": 20,
                 *         "win": 30,
                 *         "txn_id": "round-1",
                 *         "txn_type": "debit_credit"
                 *       }
                 *     }
                 */
                "*/*": unknown;
            };
        };
        responses: {
            /** @description `status` 1 with the balance, or 0 with the reason. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": 1,
                     *       "user_balance": 1000.5
                     *     }
                     */
                    "application/json": components["schemas"]["ProviderReply"];
                };
            };
            400: components["responses"]["Invalid"];
            403: components["responses"]["ForbiddenAddress"];
            404: components["responses"]["NotFound"];
            /** @description More than 64 KiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderReply"];
                };
            };
            /** @description Too many malformed calls or wrong credentials from this address; with the body of any failure, too many calls from outside the provider's networks. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderReply"] | components["schemas"]["Error"];
                };
            };
            500: components["responses"]["Internal"];
            /** @description The outcome isn't known; send the same request again. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderReply"];
                };
            };
        };
    };
    hub88Callback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                subject: string;
                call: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                 *       "token": "the token of the launch",
                 *       "request_uuid": "583c985f-fee6-4c0e-bbf5-308aad6265af",
                 *       "transaction_uuid": "16d2dcfe-b89e-11e7-854a-58404eea6d16",
                 *       "game_code": "clt_dragonrising",
                 *       "currency": "EUR",
                 *       "amount": 100500
                 *     }
                 */
                "*/*": unknown;
            };
        };
        responses: {
            /** @description The published status, with the balance where it is known. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *       "status": "RS_OK",
                     *       "request_uuid": "583c985f-fee6-4c0e-bbf5-308aad6265af",
                     *       "currency": "EUR",
                     *       "balance": 100500
                     *     }
                     */
                    "application/json": components["schemas"]["Hub88Reply"];
                };
            };
            400: components["responses"]["Invalid"];
            403: components["responses"]["ForbiddenAddress"];
            404: components["responses"]["NotFound"];
            /** @description More than 64 KiB. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hub88Reply"];
                };
            };
            /** @description Too many malformed calls or wrong credentials from this address; with the body of any failure, too many calls from outside the provider's networks. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hub88Reply"] | components["schemas"]["Error"];
                };
            };
            500: components["responses"]["Internal"];
            /** @description The outcome isn't known; send the same request again. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Hub88Reply"];
                };
            };
        };
    };
    adminMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Role, level and permissions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *       "role": "readonly",
                     *       "level": 2,
                     *       "permissions": [
                     *         "admin:read"
                     *       ],
                     *       "agentCode": null
                     *     }
                     */
                    "application/json": components["schemas"]["AdminIdentity"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    overview: {
        parameters: {
            query?: {
                /** @description A moment, not in the future: what was booked within its millisecond is in. Left out, the present. */
                at?: components["parameters"]["At"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "players": 6,
                     *       "rounds": 7,
                     *       "tokens": [
                     *         {
                     *           "token": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v",
                     *           "wagered": 0,
                     *           "paid": 0,
                     *           "ggr": 0,
                     *           "liabilities": 0,
                     *           "held": 0,
                     *           "treasury": null,
                     *           "solvent": null,
                     *           "difference": null
                     *         },
                     *         {
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "wagered": 100003,
                     *           "paid": 3107800,
                     *           "ggr": -3007797,
                     *           "liabilities": 53002497,
                     *           "held": 6000,
                     *           "treasury": null,
                     *           "solvent": null,
                     *           "difference": null
                     *         }
                     *       ],
                     *       "agents": 2,
                     *       "providerGames": 17,
                     *       "withdrawals": {
                     *         "pending": 0,
                     *         "approved": 1,
                     *         "sending": 0,
                     *         "failed": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    ggrDaily: {
        parameters: {
            query?: {
                /** @description Days up to today, UTC. */
                days?: components["parameters"]["Days"];
                token?: components["parameters"]["TokenFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row a day and token. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": 2,
                     *       "metrics": [
                     *         {
                     *           "date": "2026-11-20",
                     *           "token": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v",
                     *           "rounds": 0,
                     *           "wagered": 0,
                     *           "paid": 0,
                     *           "ggr": 0
                     *         },
                     *         {
                     *           "date": "2026-11-20",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "rounds": 0,
                     *           "wagered": 0,
                     *           "paid": 0,
                     *           "ggr": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        days: number;
                        metrics: {
                            date: components["schemas"]["Day"];
                            token: components["schemas"]["Token"];
                            rounds: components["schemas"]["Count"];
                            wagered: components["schemas"]["Total"];
                            paid: components["schemas"]["Total"];
                            ggr: components["schemas"]["Total"];
                        }[];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    returns: {
        parameters: {
            query?: {
                /** @description Days up to today, UTC. */
                days?: components["parameters"]["Days"];
                token?: components["parameters"]["TokenFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The games that were played in the last days, today included. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": 2,
                     *       "games": [
                     *         {
                     *           "provider": "MAKER",
                     *           "gameType": "fruits",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "rounds": 2,
                     *           "wagered": 40000,
                     *           "paid": 3055000,
                     *           "rtp": "76.375000",
                     *           "theoreticalRtp": null,
                     *           "margin": null,
                     *           "status": "unknown"
                     *         },
                     *         {
                     *           "provider": "casino",
                     *           "gameType": "dice",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "rounds": 3,
                     *           "wagered": 40002,
                     *           "paid": 39600,
                     *           "rtp": "0.989950",
                     *           "theoreticalRtp": "0.989901",
                     *           "margin": "2.425054",
                     *           "status": "few"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        days: number;
                        games: {
                            /** @description `casino` for the house's own games. */
                            provider: string;
                            gameType: components["schemas"]["GameType"];
                            token: components["schemas"]["Token"];
                            rounds: components["schemas"]["Count"];
                            wagered: components["schemas"]["Total"];
                            paid: components["schemas"]["Total"];
                            rtp: string;
                            theoreticalRtp: string | null;
                            margin: string | null;
                            /** @enum {string} */
                            status: "within" | "outside" | "few" | "unknown";
                        }[];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adminGames: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
                wallet?: components["schemas"]["Wallet"];
                gameType?: components["schemas"]["GameType"];
                token?: components["parameters"]["TokenFilter"];
                agentCode?: components["schemas"]["AgentCode"];
                /** @description Inclusive. */
                from?: components["parameters"]["From"];
                /** @description Exclusive. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rounds": [
                     *         {
                     *           "id": "019cf0d1-f14d-7b8a-8a82-8000a7d555d0",
                     *           "provider": "MAKER",
                     *           "gameType": "fruits",
                     *           "rules": null,
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "wager": 0,
                     *           "payout": 3000000,
                     *           "multiplier": 0,
                     *           "config": null,
                     *           "outcome": null,
                     *           "serverSeedHash": null,
                     *           "serverSeed": null,
                     *           "clientSeed": null,
                     *           "clientSeedSource": null,
                     *           "nonce": null,
                     *           "createdAt": 1795262403000,
                     *           "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "agentCode": "house"
                     *         },
                     *         {
                     *           "id": "019cf0d1-f14d-7b8a-8a82-7ffcd2ae0966",
                     *           "provider": "MAKER",
                     *           "gameType": "fruits",
                     *           "rules": null,
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "wager": 20000,
                     *           "payout": 25000,
                     *           "multiplier": 1.25,
                     *           "config": null,
                     *           "outcome": null,
                     *           "serverSeedHash": null,
                     *           "serverSeed": null,
                     *           "clientSeed": null,
                     *           "clientSeedSource": null,
                     *           "nonce": null,
                     *           "createdAt": 1795262403000,
                     *           "wallet": "5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM",
                     *           "agentCode": "acme"
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 2,
                     *       "total": 8,
                     *       "nextCursor": "019cf0d1-f14d-7b8a-8a82-7ffcd2ae0966"
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        rounds: components["schemas"]["AdminRound"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPlayers: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
                wallet?: components["schemas"]["Wallet"];
                agentCode?: components["schemas"]["AgentCode"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description By wallet, the greatest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "players": [
                     *         {
                     *           "wallet": "5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM",
                     *           "agentCode": "acme",
                     *           "status": "excluded",
                     *           "createdAt": 1795262403000
                     *         },
                     *         {
                     *           "wallet": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *           "agentCode": "house",
                     *           "status": "active",
                     *           "createdAt": 1795262405000
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 20,
                     *       "total": 6,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        players: components["schemas"]["Player"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adminPlayer: {
        parameters: {
            query?: {
                /** @description A moment, not in the future: what was booked within its millisecond is in. Left out, the present. */
                at?: components["parameters"]["At"];
            };
            header?: never;
            path: {
                wallet: components["parameters"]["WalletPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The player with balances and open withdrawals. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *       "agentCode": "house",
                     *       "status": "active",
                     *       "createdAt": 1795262400000,
                     *       "exclusion": {
                     *         "status": "active",
                     *         "until": null,
                     *         "permanent": false,
                     *         "coolOffUntil": null
                     *       },
                     *       "limits": [
                     *         {
                     *           "kind": "loss",
                     *           "period": "day",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 40000000,
                     *           "by": "player",
                     *           "effectiveAt": 1795262403000
                     *         }
                     *       ],
                     *       "balances": [
                     *         {
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "balance": 52989797
                     *         }
                     *       ],
                     *       "owed": [],
                     *       "openWithdrawals": [
                     *         {
                     *           "id": "019cf0d1-f91d-70a4-b123-f80fb7715fc5",
                     *           "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 7000,
                     *           "fee": 0,
                     *           "destination": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "destinationIsOwner": true,
                     *           "status": "pending",
                     *           "approvals": 0,
                     *           "signature": null,
                     *           "reason": null,
                     *           "note": null,
                     *           "createdAt": 1795262405000,
                     *           "updatedAt": 1795262405000
                     *         },
                     *         {
                     *           "id": "019cf0d1-f535-7493-a756-ac08bb9c0de0",
                     *           "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 6000,
                     *           "fee": 0,
                     *           "destination": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "destinationIsOwner": true,
                     *           "status": "pending",
                     *           "approvals": 0,
                     *           "signature": null,
                     *           "reason": null,
                     *           "note": null,
                     *           "createdAt": 1795262404000,
                     *           "updatedAt": 1795262404000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerDetails"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adminLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet: components["parameters"]["WalletPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As at /account/limits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limits": [
                     *         {
                     *           "kind": "loss",
                     *           "period": "day",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 40000000,
                     *           "by": "player",
                     *           "effectiveAt": 1795262403000
                     *         },
                     *         {
                     *           "kind": "loss",
                     *           "period": "day",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 90000000,
                     *           "by": "operator",
                     *           "effectiveAt": 1795262405000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Limits"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adminSetLimits: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet: components["parameters"]["WalletPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "limits": [
                 *         {
                 *           "amount": 90000000,
                 *           "kind": "loss",
                 *           "period": "day",
                 *           "token": "So11111111111111111111111111111111111111112"
                 *         }
                 *       ],
                 *       "reason": "asked by phone"
                 *     }
                 */
                "application/json": components["schemas"]["AdminLimitsRequest"];
            };
        };
        responses: {
            /** @description The limits as they stand. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "limits": [
                     *         {
                     *           "kind": "loss",
                     *           "period": "day",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 40000000,
                     *           "by": "player",
                     *           "effectiveAt": 1795262403000
                     *         },
                     *         {
                     *           "kind": "loss",
                     *           "period": "day",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 90000000,
                     *           "by": "operator",
                     *           "effectiveAt": 1795262405000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Limits"];
                };
            };
            400: components["responses"]["InvalidToken"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adminExclude: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet: components["parameters"]["WalletPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "permanent": true,
                 *       "reason": "asked by phone"
                 *     }
                 */
                "application/json": components["schemas"]["AdminExclusionRequest"];
            };
        };
        responses: {
            /** @description The exclusion. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exclusion": {
                     *         "status": "excluded",
                     *         "until": null,
                     *         "permanent": true,
                     *         "coolOffUntil": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExclusionResponse"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    freeze: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet: components["parameters"]["WalletPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "frozen": false,
                 *       "reason": "settled"
                 *     }
                 */
                "application/json": {
                    frozen: boolean;
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The player's exclusion and freeze as they are now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "exclusion": {
                     *         "status": "frozen",
                     *         "until": null,
                     *         "permanent": false,
                     *         "coolOffUntil": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ExclusionResponse"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rebindPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet: components["parameters"]["WalletPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentCode": "acme",
                 *       "reason": "moved"
                 *     }
                 */
                "application/json": {
                    agentCode: components["schemas"]["AgentCode"];
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The player with the new agent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "player": {
                     *         "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "agentCode": "acme",
                     *         "status": "active",
                     *         "createdAt": 1795262400000
                     *       }
                     *     }
                     */
                    "application/json": {
                        player: components["schemas"]["Player"];
                    };
                };
            };
            400: components["responses"]["InvalidRole"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RebindForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAgents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agents. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agents": [
                     *         {
                     *           "id": "019cf0d1-f14d-7b8a-8a82-7fe8905cefd9",
                     *           "agentCode": "acme",
                     *           "agentName": "Acme",
                     *           "status": "active",
                     *           "rtp": 96.5,
                     *           "percent": 12,
                     *           "siteEndpoint": "https://acme.example/api",
                     *           "ipAllowlist": [
                     *             "192.0.2.0/24",
                     *             "198.51.100.7"
                     *           ],
                     *           "memo": "=calls on Mondays",
                     *           "funds": [
                     *             {
                     *               "token": "So11111111111111111111111111111111111111112",
                     *               "balance": 900000000,
                     *               "reserved": 0,
                     *               "creditLimit": 5000
                     *             }
                     *           ],
                     *           "createdAt": 1795262403000,
                     *           "updatedAt": 1795262403000
                     *         },
                     *         {
                     *           "id": "house",
                     *           "agentCode": "house",
                     *           "agentName": "House",
                     *           "status": "active",
                     *           "rtp": 95,
                     *           "percent": 0,
                     *           "siteEndpoint": null,
                     *           "ipAllowlist": [],
                     *           "memo": null,
                     *           "funds": [],
                     *           "createdAt": 0,
                     *           "updatedAt": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        agents: components["schemas"]["Agent"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "agentCode": "acme",
                 *       "agentName": "Acme",
                 *       "ipAllowlist": [
                 *         "192.0.2.0/24",
                 *         "198.51.100.7"
                 *       ],
                 *       "memo": null,
                 *       "percent": 12,
                 *       "rtp": 96.5,
                 *       "siteEndpoint": "https://acme.example/api"
                 *     }
                 */
                "application/json": {
                    agentName: string;
                    /** @enum {string} */
                    status?: "active" | "blocked";
                    rtp?: components["schemas"]["Percent"];
                    percent?: components["schemas"]["Percent"];
                    /** @description https on a public host name. Where the players' money is kept that play providers' games; null keeps it here. Rounds settle where they began. */
                    siteEndpoint?: string | null;
                    /** @description Addresses and networks; none for any. */
                    ipAllowlist?: string[];
                    memo?: string | null;
                    agentCode: string;
                };
            };
        };
        responses: {
            /** @description The agent with its credentials. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7fe8905cefd9",
                     *         "agentCode": "acme",
                     *         "agentName": "Acme",
                     *         "status": "active",
                     *         "rtp": 96.5,
                     *         "percent": 12,
                     *         "siteEndpoint": "https://acme.example/api",
                     *         "ipAllowlist": [
                     *           "192.0.2.0/24",
                     *           "198.51.100.7"
                     *         ],
                     *         "memo": null,
                     *         "funds": [],
                     *         "createdAt": 1795262403000,
                     *         "updatedAt": 1795262403000
                     *       },
                     *       "token": "agt_0000000000000000000000000000000000000000000000000000000000000000",
                     *       "secret": "ags_0000000000000000000000000000000000000000000000000000000000000000"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCredentials"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["AgentTaken"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The agent is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "memo": "=calls on Mondays"
                 *     }
                 */
                "application/json": {
                    agentName?: string;
                    /** @enum {string} */
                    status?: "active" | "blocked";
                    rtp?: components["schemas"]["Percent"];
                    percent?: components["schemas"]["Percent"];
                    /** @description https on a public host name. Where the players' money is kept that play providers' games; null keeps it here. Rounds settle where they began. */
                    siteEndpoint?: string | null;
                    /** @description Addresses and networks; none for any. */
                    ipAllowlist?: string[];
                    memo?: string | null;
                };
            };
        };
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7fe8905cefd9",
                     *         "agentCode": "acme",
                     *         "agentName": "Acme",
                     *         "status": "active",
                     *         "rtp": 96.5,
                     *         "percent": 12,
                     *         "siteEndpoint": "https://acme.example/api",
                     *         "ipAllowlist": [
                     *           "192.0.2.0/24",
                     *           "198.51.100.7"
                     *         ],
                     *         "memo": "=calls on Mondays",
                     *         "funds": [
                     *           {
                     *             "token": "So11111111111111111111111111111111111111112",
                     *             "balance": 900000000,
                     *             "reserved": 0,
                     *             "creditLimit": 5000
                     *           }
                     *         ],
                     *         "createdAt": 1795262403000,
                     *         "updatedAt": 1795262403000
                     *       }
                     *     }
                     */
                    "application/json": {
                        agent: components["schemas"]["Agent"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The agent with its new credentials. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agent": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7fe8905cefd9",
                     *         "agentCode": "acme",
                     *         "agentName": "Acme",
                     *         "status": "active",
                     *         "rtp": 96.5,
                     *         "percent": 12,
                     *         "siteEndpoint": "https://acme.example/api",
                     *         "ipAllowlist": [
                     *           "192.0.2.0/24",
                     *           "198.51.100.7"
                     *         ],
                     *         "memo": "=calls on Mondays",
                     *         "funds": [
                     *           {
                     *             "token": "So11111111111111111111111111111111111111112",
                     *             "balance": 900000000,
                     *             "reserved": 0,
                     *             "creditLimit": 5000
                     *           }
                     *         ],
                     *         "createdAt": 1795262403000,
                     *         "updatedAt": 1795262403000
                     *       },
                     *       "token": "agt_0000000000000000000000000000000000000000000000000000000000000000",
                     *       "secret": "ags_0000000000000000000000000000000000000000000000000000000000000000"
                     *     }
                     */
                    "application/json": components["schemas"]["AgentCredentials"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    fundAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "amount": 900000000,
                 *       "reason": "wire 7",
                 *       "token": "So11111111111111111111111111111111111111112"
                 *     }
                 */
                "application/json": {
                    token: components["schemas"]["Token"];
                    /**
                     * Format: int64
                     * @description Into the account when positive; not 0.
                     */
                    amount: number | bigint;
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The booking and the balance after it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "agentCode": "acme",
                     *       "token": "So11111111111111111111111111111111111111112",
                     *       "balance": 900000000,
                     *       "booking": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7fea1d8f55e6",
                     *         "amount": 900000000,
                     *         "reason": "wire 7",
                     *         "createdAt": 1795262403000
                     *       }
                     *     }
                     */
                    "application/json": {
                        agentCode: components["schemas"]["AgentCode"];
                        token: components["schemas"]["Token"];
                        /**
                         * Format: int64
                         * @description Below zero when the agent owes.
                         */
                        balance: number | bigint;
                        booking: {
                            id: string;
                            /** Format: int64 */
                            amount: number | bigint;
                            reason: string;
                            createdAt: components["schemas"]["Time"];
                        };
                    };
                };
            };
            202: components["responses"]["Asked"];
            400: components["responses"]["InvalidFunding"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    limitCredit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "creditLimit": 5000,
                 *       "token": "So11111111111111111111111111111111111111112"
                 *     }
                 */
                "application/json": {
                    token: components["schemas"]["Token"];
                    /** Format: int64 */
                    creditLimit: number | bigint;
                };
            };
        };
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "funds": {
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "balance": 900000000,
                     *         "reserved": 0,
                     *         "creditLimit": 5000
                     *       }
                     *     }
                     */
                    "application/json": {
                        funds: components["schemas"]["Funds"];
                    };
                };
            };
            400: components["responses"]["InvalidFunding"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [
                     *         {
                     *           "id": "019cf0d1-f91d-70a4-b123-f84f1748cacc",
                     *           "agentCode": "house",
                     *           "url": "https://hooks.example.com/",
                     *           "types": [],
                     *           "state": "disabled",
                     *           "reason": "admin",
                     *           "cursor": "",
                     *           "next": null,
                     *           "failingSince": null,
                     *           "previousSecretUntil": 1795348805000,
                     *           "createdAt": 1795262405000,
                     *           "updatedAt": 1795262405000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        webhooks: components["schemas"]["Webhook"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "types": [
                 *         "casino.round.settled",
                 *         "funds.booked"
                 *       ],
                 *       "url": "https://hooks.example.com/"
                 *     }
                 */
                "application/json": {
                    /** @description https on a public host name; all of its addresses are on the public internet. */
                    url: string;
                    /** @description Only these types, with or without `casino.`; none for all that an agent may hear. */
                    types?: string[];
                    /** @description The place to begin after: the `cursor` of an event, or empty for the beginning. */
                    from?: string;
                };
            };
        };
        responses: {
            /** @description The endpoint with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f84f1748cacc",
                     *         "agentCode": "house",
                     *         "url": "https://hooks.example.com/",
                     *         "types": [
                     *           "funds.booked",
                     *           "round.settled"
                     *         ],
                     *         "state": "active",
                     *         "reason": null,
                     *         "cursor": "AQEAQwAASWHRceHq2Kw",
                     *         "next": null,
                     *         "failingSince": null,
                     *         "previousSecretUntil": null,
                     *         "createdAt": 1795262405000,
                     *         "updatedAt": 1795262405000
                     *       },
                     *       "secret": "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["WebhookConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f84f1748cacc",
                     *         "agentCode": "house",
                     *         "url": "https://hooks.example.com/",
                     *         "types": [
                     *           "funds.booked",
                     *           "round.settled"
                     *         ],
                     *         "state": "active",
                     *         "reason": null,
                     *         "cursor": "AQEAQwAASWHRceHq2Kw",
                     *         "next": null,
                     *         "failingSince": null,
                     *         "previousSecretUntil": null,
                     *         "createdAt": 1795262405000,
                     *         "updatedAt": 1795262405000
                     *       }
                     *     }
                     */
                    "application/json": {
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The endpoint is deleted. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "",
                 *       "state": "disabled",
                 *       "types": []
                 *     }
                 */
                "application/json": {
                    /** @description https on a public host name; all of its addresses are on the public internet. */
                    url?: string;
                    /** @description Only these types, with or without `casino.`; none for all that an agent may hear. */
                    types?: string[];
                    /** @enum {string} */
                    state?: "active" | "disabled";
                    /** @description The place to begin after: the `cursor` of an event, or empty for the beginning. */
                    from?: string;
                };
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f84f1748cacc",
                     *         "agentCode": "house",
                     *         "url": "https://hooks.example.com/",
                     *         "types": [],
                     *         "state": "disabled",
                     *         "reason": "admin",
                     *         "cursor": "",
                     *         "next": null,
                     *         "failingSince": null,
                     *         "previousSecretUntil": null,
                     *         "createdAt": 1795262405000,
                     *         "updatedAt": 1795262405000
                     *       }
                     *     }
                     */
                    "application/json": {
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The endpoint with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f84f1748cacc",
                     *         "agentCode": "house",
                     *         "url": "https://hooks.example.com/",
                     *         "types": [],
                     *         "state": "disabled",
                     *         "reason": "admin",
                     *         "cursor": "",
                     *         "next": null,
                     *         "failingSince": null,
                     *         "previousSecretUntil": 1795348805000,
                     *         "createdAt": 1795262405000,
                     *         "updatedAt": 1795262405000
                     *       },
                     *       "secret": "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deadLetters: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                id: components["parameters"]["Id"];
                webhookId: components["parameters"]["WebhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The dead letters. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deadLetters": [],
                     *       "page": 1,
                     *       "limit": 20,
                     *       "total": 0,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        deadLetters: components["schemas"]["DeadLetter"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendDeadLetter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
                webhookId: components["parameters"]["WebhookId"];
                deadLetterId: string;
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The dead letter, which is due. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deadLetter": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f84f1748cacc",
                     *         "eventId": "0.4711.6.1",
                     *         "type": "casino.round.settled",
                     *         "eventAt": 1795262400000,
                     *         "event": null,
                     *         "tries": 10,
                     *         "status": 500,
                     *         "failure": null,
                     *         "triedAt": 1795266000000,
                     *         "due": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        deadLetter: components["schemas"]["DeadLetter"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revenueShare: {
        parameters: {
            query?: {
                /** @description Days up to today, UTC. */
                days?: components["parameters"]["Days"];
                agentCode?: components["schemas"]["AgentCode"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shares. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "days": 2,
                     *       "shares": [
                     *         {
                     *           "date": "2026-11-21",
                     *           "agentCode": "house",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "rounds": 5,
                     *           "wagered": 60003,
                     *           "paid": 52800,
                     *           "ggr": 7203,
                     *           "percent": 0,
                     *           "share": 0
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        days: number;
                        shares: components["schemas"]["Share"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    providerGames: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
                provider?: string;
                enabled?: boolean;
                /** @description A part of the code or the name. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The games. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "games": [
                     *         {
                     *           "gameCode": "slots",
                     *           "provider": "casino",
                     *           "name": "Slots",
                     *           "type": "instant",
                     *           "banner": null,
                     *           "enabled": false,
                     *           "vanished": false,
                     *           "updatedAt": 1795262403000
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 20,
                     *       "total": 1,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        games: components["schemas"]["ProviderGame"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    switchGame: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                gameCode: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "enabled": false
                 *     }
                 */
                "application/json": {
                    enabled: boolean;
                    reason?: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The game. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "game": {
                     *         "gameCode": "slots",
                     *         "provider": "casino",
                     *         "name": "Slots",
                     *         "type": "instant",
                     *         "banner": null,
                     *         "enabled": false,
                     *         "vanished": false,
                     *         "updatedAt": 1795262403000
                     *       }
                     *     }
                     */
                    "application/json": {
                        game: components["schemas"]["ProviderGame"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    providerReviews: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wins. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reviews": [
                     *         {
                     *           "id": "019cf0d1-f14d-7b8a-8a82-7ffc620eeb0d",
                     *           "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "agentCode": "house",
                     *           "provider": "MAKER",
                     *           "gameCode": "fruits",
                     *           "txnId": "loose-2",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 3000000,
                     *           "reason": "CREDIT_WITHOUT_DEBIT_CAP",
                     *           "createdAt": 1795262403000
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 1,
                     *       "total": 2,
                     *       "nextCursor": "019cf0d1-f14d-7b8a-8a82-7ffc620eeb0d"
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        reviews: components["schemas"]["ProviderReview"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    decideProviderReview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "pay": true,
                 *       "reason": "checked"
                 *     }
                 */
                "application/json": {
                    pay: boolean;
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description Decided. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "review": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7ffc620eeb0d",
                     *         "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "agentCode": "house",
                     *         "provider": "MAKER",
                     *         "gameCode": "fruits",
                     *         "txnId": "loose-2",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": 3000000,
                     *         "reason": "CREDIT_WITHOUT_DEBIT_CAP",
                     *         "createdAt": 1795262403000
                     *       },
                     *       "paid": true,
                     *       "balance": 53002797
                     *     }
                     */
                    "application/json": {
                        review: components["schemas"]["ProviderReview"];
                        paid: boolean;
                        balance: components["schemas"]["Balance"];
                    };
                };
            };
            202: components["responses"]["Asked"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    providerRoutes: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
                /** @description `open` for all that are not settled. */
                status?: "open" | "asking" | "paid" | "declined" | "unknown" | "reversing" | "reversed" | "delivering" | "delivered" | "rejected" | "closed";
                agentCode?: components["schemas"]["AgentCode"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "routes": [
                     *         {
                     *           "id": "019cf0d1-f14d-7b8a-8a82-7ffea143f7c3",
                     *           "transactionId": "019cf0d1-f14d-7b8a-8a82-7ffea143f7c3",
                     *           "leg": "credit",
                     *           "status": "rejected",
                     *           "wallet": "5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM",
                     *           "agentCode": "acme",
                     *           "siteEndpoint": "https://acme.example/api",
                     *           "provider": "MAKER",
                     *           "gameCode": "fruits",
                     *           "txnId": "bet-1",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 25000,
                     *           "createdAt": 1795262403000,
                     *           "updatedAt": 1795262403000
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 20,
                     *       "total": 1,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        routes: components["schemas"]["ProviderRoute"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    decideProviderRoute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "close",
                 *       "reason": "paid by hand"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    action: "resend" | "close";
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The delivery as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "route": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7ffea143f7c3",
                     *         "transactionId": "019cf0d1-f14d-7b8a-8a82-7ffea143f7c3",
                     *         "leg": "credit",
                     *         "status": "closed",
                     *         "wallet": "5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM",
                     *         "agentCode": "acme",
                     *         "siteEndpoint": "https://acme.example/api",
                     *         "provider": "MAKER",
                     *         "gameCode": "fruits",
                     *         "txnId": "bet-1",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": 25000,
                     *         "createdAt": 1795262403000,
                     *         "updatedAt": 1795262403000
                     *       }
                     *     }
                     */
                    "application/json": {
                        route: components["schemas"]["ProviderRoute"];
                    };
                };
            };
            400: components["responses"]["InvalidRouteDecision"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adminEvents: {
        parameters: {
            query?: {
                /** @description Only these types, with commas between them. */
                types?: string;
                /** @description Only what concerns this player. */
                wallet?: components["schemas"]["Wallet"];
                limit?: number;
                /** @description The `nextCursor` of a page, or an event's `id`. */
                cursor?: components["schemas"]["EventCursor"];
            };
            header?: {
                /** @description The last `id` that was heard of a stream. */
                "Last-Event-ID"?: components["schemas"]["EventCursor"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "events": [
                     *         {
                     *           "specversion": "1.0",
                     *           "id": "0.22.0",
                     *           "source": "urn:casino",
                     *           "type": "casino.agent.created",
                     *           "subject": "acme",
                     *           "time": "2026-11-21T09:26:56.589793Z",
                     *           "datacontenttype": "application/json",
                     *           "dataschema": "https://github.com/casino-service/casino/blob/main/docs/events/v1/agent.created.json",
                     *           "sequence": "0000000000000000022.0000000.0",
                     *           "cursor": "AQEAFgEACiHHeSqj7BY",
                     *           "data": {
                     *             "id": "019cf0d1-f14d-7b8a-8a82-7fe9106ea1e1",
                     *             "action": "agent.created",
                     *             "by": "3DT1RLPyvS77A35htJqtyPbYNa6GUwkWPfRynLNhbGA2",
                     *             "target": "acme",
                     *             "before": null,
                     *             "after": "active, name Acme, rtp 96.50, percent 12.00, site https://acme.example/api, from 192.0.2.0/24 198.51.100.7/32, memo ",
                     *             "createdAt": 1795262403000,
                     *             "requestId": "019cf0d1-f14d-7b8a-8a82-7fe7cf6b6116"
                     *           }
                     *         },
                     *         {
                     *           "specversion": "1.0",
                     *           "id": "0.23.2",
                     *           "source": "urn:casino",
                     *           "type": "casino.funds.booked",
                     *           "subject": "019cf0d1-f14d-7b8a-8a82-7fea1d8f55e6",
                     *           "time": "2026-11-21T09:26:56.589793Z",
                     *           "datacontenttype": "application/json",
                     *           "dataschema": "https://github.com/casino-service/casino/blob/main/docs/events/v1/funds.booked.json",
                     *           "sequence": "0000000000000000023.0000002.0",
                     *           "cursor": "AQEAFwMAB5R7dcLRJ5Q",
                     *           "data": {
                     *             "id": "019cf0d1-f14d-7b8a-8a82-7fea1d8f55e6",
                     *             "agentCode": "acme",
                     *             "token": "So11111111111111111111111111111111111111112",
                     *             "amount": 900000000,
                     *             "balance": 900000000,
                     *             "reason": "wire 7",
                     *             "by": "3DT1RLPyvS77A35htJqtyPbYNa6GUwkWPfRynLNhbGA2"
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": "AQEAHAAA3-OCfKEH0us",
                     *       "more": true
                     *     }
                     */
                    "application/json": {
                        events: components["schemas"]["Event"][];
                        nextCursor: components["schemas"]["EventCursor"];
                        more: boolean;
                    };
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            409: components["responses"]["InvalidState"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The kinds of reports. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reports": [
                     *         {
                     *           "kind": "sessions",
                     *           "summary": "Players' sign-ins, and when they signed out everywhere.",
                     *           "permission": "audit:read",
                     *           "parameters": [
                     *             "from",
                     *             "to",
                     *             "agentCode",
                     *             "wallet"
                     *           ],
                     *           "required": [
                     *             "from",
                     *             "to"
                     *           ],
                     *           "columns": [
                     *             {
                     *               "name": "at",
                     *               "type": "time",
                     *               "meaning": "when it was recorded"
                     *             },
                     *             {
                     *               "name": "player",
                     *               "type": "text",
                     *               "meaning": "the player's wallet"
                     *             },
                     *             {
                     *               "name": "action",
                     *               "type": "text",
                     *               "meaning": "`session.opened` or `sessions.ended`"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        reports: components["schemas"]["ReportKind"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    runReport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A kind of GET /admin/reports. */
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2026-11-20",
                 *       "to": "2026-11-20"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Length of the periods, `day` if left out.
                     * @enum {string}
                     */
                    by?: "day" | "month" | "year";
                    from?: components["schemas"]["Day"];
                    to?: components["schemas"]["Day"];
                    /** @description Unix milliseconds. */
                    at?: number | bigint;
                    token?: components["schemas"]["Token"];
                    agentCode?: components["schemas"]["AgentCode"];
                    wallet?: components["schemas"]["Wallet"];
                    atLeast?: components["schemas"]["Amount"];
                };
            };
        };
        responses: {
            /** @description The rows, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "Report-Sha256": components["headers"]["Report-Sha256"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "kind": "sessions",
                     *       "parameters": [
                     *         {
                     *           "name": "from",
                     *           "value": "2026-11-20"
                     *         },
                     *         {
                     *           "name": "to",
                     *           "value": "2026-11-20"
                     *         }
                     *       ],
                     *       "columns": [
                     *         {
                     *           "name": "at",
                     *           "type": "time",
                     *           "meaning": "when it was recorded"
                     *         },
                     *         {
                     *           "name": "player",
                     *           "type": "text",
                     *           "meaning": "the player's wallet"
                     *         },
                     *         {
                     *           "name": "action",
                     *           "type": "text",
                     *           "meaning": "`session.opened` or `sessions.ended`"
                     *         }
                     *       ],
                     *       "rows": [],
                     *       "noActivity": true,
                     *       "closed": true,
                     *       "runAt": 1795262405000,
                     *       "recordId": "019cf0d1-f91d-70a4-b123-f825fae72dee",
                     *       "sha256": "5f7a5bc0a4dd5a2b9d6a8e8f5f7a5bc0a4dd5a2b9d6a8e8f5f7a5bc0a4dd5a2b"
                     *     }
                     */
                    "application/json": components["schemas"]["Report"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    auditLog: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
                by?: components["schemas"]["Wallet"];
                /** @description What was changed: a wallet, an id. */
                target?: string;
                action?: string;
                /** @description `players`: what players did to their own account (sign-ins, sign-outs, limits, exclusions and breaks of their own). `admins`: everything else. Left out it is `admins`, and `all` where `by`, `target` or `action` is given. */
                part?: "admins" | "players" | "all";
                /** @description Inclusive. */
                from?: components["parameters"]["From"];
                /** @description Exclusive. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "records": [
                     *         {
                     *           "id": "019cf0d1-f91d-70a4-b123-f825fae72dee",
                     *           "action": "payouts.paused",
                     *           "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *           "target": "payouts",
                     *           "before": "running",
                     *           "after": "paused: odd payouts",
                     *           "createdAt": 1795262405000,
                     *           "requestId": "019cf0d1-f91d-70a4-b123-f825dbfdb221"
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 20,
                     *       "total": 1,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        records: components["schemas"]["AuditRecord"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAlarms: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
                state?: "open" | "cleared";
                kind?: components["schemas"]["AlarmKind"];
                /** @description The subject: a withdrawal's id, a token, a signature. */
                about?: string;
                agentCode?: components["schemas"]["AgentCode"];
                /** @description Inclusive. */
                from?: components["parameters"]["From"];
                /** @description Exclusive. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first, by when they were raised. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "alarms": [
                     *         {
                     *           "id": "019cf0d1-f91d-70a4-b123-f825fae72dee",
                     *           "kind": "payout_stuck",
                     *           "message": "payout is stuck",
                     *           "ending": "condition",
                     *           "about": "019cf0d0-51c4-7b1e-9a55-2f0f4c1b8e11",
                     *           "agentCode": null,
                     *           "facts": [
                     *             {
                     *               "name": "status",
                     *               "value": "approved"
                     *             },
                     *             {
                     *               "name": "since",
                     *               "value": "2026-11-21T11:45:12Z"
                     *             }
                     *           ],
                     *           "raisedAt": 1795262412000,
                     *           "acknowledgedAt": null,
                     *           "acknowledgedBy": null,
                     *           "note": null,
                     *           "clearedAt": null,
                     *           "clearedBy": null,
                     *           "lastSeenAt": 1795262532000,
                     *           "seen": 3,
                     *           "runbook": "https://github.com/casino-service/casino/blob/main/docs/operations/alerts-money.md#casinopayoutstuck"
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 20,
                     *       "total": 1,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        alarms: components["schemas"]["Alarm"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    acknowledgeAlarm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "note": "The signer is being restarted.",
                 *       "clear": false
                 *     }
                 */
                "application/json": {
                    note: string;
                    /** @default false */
                    clear?: boolean;
                };
            };
        };
        responses: {
            /** @description The alarm as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "alarm": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f825fae72dee",
                     *         "kind": "payout_stuck",
                     *         "message": "payout is stuck",
                     *         "ending": "condition",
                     *         "about": "019cf0d0-51c4-7b1e-9a55-2f0f4c1b8e11",
                     *         "agentCode": null,
                     *         "facts": [
                     *           {
                     *             "name": "status",
                     *             "value": "approved"
                     *           },
                     *           {
                     *             "name": "since",
                     *             "value": "2026-11-21T11:45:12Z"
                     *           }
                     *         ],
                     *         "raisedAt": 1795262412000,
                     *         "acknowledgedAt": 1795262545000,
                     *         "acknowledgedBy": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *         "note": "The signer is being restarted.",
                     *         "clearedAt": null,
                     *         "clearedBy": null,
                     *         "lastSeenAt": 1795262532000,
                     *         "seen": 3,
                     *         "runbook": "https://github.com/casino-service/casino/blob/main/docs/operations/alerts-money.md#casinopayoutstuck"
                     *       }
                     *     }
                     */
                    "application/json": {
                        alarm: components["schemas"]["Alarm"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeWhitelabel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "title": "My Casino"
                 *     }
                 */
                "application/json": {
                    title?: string;
                    /** Format: uri */
                    logoUrl?: string;
                    accentColor?: string;
                };
            };
        };
        responses: {
            /** @description The whole branding. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Lucky",
                     *       "logoUrl": "https://example.com/logo.svg",
                     *       "accentColor": "#7c3aed"
                     *     }
                     */
                    "application/json": components["schemas"]["Branding"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adminTransactions: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
                type?: components["schemas"]["TransactionType"];
                status?: components["schemas"]["TransactionStatus"];
                wallet?: components["schemas"]["Wallet"];
                token?: components["parameters"]["TokenFilter"];
                agentCode?: components["schemas"]["AgentCode"];
                /** @description Inclusive. */
                from?: components["parameters"]["From"];
                /** @description Exclusive. */
                to?: components["parameters"]["To"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "transactions": [
                     *         {
                     *           "id": "019cf0d1-f91d-70a4-b123-f80fb7715fc5",
                     *           "type": "withdrawal",
                     *           "direction": "debit",
                     *           "status": "rejected",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 7000,
                     *           "destination": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "signature": null,
                     *           "reason": "=cmd",
                     *           "corrects": null,
                     *           "correctedBy": null,
                     *           "createdAt": 1795262405000,
                     *           "updatedAt": 1795262405000,
                     *           "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs"
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 20,
                     *       "total": 1,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        transactions: components["schemas"]["AdminTransaction"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adminBalances: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                user: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sorted by token; zero balances that once moved are shown. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *       "balances": [
                     *         {
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "balance": 52996497
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        wallet: components["schemas"]["Wallet"];
                        balances: components["schemas"]["TokenBalance"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adjustBalance: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The player's wallet; one that never signed in is NOT_FOUND. */
                user: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "So11111111111111111111111111111111111111112",
                 *       "amount": -5000,
                 *       "reason": "double credit of 2026-11-20"
                 *     }
                 */
                "application/json": {
                    token: components["schemas"]["Token"];
                    /**
                     * Format: int64
                     * @description Credit when positive, debit when negative; not 0.
                     */
                    amount: number | bigint;
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The adjustment and the balance after it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *       "token": "So11111111111111111111111111111111111111112",
                     *       "balance": 52996497,
                     *       "transaction": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f81c62688f43",
                     *         "type": "adjustment",
                     *         "direction": "debit",
                     *         "status": "completed",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": 300,
                     *         "destination": null,
                     *         "signature": null,
                     *         "reason": "a mistake",
                     *         "corrects": null,
                     *         "correctedBy": null,
                     *         "createdAt": 1795262405000,
                     *         "updatedAt": 1795262405000
                     *       }
                     *     }
                     */
                    "application/json": {
                        wallet: components["schemas"]["Wallet"];
                        token: components["schemas"]["Token"];
                        balance: components["schemas"]["Balance"];
                        transaction: components["schemas"]["Transaction"];
                    };
                };
            };
            202: components["responses"]["Asked"];
            400: components["responses"]["InvalidAdjustment"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    adminWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The withdrawal, and who approved it since it was requested or last failed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "withdrawal": {
                     *         "id": "019cf0d1-f535-7493-a756-ac08bb9c0de0",
                     *         "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": 6000,
                     *         "fee": 0,
                     *         "destination": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "destinationIsOwner": true,
                     *         "status": "approved",
                     *         "approvals": 1,
                     *         "signature": null,
                     *         "reason": null,
                     *         "note": "known",
                     *         "createdAt": 1795262404000,
                     *         "updatedAt": 1795262405000
                     *       },
                     *       "approvals": [
                     *         {
                     *           "by": "3CpfwUAwjDaAZqpaLBWjuQPckEzNjibXE6jPGGLs8mzb",
                     *           "at": 1795262405000,
                     *           "note": "known",
                     *           "message": null,
                     *           "timestamp": null,
                     *           "signature": null
                     *         }
                     *       ],
                     *       "treasury": "3DjhYVJvppBHwDffMSi4SrXZyNSqMqYUQ7E2cpwZtGTY",
                     *       "signatureRequired": false
                     *     }
                     */
                    "application/json": components["schemas"]["WithdrawalDetails"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                 *       "note": "checked"
                 *     }
                 */
                "application/json": {
                    id: string;
                    note?: string;
                    /**
                     * Format: int64
                     * @description Unix milliseconds, as signed; with `signature`.
                     */
                    timestamp?: number | bigint;
                    /** @description Standard padded base64 of the 64 signature bytes. */
                    signature?: string;
                };
            };
        };
        responses: {
            /** @description The withdrawal after the decision. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "withdrawal": {
                     *         "id": "019cf0d1-f535-7493-a756-ac08bb9c0de0",
                     *         "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": 6000,
                     *         "fee": 0,
                     *         "destination": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "destinationIsOwner": true,
                     *         "status": "approved",
                     *         "approvals": 1,
                     *         "signature": null,
                     *         "reason": null,
                     *         "note": "known",
                     *         "createdAt": 1795262404000,
                     *         "updatedAt": 1795262405000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DecidedWithdrawal"];
                };
            };
            400: components["responses"]["InvalidDecision"];
            401: components["responses"]["ApprovalUnauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["StateOrIdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rejectWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019a9f3e-7c1a-7a3b-8d2e-0c1f2a3b4c5d",
                 *       "reason": "identity not confirmed"
                 *     }
                 */
                "application/json": {
                    id: string;
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The withdrawal after the decision. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "withdrawal": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f80fb7715fc5",
                     *         "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": 7000,
                     *         "fee": 0,
                     *         "destination": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *         "destinationIsOwner": true,
                     *         "status": "rejected",
                     *         "approvals": 0,
                     *         "signature": null,
                     *         "reason": "=cmd",
                     *         "note": null,
                     *         "createdAt": 1795262405000,
                     *         "updatedAt": 1795262405000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DecidedWithdrawal"];
                };
            };
            400: components["responses"]["InvalidDecision"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["StateOrIdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    unclaimedBalances: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
                wallet?: components["schemas"]["Wallet"];
                token?: components["parameters"]["TokenFilter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The unclaimed balances. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "unclaimed": [
                     *         {
                     *           "wallet": "EusgXc6pfYkywhR6KV6PpZKhvWHdDzz5xv3G4GBgSdEF",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 9000
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 20,
                     *       "total": 1,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        unclaimed: {
                            wallet: components["schemas"]["Wallet"];
                            token: components["schemas"]["Token"];
                            amount: components["schemas"]["Amount"];
                        }[];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    assignUnclaimed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "wallet": "EusgXc6pfYkywhR6KV6PpZKhvWHdDzz5xv3G4GBgSdEF",
                 *       "to": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                 *       "token": "So11111111111111111111111111111111111111112",
                 *       "amount": 9000,
                 *       "reason": "withdrew from the exchange",
                 *       "evidence": "receipt 7"
                 *     }
                 */
                "application/json": {
                    wallet: components["schemas"]["Wallet"];
                    to: components["schemas"]["Wallet"];
                    token: components["schemas"]["Token"];
                    amount: components["schemas"]["Amount"];
                    reason: components["schemas"]["Reason"];
                    /** @description What proves that the money is the player's. */
                    evidence: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The credit and the player's balance after it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *       "token": "So11111111111111111111111111111111111111112",
                     *       "balance": 53075497,
                     *       "transaction": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f81c62688f43",
                     *         "type": "assignment",
                     *         "direction": "credit",
                     *         "status": "completed",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "amount": 9000,
                     *         "destination": null,
                     *         "signature": null,
                     *         "reason": "withdrew from the exchange; evidence: receipt 7",
                     *         "corrects": null,
                     *         "correctedBy": null,
                     *         "createdAt": 1795262405000,
                     *         "updatedAt": 1795262405000
                     *       }
                     *     }
                     */
                    "application/json": {
                        wallet: components["schemas"]["Wallet"];
                        token: components["schemas"]["Token"];
                        balance: components["schemas"]["Balance"];
                        transaction: components["schemas"]["Transaction"];
                    };
                };
            };
            202: components["responses"]["Asked"];
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    correctTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The transaction's id; other types than adjustments and assignments are NOT_FOUND or INVALID_STATE. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "booked twice"
                 *     }
                 */
                "application/json": {
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description What waits for the second person. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approval": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f82700b5a5a2",
                     *         "kind": "correction",
                     *         "request": {
                     *           "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "agentCode": "house",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": -300,
                     *           "signature": null,
                     *           "reviewId": null,
                     *           "sender": null,
                     *           "corrects": "019cf0d1-f91d-70a4-b123-f81c62688f43",
                     *           "reason": "booked twice"
                     *         },
                     *         "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *         "status": "open",
                     *         "createdAt": 1795262405000,
                     *         "expiresAt": 1795348805000,
                     *         "decidedBy": null,
                     *         "decidedAt": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ApprovalResponse"];
                };
            };
            400: components["responses"]["InvalidAdjustment"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["StateOrIdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    correctCapital: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "token": "So11111111111111111111111111111111111111112",
                 *       "reference": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *       "reason": "it was a player's"
                 *     }
                 */
                "application/json": {
                    token: components["schemas"]["Token"];
                    /** @description The signature of the transaction that paid it in. */
                    reference: string;
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description What waits for the second person. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approval": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f82700b5a5a2",
                     *         "kind": "correction.capital",
                     *         "request": {
                     *           "wallet": null,
                     *           "agentCode": null,
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": -1000000000,
                     *           "signature": null,
                     *           "reviewId": null,
                     *           "sender": null,
                     *           "corrects": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                     *           "reason": "booked twice"
                     *         },
                     *         "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *         "status": "open",
                     *         "createdAt": 1795262405000,
                     *         "expiresAt": 1795348805000,
                     *         "decidedBy": null,
                     *         "decidedAt": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ApprovalResponse"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["StateOrIdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolveDeposit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW",
                 *       "token": "So11111111111111111111111111111111111111112",
                 *       "wallet": "4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T",
                 *       "reason": "the second sender is the player's exchange"
                 *     }
                 */
                "application/json": {
                    signature: components["schemas"]["Signature"];
                    token: components["schemas"]["Token"];
                    wallet?: components["schemas"]["Wallet"];
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The deposit after the decision. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "deposit": {
                     *         "signature": "PkXYnSGWYG3EKiWfYZCuteEzy9QQMrF2wBjE2AyCGVkSCscDdiPcWuxtjjxnSnPGSSkQT5pct48jCFrW7zUWcaS",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "status": "rejected",
                     *         "wallet": null,
                     *         "amount": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        deposit: {
                            signature: components["schemas"]["Signature"];
                            token: components["schemas"]["Token"];
                            /** @enum {string} */
                            status: "credited" | "rejected";
                            /** @description Who was credited. */
                            wallet: string | null;
                            /** @description What was credited, in base units. */
                            amount: number | bigint | null;
                        };
                    };
                };
            };
            202: components["responses"]["Asked"];
            400: components["responses"]["InvalidResolution"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["ResolutionConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["External"];
            503: components["responses"]["Unavailable"];
        };
    };
    playPauses: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current pauses. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pauses": [
                     *         {
                     *           "gameType": "dice",
                     *           "agentCode": "house",
                     *           "by": "3DT1RLPyvS77A35htJqtyPbYNa6GUwkWPfRynLNhbGA2",
                     *           "reason": "odd wins",
                     *           "pausedAt": 1795262405000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        pauses: components["schemas"]["PlayPause"][];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    pausePlay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "gameType": "dice",
                 *       "reason": "more wins than it should have"
                 *     }
                 */
                "application/json": {
                    /** @description A game of the house, or a provider's game code. Left out: every game. */
                    gameType?: string;
                    /** @description Whose players. Left out: everybody. */
                    agentCode?: string;
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The current pauses. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pauses": [
                     *         {
                     *           "gameType": "dice",
                     *           "agentCode": "house",
                     *           "by": "3DT1RLPyvS77A35htJqtyPbYNa6GUwkWPfRynLNhbGA2",
                     *           "reason": "odd wins",
                     *           "pausedAt": 1795262405000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        pauses: components["schemas"]["PlayPause"][];
                    };
                };
            };
            400: components["responses"]["InvalidPause"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumePlay: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "gameType": "dice",
                 *       "reason": "the rounds were verified"
                 *     }
                 */
                "application/json": {
                    /** @description A game of the house, or a provider's game code. Left out: every game. */
                    gameType?: string;
                    /** @description Whose players. Left out: everybody. */
                    agentCode?: string;
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The current pauses. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "pauses": []
                     *     }
                     */
                    "application/json": {
                        pauses: components["schemas"]["PlayPause"][];
                    };
                };
            };
            400: components["responses"]["InvalidPause"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    endRound: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "it holds scarce room"
                 *     }
                 */
                "application/json": {
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description The round as it ended. Its server seed is null until its pair is revealed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "round": {
                     *         "id": "019cf0d1-f14d-7b8a-8a82-7fdb45101edf",
                     *         "provider": "casino",
                     *         "gameType": "dragontower",
                     *         "rules": "dragontower/1",
                     *         "token": "So11111111111111111111111111111111111111112",
                     *         "wager": 10000,
                     *         "payout": 9900,
                     *         "multiplier": 0.99,
                     *         "config": {
                     *           "difficulty": "easy"
                     *         },
                     *         "outcome": {
                     *           "picks": [],
                     *           "levels": [
                     *             [
                     *               3,
                     *               1,
                     *               2
                     *             ],
                     *             [
                     *               1,
                     *               0,
                     *               3
                     *             ],
                     *             [
                     *               1,
                     *               2,
                     *               3
                     *             ],
                     *             [
                     *               2,
                     *               0,
                     *               3
                     *             ],
                     *             [
                     *               1,
                     *               2,
                     *               0
                     *             ],
                     *             [
                     *               1,
                     *               0,
                     *               3
                     *             ],
                     *             [
                     *               1,
                     *               2,
                     *               0
                     *             ],
                     *             [
                     *               1,
                     *               3,
                     *               0
                     *             ],
                     *             [
                     *               1,
                     *               0,
                     *               3
                     *             ]
                     *           ]
                     *         },
                     *         "actions": [
                     *           {
                     *             "type": "cashOut"
                     *           }
                     *         ],
                     *         "serverSeedHash": "60859fad1c36184ccf34e2fdf76d1ac29da43033aae431313dec7ca733d70a1b",
                     *         "serverSeed": null,
                     *         "clientSeed": "my own",
                     *         "clientSeedSource": "player",
                     *         "nonce": 1,
                     *         "createdAt": 1795262405000,
                     *         "wallet": "3DT1RLPyvS77A35htJqtyPbYNa6GUwkWPfRynLNhbGA2",
                     *         "agentCode": "house"
                     *       }
                     *     }
                     */
                    "application/json": {
                        round: components["schemas"]["AdminRound"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    payouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether payouts are paused, and who decided that last. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "payouts": {
                     *         "paused": true,
                     *         "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *         "reason": "odd payouts",
                     *         "updatedAt": 1795262405000
                     *       }
                     *     }
                     */
                    "application/json": {
                        payouts: components["schemas"]["PayoutSwitch"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    pausePayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "withdrawals to one address from many players"
                 *     }
                 */
                "application/json": {
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description Whether payouts are paused, and who decided that last. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "payouts": {
                     *         "paused": true,
                     *         "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *         "reason": "odd payouts",
                     *         "updatedAt": 1795262405000
                     *       }
                     *     }
                     */
                    "application/json": {
                        payouts: components["schemas"]["PayoutSwitch"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    overruleAdmission: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "key": "access:7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                 *       "reason": "she lives in Austria"
                 *     }
                 */
                "application/json": {
                    /** @description The target of the refusal in the audit log. */
                    key: string;
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description What waits for the second person. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approval": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f82700b5a5a2",
                     *         "kind": "admission",
                     *         "request": {
                     *           "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "agentCode": "house",
                     *           "token": null,
                     *           "amount": null,
                     *           "signature": null,
                     *           "reviewId": null,
                     *           "sender": null,
                     *           "corrects": null,
                     *           "reason": "she lives in Austria",
                     *           "admission": "access:7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs"
                     *         },
                     *         "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *         "status": "open",
                     *         "createdAt": 1795262405000,
                     *         "expiresAt": 1795348805000,
                     *         "decidedBy": null,
                     *         "decidedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumePayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "every one of them was looked at"
                 *     }
                 */
                "application/json": {
                    reason: components["schemas"]["Reason"];
                };
            };
        };
        responses: {
            /** @description What waits for the second person. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approval": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f82700b5a5a2",
                     *         "kind": "payouts.resume",
                     *         "request": {
                     *           "wallet": null,
                     *           "agentCode": null,
                     *           "token": null,
                     *           "amount": null,
                     *           "signature": null,
                     *           "reviewId": null,
                     *           "sender": null,
                     *           "corrects": null,
                     *           "reason": "fine"
                     *         },
                     *         "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *         "status": "open",
                     *         "createdAt": 1795262405000,
                     *         "expiresAt": 1795348805000,
                     *         "decidedBy": null,
                     *         "decidedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        approval: components["schemas"]["Approval"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Counted from 1; a page beyond the end is empty. Of a list with totalCapped, a page that begins beyond the first 1,000 items is INVALID_PARAMETER; use nextCursor there. Not together with cursor. */
                page?: components["parameters"]["Page"];
                limit?: components["parameters"]["Limit"];
                /** @description The nextCursor of an earlier page; works for lists of any length. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first, without those that are decided or ended. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approvals": [
                     *         {
                     *           "id": "019cf0d1-f91d-70a4-b123-f82700b5a5a2",
                     *           "kind": "payouts.resume",
                     *           "request": {
                     *             "wallet": null,
                     *             "agentCode": null,
                     *             "token": null,
                     *             "amount": null,
                     *             "signature": null,
                     *             "reviewId": null,
                     *             "sender": null,
                     *             "corrects": null,
                     *             "reason": "fine"
                     *           },
                     *           "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *           "status": "open",
                     *           "createdAt": 1795262405000,
                     *           "expiresAt": 1795348805000,
                     *           "decidedBy": null,
                     *           "decidedAt": null
                     *         },
                     *         {
                     *           "id": "019cf0d1-f91d-70a4-b123-f822ab1947e1",
                     *           "kind": "deposit",
                     *           "request": {
                     *             "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *             "agentCode": "house",
                     *             "token": "So11111111111111111111111111111111111111112",
                     *             "amount": null,
                     *             "signature": "4YkrXeVjchQWHNZ6XMGH3omPR3x7DTrUWDkULk9QHNrJJB7e4ypo1RYaKhAePEcyk1iqYbpPvThAsewN91jEbju8",
                     *             "reviewId": null,
                     *             "sender": null,
                     *             "corrects": null,
                     *             "reason": "she called"
                     *           },
                     *           "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *           "status": "open",
                     *           "createdAt": 1795262405000,
                     *           "expiresAt": 1795348805000,
                     *           "decidedBy": null,
                     *           "decidedAt": null
                     *         }
                     *       ],
                     *       "page": 1,
                     *       "limit": 20,
                     *       "total": 3,
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["List"] & {
                        approvals: components["schemas"]["Approval"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    decideApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of the client's own for this write, kept for 30 days. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "approve": true
                 *     }
                 */
                "application/json": {
                    approve: boolean;
                };
            };
        };
        responses: {
            /** @description The request as it was decided. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "approval": {
                     *         "id": "019cf0d1-f91d-70a4-b123-f81f222af1f4",
                     *         "kind": "adjustment",
                     *         "request": {
                     *           "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "agentCode": "house",
                     *           "token": "So11111111111111111111111111111111111111112",
                     *           "amount": 2000000000,
                     *           "signature": null,
                     *           "reviewId": null,
                     *           "sender": null,
                     *           "corrects": null,
                     *           "reason": "a jackpot"
                     *         },
                     *         "by": "3DMxAkdvFHStdS48vBMSEVsdBcu46P2Ny7HQXRrPYVz7",
                     *         "status": "refused",
                     *         "createdAt": 1795262405000,
                     *         "expiresAt": 1795348805000,
                     *         "decidedBy": "3CpfwUAwjDaAZqpaLBWjuQPckEzNjibXE6jPGGLs8mzb",
                     *         "decidedAt": 1795262405000
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ApprovalResponse"];
                };
            };
            400: components["responses"]["InvalidApproval"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["ApprovalConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["External"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Sorted by wallet. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "roles": [
                     *         {
                     *           "wallet": "3CVyjXYGVmEPQw65k5pDMWp66yqz1zjcvNmuZWmM1wC6",
                     *           "role": "ops",
                     *           "level": 2,
                     *           "permissions": [
                     *             "admin:read",
                     *             "admin:write"
                     *           ],
                     *           "agentCode": null,
                     *           "grantedBy": null,
                     *           "grantedAt": 1795176000000,
                     *           "founding": true
                     *         },
                     *         {
                     *           "wallet": "3DT1RLPyvS77A35htJqtyPbYNa6GUwkWPfRynLNhbGA2",
                     *           "role": "superadmin",
                     *           "level": 1,
                     *           "permissions": [
                     *             "admin:read",
                     *             "admin:write",
                     *             "audit:read",
                     *             "balances:write",
                     *             "roles:write",
                     *             "whitelabel:write",
                     *             "withdraw:approve",
                     *             "withdraw:reject"
                     *           ],
                     *           "agentCode": null,
                     *           "grantedBy": null,
                     *           "grantedAt": 1795176000000,
                     *           "founding": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        roles: components["schemas"]["Role"][];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet: components["parameters"]["WalletPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "3CVyjXYGVmEPQw65k5pDMWp66yqz1zjcvNmuZWmM1wC6",
                     *       "role": "ops",
                     *       "level": 2,
                     *       "permissions": [
                     *         "admin:read",
                     *         "admin:write"
                     *       ],
                     *       "agentCode": null,
                     *       "grantedBy": null,
                     *       "grantedAt": 1795176000000,
                     *       "founding": true
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["AdminForbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    grantRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet: components["parameters"]["WalletPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    role: components["schemas"]["RoleName"];
                    /** @description Needed by roles that are bound to an agent, refused for all others. */
                    agentCode?: components["schemas"]["AgentCode"];
                };
            };
        };
        responses: {
            /** @description The role as it stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallet": "5FHwkrdxntdK24hgQU8qgBjn35Y1zwhz1GZwCkP2UJnM",
                     *       "role": "operator",
                     *       "level": 3,
                     *       "permissions": [
                     *         "admin:read"
                     *       ],
                     *       "agentCode": "acme",
                     *       "grantedBy": "3DT1RLPyvS77A35htJqtyPbYNa6GUwkWPfRynLNhbGA2",
                     *       "grantedAt": 1795262405000,
                     *       "founding": false
                     *     }
                     */
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["InvalidRole"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                wallet: components["parameters"]["WalletPath"];
            };
            cookie?: never;
        };
        requestBody?: components["requestBodies"]["Nothing"];
        responses: {
            /** @description The wallet has no role any more. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["DecisionForbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            409: components["responses"]["InvalidState"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    demoWallets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The wallets, players first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "wallets": [
                     *         {
                     *           "name": "alice",
                     *           "wallet": "7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs",
                     *           "role": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        wallets: {
                            name: components["schemas"]["DemoWalletName"];
                            wallet: components["schemas"]["Wallet"];
                            /** @description Null for players. */
                            role: components["schemas"]["RoleName"] | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    demoSign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A name of GET /dev/wallets. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "message": "casino-auth:7EYnhQoR9YM3N7UoaKRoA44Uy8JeaZV3qyouov87awMs:1795384800000"
                 *     }
                 */
                "application/json": {
                    message: string;
                };
            };
        };
        responses: {
            /** @description The signature. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signature": "qsYXW8B4lPJ7Rf0pWsAn3g0c2rWY4v1pO8m0bS9XZQWl3HkqLw5d6T7uVx8yZzA1B2C3D4E5F6G7H8I9J0K1Bw=="
                     *     }
                     */
                    "application/json": {
                        signature: components["schemas"]["SignatureBytes"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    demoSend: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A name of GET /dev/wallets. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "transaction": "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAEDXJ6dX6MJhkrNfYEY0yYxPN57ht8Y4ZeSSgMYb/6fPXpm+p+dMYa5wTpmsAT8i7XzNZxN6xcZcmaJX7jTxnw7FwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAksidmFOi9XFtKiNjPoaDWvql1CE1gNvuCET1N2fSk8gBAgIAAQwCAAAAAMqaOwAAAAA="
                 *     }
                 */
                "application/json": {
                    transaction: components["schemas"]["TransactionBytes"];
                };
            };
        };
        responses: {
            /** @description What POST /deposit takes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "signature": "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
                     *     }
                     */
                    "application/json": {
                        signature: components["schemas"]["TransactionSignature"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["BodyTooSlow"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["External"];
            503: components["responses"]["Unavailable"];
        };
    };
}
