export declare const limbo1: import("../rules.js").Rules;
