export declare const mines1: import("../rules.js").Rules;
