export declare const plinko1: import("../rules.js").Rules;
