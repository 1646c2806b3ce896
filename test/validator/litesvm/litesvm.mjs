// Serves LiteSVM, which embeds Solana's own runtime and the deployed token
// programs, as the few JSON-RPC methods of Surfpool that test/validator uses: node
// litesvm.mjs. Commands come by stdin as in surfnet.mjs. It reports what a
// transaction did and not how it settled: that is the Go side's part. Only
// LiteSVM's native half is used: a wrapper package would bring builds for every
// platform.
import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import readline from 'node:readline';
import { createRequire } from 'node:module';

const runtime = createRequire(import.meta.url)('litesvm-linux-x64-gnu'); // a native module: import can't load it

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function encode(bytes) {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = alphabet[Number(number % 58n)] + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

function decode(text) {
  let number = 0n;
  for (const letter of text) number = number * 58n + BigInt(alphabet.indexOf(letter));
  return new Uint8Array(Buffer.from(number.toString(16).padStart(64, '0'), 'hex'));
}

// The runtime gives errors as numbers, in the order of Solana's own types.
const named = (type) => Object.fromEntries(Object.entries(type).map(([name, number]) => [number, name]));
const instructionErrors = named(runtime.InstructionErrorFieldless);
const transactionErrors = named(runtime.TransactionErrorFieldless);

// Solana's JSON form of an error.
function shownError(error) {
  if (typeof error === 'number') return transactionErrors[error];
  switch (error.constructor.name) {
    case 'TransactionErrorInstructionError': {
      const inner = error.err();
      return { InstructionError: [error.index, typeof inner === 'number' ? instructionErrors[inner] : { Custom: inner.code }] };
    }
    case 'TransactionErrorInsufficientFundsForRent': return { InsufficientFundsForRent: { account_index: error.accountIndex } };
  }
  return String(error);
}

// The message of a transaction, and the accounts that it names itself.
function parse(bytes) {
  const message = 1 + 64 * bytes[0];
  const versioned = bytes[message] >= 0x80;
  const header = message + (versioned ? 1 : 0);
  const count = bytes[header + 3];
  const keys = Array.from({ length: count }, (_, i) => bytes.slice(header + 4 + 32 * i, header + 36 + 32 * i));
  return { signature: encode(bytes.slice(1, 65)), versioned, keys };
}

const tokenPrograms = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'];

// What the token accounts among the keys hold.
function tokenBalances(svm, keys) {
  const held = [];
  keys.forEach((key, accountIndex) => {
    const account = svm.getAccount(key);
    const programId = account && encode(account.owner());
    const data = account && account.data();
    if (!account || !tokenPrograms.includes(programId) || data.length < 165 || (data.length > 165 && data[165] !== 2)) return;
    const mint = svm.getAccount(data.slice(0, 32));
    held.push({
      accountIndex, mint: encode(data.slice(0, 32)), owner: encode(data.slice(32, 64)), programId,
      uiTokenAmount: { amount: String(Buffer.from(data).readBigUInt64LE(64)), decimals: mint ? mint.data()[44] : 0 },
    });
  });
  return held;
}

class Chain {
  constructor() {
    this.svm = new runtime.LiteSvm();
    this.svm.withNativeMints();
    this.svm.setBlockhashCheck(false);
    this.svm.setSigverify(true);
    this.svm.setTransactionHistory(0n);
    this.landed = new Map();
    this.hashes = 0;
  }

  surfnet_setAccount([key, { lamports, owner }]) {
    this.svm.setAccount(decode(key), new runtime.Account(BigInt(lamports), new Uint8Array(), decode(owner), false, 0n));
    return {};
  }

  surfnet_timeTravel([{ absoluteSlot }]) {
    this.svm.warpToSlot(BigInt(absoluteSlot));
    return {};
  }

  surfnet_writeProgram([id, hex]) {
    this.svm.addProgram(decode(id), new Uint8Array(Buffer.from(hex, 'hex')));
    return {};
  }

  getLatestBlockhash() {
    return { value: { blockhash: encode(crypto.createHash('sha256').update(`block ${this.hashes++}`).digest()) } };
  }

  getGenesisHash() { return encode(crypto.createHash('sha256').update('genesis').digest()); }

  getRecentPrioritizationFees() { return []; }

  getMinimumBalanceForRentExemption([size]) { return Number(this.svm.minimumBalanceForRentExemption(BigInt(size))); }

  getMultipleAccounts([keys]) {
    return {
      value: keys.map((key) => {
        const account = this.svm.getAccount(decode(key));
        if (!account || account.lamports() === 0n) return null;
        const data = account.data();
        return {
          lamports: Number(account.lamports()), data: [Buffer.from(data).toString('base64'), 'base64'], owner: encode(account.owner()),
          executable: account.executable(), rentEpoch: 0, space: data.length,
        };
      }),
    };
  }

  simulateTransaction([text]) {
    const bytes = new Uint8Array(Buffer.from(text, 'base64'));
    this.svm.setSigverify(false);
    const result = parse(bytes).versioned ? this.svm.simulateVersionedTransaction(bytes) : this.svm.simulateLegacyTransaction(bytes);
    this.svm.setSigverify(true);
    const meta = result.meta();
    return {
      value: { err: result.err ? shownError(result.err()) : null, logs: meta.logs(), unitsConsumed: Number(meta.computeUnitsConsumed()) },
    };
  }

  sendTransaction([text]) {
    const bytes = new Uint8Array(Buffer.from(text, 'base64'));
    const { signature, versioned, keys } = parse(bytes);
    const preTokenBalances = tokenBalances(this.svm, keys);
    const result = versioned ? this.svm.sendVersionedTransaction(bytes) : this.svm.sendLegacyTransaction(bytes);
    const error = result.err ? result.err() : null;
    // What fails before its instructions run does not land.
    if (typeof error === 'number') throw new Error(transactionErrors[error]);
    const meta = result.err ? result.meta() : result;
    this.landed.set(signature, {
      err: error === null ? null : shownError(error), logMessages: meta.logs(), computeUnitsConsumed: Number(meta.computeUnitsConsumed()),
      preTokenBalances, postTokenBalances: tokenBalances(this.svm, keys), innerInstructions: [], loadedAddresses: { writable: [], readonly: [] },
    });
    return signature;
  }

  getTransaction([signature]) {
    const meta = this.landed.get(signature);
    return meta ? { meta } : null;
  }
}

const running = new Map();

function answer(chain, body) {
  const { id, method, params } = JSON.parse(body);
  try {
    if (!(method in Chain.prototype)) throw new Error(`no method ${method}`);
    return { jsonrpc: '2.0', id, result: chain[method](params ?? []) };
  } catch (error) {
    return { jsonrpc: '2.0', id, error: { code: -32002, message: String(error.message ?? error) } };
  }
}

async function start() {
  const chain = new Chain();
  const server = http.createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => response.end(JSON.stringify(answer(chain, Buffer.concat(parts).toString()))));
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const id = crypto.randomUUID();
  running.set(id, server);
  return { id, url: `http://127.0.0.1:${server.address().port}` };
}

function stop(id) {
  running.get(id)?.close();
  running.get(id)?.closeAllConnections();
  running.delete(id);
  return { id };
}

readline.createInterface({ input: process.stdin }).on('line', async (line) => {
  let said;
  try {
    const command = JSON.parse(line);
    said = command.start ? await start() : stop(command.stop);
  } catch (error) {
    said = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(said)}\n`);
}).on('close', () => {
  fs.rmSync(path.dirname(process.argv[1]), { recursive: true, force: true });
  process.exit(0);
});
