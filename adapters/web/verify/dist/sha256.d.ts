export declare function sha256(message: Uint8Array): Uint8Array;
/** SHA-256 of bytes that come in parts. */
export declare class Sha256 {
    private readonly state;
    private readonly rest;
    private length;
    add(bytes: Uint8Array): void;
    digest(): Uint8Array;
}
export declare function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array;
/** The bytes of an ASCII text; seeds are ASCII. */
export declare function ascii(text: string): Uint8Array;
export declare function hex(bytes: Uint8Array): string;
