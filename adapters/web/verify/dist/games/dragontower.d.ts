export declare const dragontower1: import("../rules.js").Rules;
