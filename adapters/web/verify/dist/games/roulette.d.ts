export declare const roulette1: import("../rules.js").Rules;
