export declare const crash1: import("../rules.js").Rules;
