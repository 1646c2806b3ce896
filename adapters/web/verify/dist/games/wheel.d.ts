export declare const wheel1: import("../rules.js").Rules;
