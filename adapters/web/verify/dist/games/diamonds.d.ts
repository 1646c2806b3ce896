export declare const diamonds1: import("../rules.js").Rules;
