// Replays transactions that the simulated node executed on LiteSVM, which runs
// Solana's own runtime and the deployed token programs: node replay.mjs <trace>.
// Each line of the trace is a new chain (its faucet), a transaction of its set-up,
// or a transaction with the error and the accounts that the simulation ended with;
// keys are in hex, bytes in base64. Exits 0 when the runtime says the same of every
// error and every byte. Only LiteSVM's native half is used: its wrapper needs a
// newer Node.js and packages for every platform.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const runtime = createRequire(import.meta.url)('litesvm-linux-x64-gnu'); // a native module: import can't load it

// The runtime gives errors as numbers, in the order of Solana's own types; named
// are those that the simulated programs can meet.
const instructionErrors = {
  1: 'InvalidArgument', 2: 'InvalidInstructionData', 3: 'InvalidAccountData', 5: 'InsufficientFunds', 6: 'IncorrectProgramId',
  7: 'MissingRequiredSignature', 9: 'UninitializedAccount', 11: 'ModifiedProgramId', 12: 'ExternalAccountLamportSpend',
  13: 'ExternalAccountDataModified', 14: 'ReadonlyLamportChange', 15: 'ReadonlyDataModified', 19: 'NotEnoughAccountKeys',
  29: 'UnsupportedProgramId', 34: 'InvalidSeeds', 31: 'MissingAccount', 36: 'ComputationalBudgetExceeded', 37: 'PrivilegeEscalation',
  39: 'ProgramFailedToComplete', 45: 'ArithmeticOverflow', 47: 'IllegalOwner',
};
const transactionErrors = {
  1: 'AccountLoadedTwice', 2: 'AccountNotFound', 3: 'ProgramAccountNotFound', 4: 'InsufficientFundsForFee', 5: 'InvalidAccountForFee',
  12: 'InvalidProgramForExecution',
};

// Solana's JSON form of an outcome.
function errorOf(result) {
  if (!result.err) return null;
  const error = result.err();
  if (typeof error === 'number') return transactionErrors[error] ?? error;
  switch (error.constructor.name) {
    case 'TransactionErrorInstructionError': {
      const inner = error.err();
      return { InstructionError: [error.index, typeof inner === 'number' ? instructionErrors[inner] ?? inner : { Custom: inner.code }] };
    }
    case 'TransactionErrorInsufficientFundsForRent': return { InsufficientFundsForRent: { account_index: error.accountIndex } };
    case 'TransactionErrorDuplicateInstruction': return { DuplicateInstruction: error.index };
  }
  return error.toString();
}

const bytes = (text, encoding) => new Uint8Array(Buffer.from(text, encoding));
const show = (lamports, owner, data) => `${lamports} lamports of ${Buffer.from(owner).toString('hex')} with ${Buffer.from(data).toString('hex')}`;
const simulatedAccount = (a) => (a ? show(a.lamports, bytes(a.owner, 'hex'), bytes(a.data, 'base64')) : 'none');
const runtimeAccount = (a) => (a && a.lamports() > 0n ? show(a.lamports(), a.owner(), a.data()) : 'none');

const faucetLamports = 500_000_000n * 1_000_000_000n;
let svm;
let compared = 0;
for (const text of fs.readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
  const line = JSON.parse(text);
  if (line.faucet) {
    svm = new runtime.LiteSvm();
    svm.setBlockhashCheck(false);
    svm.setSigverify(true);
    svm.setTransactionHistory(0n);
    svm.setAccount(bytes(line.faucet, 'hex'), new runtime.Account(faucetLamports, new Uint8Array(), new Uint8Array(32), false, 0n));
    continue;
  }
  const got = JSON.stringify(errorOf(svm.sendLegacyTransaction(bytes(line.transaction, 'base64'))));
  const differences = [];
  if (got !== JSON.stringify(line.err ?? null)) differences.push(`error: simulation ${JSON.stringify(line.err ?? null)}, runtime ${got}`);
  for (const [key, account] of Object.entries(line.accounts ?? {})) {
    const [ours, theirs] = [simulatedAccount(account), runtimeAccount(svm.getAccount(bytes(key, 'hex')))];
    if (ours !== theirs) differences.push(`account ${key}: simulation ${ours}, runtime ${theirs}`);
  }
  compared++;
  if (differences.length > 0) {
    console.error(`transaction ${compared}, ${line.transaction}\n  ${differences.join('\n  ')}`);
    process.exit(1);
  }
}
console.log(`${compared} transactions: the runtime says the same`);
