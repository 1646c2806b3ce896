// Signs in as the demo wallet alice of a running casino dev and bets on dice: fetch, node:crypto
// and nothing to install. Run it beside the data folder: node play.mjs
import { createPrivateKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const running = JSON.parse(readFileSync('data/running.json', 'utf8'));
const alice = running.wallets.find((wallet) => wallet.name === 'alice');
const secret = Buffer.from(JSON.parse(readFileSync(alice.keypairFile, 'utf8'))).subarray(0, 32);
const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret]); // Ed25519 as PKCS #8
const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });

async function post(path, body, headers = {}) {
  const response = await fetch(running.baseUrl + path, {
    method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.code}: ${answer.message}`);
  return answer;
}

const timestamp = Date.now();
const signature = sign(null, Buffer.from(`casino-auth:${alice.address}:${timestamp}`), key).toString('base64');
const { token } = await post('/auth/login', { wallet: alice.address, timestamp, signature });
const bet = { gameType: 'dice', wager: 1_000_000, token: 'So11111111111111111111111111111111111111112' };
const { round, balance } = await post('/play', bet, { Authorization: `Bearer ${token}`, 'Idempotency-Key': crypto.randomUUID() });
console.log(`rolled ${round.outcome.roll}, pays ${round.payout}, balance ${balance}`);
