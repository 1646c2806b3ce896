export declare const slots1: import("../rules.js").Rules;
