// Confirms transactions on the simulated node with the unchanged @solana/kit, which does so
// over the websocket alone: node confirm.mjs <rpc url> <websocket url>. Exits 0 when all
// of it holds.
import assert from 'node:assert/strict';
import {
  AccountRole, address, airdropFactory, appendTransactionMessageInstruction, createSolanaRpc, createSolanaRpcSubscriptions,
  createTransactionMessage, generateKeyPairSigner, getSignatureFromTransaction, lamports, pipe, sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner, setTransactionMessageLifetimeUsingBlockhash, signTransactionMessageWithSigners,
} from '@solana/kit';

const rpc = createSolanaRpc(process.argv[2]);
const rpcSubscriptions = createSolanaRpcSubscriptions(process.argv[3]);
const SOL = 1_000_000_000n;

function transfer(from, to, amount) {
  const data = new Uint8Array(12);
  const view = new DataView(data.buffer);
  view.setUint32(0, 2, true);
  view.setBigUint64(4, amount, true);
  return {
    programAddress: address('11111111111111111111111111111111'), data,
    accounts: [{ address: from.address, role: AccountRole.WRITABLE_SIGNER, signer: from }, { address: to, role: AccountRole.WRITABLE }],
  };
}

async function signed(from, to, amount) {
  const { value: latest } = await rpc.getLatestBlockhash().send();
  return signTransactionMessageWithSigners(pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(from, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(latest, m),
    (m) => appendTransactionMessageInstruction(transfer(from, to, amount), m),
  ));
}

const alice = await generateKeyPairSigner();
const bob = (await generateKeyPairSigner()).address;
const abortSignal = AbortSignal.timeout(30_000); // where nothing is notified
await airdropFactory({ rpc, rpcSubscriptions })({ recipientAddress: alice.address, lamports: lamports(10n * SOL), commitment: 'confirmed', abortSignal });
assert.equal((await rpc.getBalance(alice.address, { commitment: 'confirmed' }).send()).value, 10n * SOL);

const sendAndConfirm = sendAndConfirmTransactionFactory({ rpc, rpcSubscriptions });
let paid = 0n;
for (const commitment of ['processed', 'confirmed', 'finalized']) {
  paid += SOL / 4n;
  const transaction = await signed(alice, bob, SOL / 4n);
  await sendAndConfirm(transaction, { commitment, abortSignal });
  assert.equal((await rpc.getBalance(bob, { commitment }).send()).value, paid);
  const { value: [status] } = await rpc.getSignatureStatuses([getSignatureFromTransaction(transaction)]).send();
  assert.equal(status.err, null);
}
const failing = await signed(alice, bob, 500n * SOL);
await assert.rejects(sendAndConfirm(failing, { commitment: 'confirmed', skipPreflight: true, abortSignal }), /instruction #1|custom program error|Custom/i);

let last = 0n;
let seen = 0;
for await (const { slot, parent, root } of await rpcSubscriptions.slotNotifications().subscribe({ abortSignal })) {
  assert.ok(slot > last && parent < slot && root < parent);
  last = slot;
  if (++seen === 5) break;
}
console.log('kit confirms its transactions');
process.exit(0);
