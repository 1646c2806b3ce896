import axios from "axios";

import * as api from "./generated/orval";
import { base, session, token } from "./session";

axios.defaults.baseURL = base;
const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });

void session({
  wallets: async () => (await api.demoWallets()).data.wallets,
  sign: async (name, message) => (await api.demoSign(name, { message })).data.signature,
  send: async (name, transaction) => (await api.demoSend(name, { transaction })).data.signature,
  login: async (wallet, timestamp, signature) => (await api.login({ wallet, timestamp, signature })).data.token,
  use: (bearer) => { axios.defaults.headers.common["Authorization"] = `Bearer ${bearer}`; },
  depositTransaction: async (amount) => (await api.depositTransaction({ token, amount })).data.transaction,
  deposit: async (signature) => (await api.deposit({ signature, token })).data.transaction.status,
  play: async (wager, key) => (await api.play({ gameType: "dice", wager, token }, keyed(key))).data.round.id,
  history: async () => (await api.listRounds()).data.rounds.map((round) => round.id),
  withdraw: async (amount, destination, key) => (await api.withdraw({ amount, token, destination }, keyed(key))).data.withdrawal.id,
  cancel: async (id) => (await api.cancelWithdrawal(id)).data.withdrawal.status,
  approve: async (id, key) => (await api.approveWithdrawal({ id }, keyed(key))).data.withdrawal.status,
});
