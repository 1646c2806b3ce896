export declare const baccarat1: import("../rules.js").Rules;
