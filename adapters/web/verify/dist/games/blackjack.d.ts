export declare const blackjack1: import("../rules.js").Rules;
