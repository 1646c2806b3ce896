export declare const dice1: import("../rules.js").Rules;
