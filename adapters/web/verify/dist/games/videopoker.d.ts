export declare const videopoker1: import("../rules.js").Rules;
