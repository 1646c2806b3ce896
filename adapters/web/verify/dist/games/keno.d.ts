export declare const keno1: import("../rules.js").Rules;
