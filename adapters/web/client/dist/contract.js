// Written by contract.mjs from the published contract.
export {};
