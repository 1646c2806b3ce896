// A wallet's session on the simulated node through the unchanged @solana/web3.js
// and @solana/spl-token: node session.mjs <rpc url>. Exits 0 when all of it holds.
import assert from 'node:assert/strict';
import {
  ComputeBudgetProgram, Connection, Keypair, LAMPORTS_PER_SOL, PublicKey, SendTransactionError, SystemProgram, Transaction,
  TransactionInstruction, TransactionMessage, VersionedTransaction, sendAndConfirmTransaction,
} from '@solana/web3.js';
import {
  MINT_SIZE, TOKEN_PROGRAM_ID, createAssociatedTokenAccountIdempotentInstruction,
  createAssociatedTokenAccountInstruction, createInitializeMint2Instruction,
  createMintToInstruction, createTransferCheckedInstruction, getAccount,
  getAssociatedTokenAddressSync, getMinimumBalanceForRentExemptMint, getMint,
} from '@solana/spl-token';

const MEMO = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const connection = new Connection(process.argv[2], 'confirmed');

// Polls, as clients without a websocket do.
async function settled(signature, level = 'confirmed') {
  for (let i = 0; i < 400; i++) {
    const { value: [status] } = await connection.getSignatureStatuses([signature], { searchTransactionHistory: true });
    if (status && (status.confirmationStatus === level || status.confirmationStatus === 'finalized')) return status;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${signature} was not ${level} in time`);
}

async function run(instructions, payer, ...others) {
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash();
  const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight }).add(...instructions);
  transaction.sign(payer, ...others);
  const signature = await connection.sendRawTransaction(transaction.serialize());
  const status = await settled(signature);
  assert.equal(status.err, null);
  return signature;
}

const alice = Keypair.generate();
const bob = Keypair.generate();
const mint = Keypair.generate();

// Airdrop, and a transfer of SOL with its fee.
await settled(await connection.requestAirdrop(alice.publicKey, 10 * LAMPORTS_PER_SOL));
assert.equal(await connection.getBalance(alice.publicKey), 10 * LAMPORTS_PER_SOL);
const paid = await run([
  SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob.publicKey, lamports: 2 * LAMPORTS_PER_SOL }),
], alice);
assert.equal(await connection.getBalance(bob.publicKey), 2 * LAMPORTS_PER_SOL);
assert.equal(await connection.getBalance(alice.publicKey), 8 * LAMPORTS_PER_SOL - 5000);

// A token of six decimals, both wallets' accounts, a million minted.
await run([
  SystemProgram.createAccount({
    fromPubkey: alice.publicKey, newAccountPubkey: mint.publicKey, space: MINT_SIZE,
    lamports: await getMinimumBalanceForRentExemptMint(connection), programId: TOKEN_PROGRAM_ID,
  }),
  createInitializeMint2Instruction(mint.publicKey, 6, alice.publicKey, alice.publicKey),
], alice, mint);
const from = getAssociatedTokenAddressSync(mint.publicKey, alice.publicKey);
const to = getAssociatedTokenAddressSync(mint.publicKey, bob.publicKey);
await run([
  createAssociatedTokenAccountInstruction(alice.publicKey, from, alice.publicKey, mint.publicKey),
  createAssociatedTokenAccountIdempotentInstruction(alice.publicKey, to, bob.publicKey, mint.publicKey),
  createMintToInstruction(mint.publicKey, from, alice.publicKey, 1_000_000_000_000n),
], alice);
assert.equal((await getMint(connection, mint.publicKey)).supply, 1_000_000_000_000n);

// A checked transfer with a memo and a priority fee, read back in each encoding.
const moved = await run([
  ComputeBudgetProgram.setComputeUnitLimit({ units: 100_000 }),
  ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10_000 }),
  createTransferCheckedInstruction(from, mint.publicKey, to, alice.publicKey, 250_500_000n, 6),
  new TransactionInstruction({ programId: MEMO, keys: [], data: Buffer.from('thank you, Bob') }),
], alice);
assert.equal((await getAccount(connection, to)).amount, 250_500_000n);
const record = await connection.getTransaction(moved, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 });
assert.equal(record.meta.err, null);
assert.equal(record.meta.fee, 5000 + 1000);
assert.ok(record.meta.logMessages.some((line) => line.includes('Memo (len 14): "thank you, Bob"')));
const after = record.meta.postTokenBalances.find((b) => b.owner === bob.publicKey.toBase58());
assert.equal(after.mint, mint.publicKey.toBase58());
assert.equal(after.uiTokenAmount.amount, '250500000');
assert.equal(after.uiTokenAmount.uiAmountString, '250.5');
const keys = record.transaction.message.getAccountKeys();
assert.ok(keys.get(after.accountIndex).equals(to));
assert.equal(record.meta.preBalances[0] - record.meta.postBalances[0], 6000);
assert.equal((await connection.getTokenAccountBalance(to)).value.amount, '250500000');

// The history of both a wallet and a token account.
const listed = await connection.getSignaturesForAddress(to, { limit: 10 }, 'confirmed');
assert.equal(listed[0].signature, moved);
assert.equal(listed[0].memo, '[14] thank you, Bob');
const older = await connection.getSignaturesForAddress(alice.publicKey, { before: moved }, 'confirmed');
assert.ok(older.some((e) => e.signature === paid) && !older.some((e) => e.signature === moved));

// A versioned transaction, simulated and sent.
const { blockhash } = await connection.getLatestBlockhash();
const versioned = new VersionedTransaction(new TransactionMessage({
  payerKey: bob.publicKey, recentBlockhash: blockhash, instructions: [
    createTransferCheckedInstruction(to, mint.publicKey, from, bob.publicKey, 1_000n, 6),
  ],
}).compileToV0Message());
versioned.sign([bob]);
const simulation = await connection.simulateTransaction(versioned, { sigVerify: true });
assert.equal(simulation.value.err, null);
assert.ok(simulation.value.unitsConsumed > 0);
const sent = await connection.sendTransaction(versioned);
await settled(sent, 'finalized');
assert.equal((await getAccount(connection, to)).amount, 250_499_000n);
assert.equal((await connection.getTransaction(sent, { maxSupportedTransactionVersion: 0, commitment: 'finalized' })).version, 0);
await assert.rejects(connection.getTransaction(sent, { commitment: 'finalized' }), /maxSupportedTransactionVersion/);

// Refusals: what a wallet does not have, and a signature twice.
await assert.rejects(
  run([SystemProgram.transfer({ fromPubkey: bob.publicKey, toPubkey: alice.publicKey, lamports: 5 * LAMPORTS_PER_SOL })], bob),
  (error) => error instanceof SendTransactionError && /custom program error: 0x1/.test(error.message) && error.logs.length > 0,
);
await assert.rejects(connection.sendTransaction(versioned), /already been processed/);

assert.equal((await connection.getEpochInfo()).epoch, 0);
const finalSlot = await connection.getSlot('finalized'); // asked first: slots go on between two questions
assert.ok(await connection.getSlot('processed') >= finalSlot + 31 - 1);
assert.equal((await connection.getRecentPrioritizationFees()).length > 100, true);
// What web3.js does by itself, over the websocket on the next port: within a second, where
// it used to give up after a minute.
async function within(what, seconds, doing) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(`${what}: not within ${seconds} s`)), seconds * 1000); });
  try { return await Promise.race([doing, late]); } finally { clearTimeout(timer); }
}
const carol = Keypair.generate();
const gift = () => new Transaction().add(SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: carol.publicKey, lamports: LAMPORTS_PER_SOL / 10 }));
for (const commitment of ['processed', 'confirmed', 'finalized']) {
  const before = await connection.getBalance(carol.publicKey, 'processed');
  await within(`sendAndConfirmTransaction ${commitment}`, 10, sendAndConfirmTransaction(connection, gift(), [alice], { commitment }));
  assert.equal(await connection.getBalance(carol.publicKey, commitment), before + LAMPORTS_PER_SOL / 10);
}
const recent = await connection.getLatestBlockhash();
const order = new Transaction({ feePayer: alice.publicKey, ...recent }).add(...gift().instructions);
order.sign(alice);
const given = await connection.sendRawTransaction(order.serialize());
assert.equal((await within('confirmTransaction', 10, connection.confirmTransaction({ signature: given, ...recent }))).value.err, null);
assert.equal((await within('confirmTransaction again', 10, connection.confirmTransaction(given, 'finalized'))).value.err, null);
const failing = new Transaction({ feePayer: alice.publicKey, ...await connection.getLatestBlockhash() })
  .add(SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: carol.publicKey, lamports: 500 * LAMPORTS_PER_SOL }));
await assert.rejects(within('a failing one', 10, sendAndConfirmTransaction(connection, failing, [alice], { skipPreflight: true })),
  (error) => /"Custom":1/.test(error.message ?? JSON.stringify(error))); // as the notification or the status says it
let slots = 0;
const watching = await within('slots', 10, new Promise((resolve) => {
  const id = connection.onSlotChange(({ slot, parent, root }) => {
    assert.ok(root < parent && parent < slot);
    if (++slots === 3) resolve(id);
  });
}));
await connection.removeSlotChangeListener(watching);

console.log('all of the session holds');
process.exit(0); // the websocket stays open for half a second more
