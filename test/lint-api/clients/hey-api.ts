import * as api from "./generated/hey-api";
import { client } from "./generated/hey-api/client.gen";
import { base, must, session, token } from "./session";

let bearer: string | undefined;
client.setConfig({ baseUrl: base, auth: () => bearer });

void session({
  wallets: async () => must("wallets", (await api.demoWallets()).data).wallets,
  sign: async (name, message) => {
    const { data, error } = await api.demoSign({ path: { name }, body: { message } });
    return must("sign", data, error).signature;
  },
  send: async (name, transaction) => {
    const { data, error } = await api.demoSend({ path: { name }, body: { transaction } });
    return must("send", data, error).signature;
  },
  login: async (wallet, timestamp, signature) => {
    const { data, error } = await api.login({ body: { wallet, timestamp, signature } });
    return must("login", data, error).token;
  },
  use: (given) => { bearer = given; },
  depositTransaction: async (amount) => {
    const { data, error } = await api.depositTransaction({ body: { token, amount } });
    return must("deposit/transaction", data, error).transaction;
  },
  deposit: async (signature) => {
    const { data, error } = await api.deposit({ body: { signature, token } });
    return must("deposit", data, error).transaction.status;
  },
  play: async (wager, key) => {
    const { data, error } = await api.play({ headers: { "Idempotency-Key": key }, body: { gameType: "dice", wager, token } });
    return must("play", data, error).round.id;
  },
  history: async () => {
    const { data, error } = await api.listRounds();
    return must("history", data, error).rounds.map((round) => round.id);
  },
  withdraw: async (amount, destination, key) => {
    const { data, error } = await api.withdraw({ headers: { "Idempotency-Key": key }, body: { amount, token, destination } });
    return must("withdraw", data, error).withdrawal.id;
  },
  cancel: async (id) => {
    const { data, error } = await api.cancelWithdrawal({ path: { id } });
    return must("cancel", data, error).withdrawal.status;
  },
  approve: async (id, key) => {
    const { data, error } = await api.approveWithdrawal({ headers: { "Idempotency-Key": key }, body: { id } });
    return must("approve", data, error).withdrawal.status;
  },
});
