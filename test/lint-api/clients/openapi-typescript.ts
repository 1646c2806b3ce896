import createClient from "openapi-fetch";

import type { paths } from "./generated/openapi-typescript";
import { base, must, session, token } from "./session";

let bearer = "";
const api = createClient<paths>({ baseUrl: base });
api.use({
  onRequest: ({ request }) => {
    if (bearer !== "") request.headers.set("Authorization", `Bearer ${bearer}`);
  },
});

void session({
  wallets: async () => must("wallets", (await api.GET("/dev/wallets")).data).wallets,
  sign: async (name, message) => {
    const { data, error } = await api.POST("/dev/wallets/{name}/sign", { params: { path: { name } }, body: { message } });
    return must("sign", data, error).signature;
  },
  send: async (name, transaction) => {
    const { data, error } = await api.POST("/dev/wallets/{name}/send", { params: { path: { name } }, body: { transaction } });
    return must("send", data, error).signature;
  },
  login: async (wallet, timestamp, signature) => {
    const { data, error } = await api.POST("/auth/login", { body: { wallet, timestamp, signature } });
    return must("login", data, error).token;
  },
  use: (given) => { bearer = given; },
  depositTransaction: async (amount) => {
    const { data, error } = await api.POST("/deposit/transaction", { body: { token, amount } });
    return must("deposit/transaction", data, error).transaction;
  },
  deposit: async (signature) => {
    const { data, error } = await api.POST("/deposit", { body: { signature, token } });
    return must("deposit", data, error).transaction.status;
  },
  play: async (wager, key) => {
    const { data, error } = await api.POST("/play", { params: { header: { "Idempotency-Key": key } }, body: { gameType: "dice", wager, token } });
    return must("play", data, error).round.id;
  },
  history: async () => {
    const { data, error } = await api.GET("/history");
    return must("history", data, error).rounds.map((round) => round.id);
  },
  withdraw: async (amount, destination, key) => {
    const { data, error } = await api.POST("/withdraw", { params: { header: { "Idempotency-Key": key } }, body: { amount, token, destination } });
    return must("withdraw", data, error).withdrawal.id;
  },
  cancel: async (id) => {
    const { data, error } = await api.POST("/withdraw/{id}/cancel", { params: { path: { id } } });
    return must("cancel", data, error).withdrawal.status;
  },
  approve: async (id, key) => {
    const { data, error } = await api.POST("/admin/withdraw/approve", { params: { header: { "Idempotency-Key": key } }, body: { id } });
    return must("approve", data, error).withdrawal.status;
  },
});
