/** A message of a stream: its data, empty if there is none, and its id, if it has one. */
export interface Message {
    data: string;
    id: string | null;
}
/** Reads messages from bytes that arrive in pieces of any length. */
export declare class Messages {
    private readonly decoder;
    private text;
    private data;
    private id;
    /** The messages that are complete with these bytes. */
    take(bytes: Uint8Array): Message[];
    private line;
}
