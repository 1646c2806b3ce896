// A player's evening with the unchanged @solana/web3.js and @solana/spl-token
// against the running service: node player.mjs <settings as JSON>. The player deposits
// native SOL and an SPL token, withdraws some of both to fresh wallets after an
// admin's approval, and finds them on chain. Exits 0 when all of it holds.
import assert from 'node:assert/strict';
import { createPrivateKey, sign } from 'node:crypto';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { createTransferCheckedInstruction, getAccount, getAssociatedTokenAddressSync } from '@solana/spl-token';

const { rpc, api, player, admin, mint: mintText, decimals } = JSON.parse(process.argv[2]);
const connection = new Connection(rpc, 'confirmed');
const wallet = Keypair.fromSecretKey(Uint8Array.from(player));
const approver = Keypair.fromSecretKey(Uint8Array.from(admin));
const mint = new PublicKey(mintText);
const sol = 'So11111111111111111111111111111111111111112';

async function call(method, path, token, body) {
  const headers = { 'Content-Type': 'application/json' };
  if (token) headers.Authorization = `Bearer ${token}`;
  const answer = await fetch(api + path, { method, headers, body: body && JSON.stringify(body) });
  const read = await answer.json();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${JSON.stringify(read)}`);
  return read;
}

// Signs as wallets do: Ed25519 over the login text.
async function signIn(keypair) {
  const timestamp = Date.now();
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex'); // PKCS #8 of an Ed25519 seed
  const key = createPrivateKey({ key: Buffer.concat([prefix, keypair.secretKey.slice(0, 32)]), format: 'der', type: 'pkcs8' });
  const text = `casino-auth:${keypair.publicKey.toBase58()}:${timestamp}`;
  const signature = sign(null, Buffer.from(text), key).toString('base64');
  return (await call('POST', '/auth/login', null, { wallet: keypair.publicKey.toBase58(), timestamp, signature })).token;
}

async function until(what, holds) {
  for (let tries = 0; tries < 600; tries++) {
    const found = await holds();
    if (found) return found;
    await new Promise((resolve) => { setTimeout(resolve, 100); });
  }
  throw new Error(`${what}: not within a minute`);
}

async function pay(instruction) {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: wallet.publicKey, blockhash, lastValidBlockHeight }).add(instruction);
  transaction.sign(wallet);
  return connection.sendRawTransaction(transaction.serialize());
}

const balance = async (token, of) => (await call('GET', '/balance', token)).balances.find((b) => b.token === of)?.balance ?? 0;

const session = await signIn(wallet);
const treasury = new PublicKey((await call('GET', '/wallet-address')).address);

// Deposits: claimed at once, before they are finalized.
const lamports = 2_000_000_000;
const units = 30_000_000;
const own = getAssociatedTokenAddressSync(mint, wallet.publicKey);
const house = getAssociatedTokenAddressSync(mint, treasury, true);
for (const [of, amount, instruction] of [
  [sol, lamports, SystemProgram.transfer({ fromPubkey: wallet.publicKey, toPubkey: treasury, lamports })],
  [mintText, units, createTransferCheckedInstruction(own, mint, house, wallet.publicKey, units, decimals)],
]) {
  const signature = await pay(instruction);
  const { transaction } = await call('POST', '/deposit', session, { signature, token: of });
  assert.equal(transaction.type, 'deposit');
  assert.ok(['pending', 'credited'].includes(transaction.status), transaction.status);
  await until(`the deposit of ${of} is credited`, async () => (await balance(session, of)) === amount);
  const again = await call('POST', '/deposit', session, { signature, token: of });
  assert.equal(again.transaction.status, 'credited');
  assert.equal(again.transaction.id, transaction.id);
  assert.equal(await balance(session, of), amount);
}

// Withdrawals: approved by somebody else, paid to wallets that hold nothing yet.
const approval = await signIn(approver);
for (const [of, amount] of [[sol, 500_000_000], [mintText, 12_345_678]]) {
  const destination = Keypair.generate().publicKey;
  const before = await balance(session, of);
  const { withdrawal } = await call('POST', '/withdraw', session, { amount, token: of, destination: destination.toBase58() });
  assert.equal(withdrawal.status, 'pending');
  await call('POST', '/admin/withdraw/approve', approval, { id: withdrawal.id });
  const done = await until(`the withdrawal of ${of} is completed`, async () => {
    const { transactions } = await call('GET', '/account/transactions', session);
    return transactions.find((t) => t.id === withdrawal.id && t.status === 'completed');
  });
  const arrived = of === sol
    ? BigInt(await connection.getBalance(destination))
    : (await getAccount(connection, getAssociatedTokenAddressSync(mint, destination))).amount;
  assert.equal(arrived, BigInt(amount));
  const { value: [status] } = await connection.getSignatureStatuses([done.signature], { searchTransactionHistory: true });
  assert.equal(status.err, null);
  assert.equal(await balance(session, of), before - amount);
}
console.log('two deposits credited, two withdrawals paid');
