import type { Connection } from "./connection.js";
/** Options of every stream. */
export interface StreamOptions {
    /** Ends the stream: the iteration is then over. */
    signal?: AbortSignal;
    /** Called whenever a connection is made. Data read from the service afterwards is complete
     * together with the following events. */
    onOpen?: () => void;
    /** How long a connection may be silent before it is replaced, 40 s by default. The service
     * sends something every 15 s. */
    silenceMs?: number;
}
/** Identifies a stream. */
export interface Stream {
    call: string;
    query: object;
    token: string | null;
    /** The position to continue from, null for now. */
    cursor: string | null;
}
/** The content of a message, and the position after it. */
export interface Placed {
    value: unknown;
    cursor: string;
}
/** Reads a stream until its signal ends, over as many connections as needed; each begins at the
 * position after the last message. It fails if reconnecting wouldn't help. */
export declare function follow(connection: Connection, stream: Stream, options: StreamOptions): AsyncGenerator<Placed, void, void>;
