export declare const hilo1: import("../rules.js").Rules;
