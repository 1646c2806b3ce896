export declare const coinflip1: import("../rules.js").Rules;
