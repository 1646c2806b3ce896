export declare function sha256(message: Uint8Array): Uint8Array;
export declare function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array;
/** The bytes of a text of ASCII; seeds are nothing else. */
export declare function ascii(text: string): Uint8Array;
export declare function hex(bytes: Uint8Array): string;
