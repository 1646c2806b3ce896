/** A message of a stream: its data, empty where there is none, and its id, if it has one. */
export interface Message {
    data: string;
    id: string | null;
}
/** Reads messages out of bytes that come in pieces of any length. */
export declare class Messages {
    private readonly decoder;
    private text;
    private data;
    private id;
    /** What is complete once these bytes have come too. */
    take(bytes: Uint8Array): Message[];
    private line;
}
