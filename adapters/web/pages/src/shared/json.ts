// JSON with exact integers: those that a number can't hold are read as bigint.

export { parse, stringify, type Integer } from "@casino-service/client";
