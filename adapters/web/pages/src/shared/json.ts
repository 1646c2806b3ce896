// JSON whose integers stay exact: those that a number can't keep are read as bigint.

export { parse, stringify, type Integer } from "@casino-service/client";
