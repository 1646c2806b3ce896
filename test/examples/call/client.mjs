// Signs in as the demo wallet alice of a running casino dev by the client for TypeScript and
// JavaScript, plays dice and a round of mines, and lists what was played.
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Casino, decimal } from '@casino-service/client';

const running = JSON.parse(readFileSync('data/running.json', 'utf8'));
const alice = running.wallets.find((wallet) => wallet.name === 'alice');
const secret = Buffer.from(JSON.parse(readFileSync(alice.keypairFile, 'utf8'))).subarray(0, 32);
const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]); // Ed25519 as PKCS #8
const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });

const casino = new Casino(running.baseUrl);
const session = await casino.signIn(alice.address, (message) => sign(null, message, key));
const player = casino.as(session.token);
const token = 'So11111111111111111111111111111111111111112';
await player.play({ gameType: 'dice', wager: 1_000_000, token, config: { target: 50 } });

let { round, balance } = await player.openRound({ gameType: 'mines', wager: 1_000_000, token, config: { mines: 3 } });
if (round.status === 'open') ({ round, balance } = await player.step(round, { type: 'open', tile: 7 }));
if (round.status === 'open') ({ round, balance } = await player.step(round, { type: 'cashOut' }));
for await (const { gameType, wager, payout } of player.history()) console.log(`${gameType}: ${wager} became ${payout}`);
console.log(`${decimal(balance, 9)} SOL are left`);
