import type { Connection } from "./connection.js";
/** What every stream takes. */
export interface StreamOptions {
    /** Ends the stream: the iteration is then over. */
    signal?: AbortSignal;
    /** Called whenever a connection is made. What is read from the service afterwards is
     * complete together with what comes. */
    onOpen?: () => void;
    /** How long a connection may be silent before another one is made: 40 s, unless it is
     * another time. The service sends something every 15 s. */
    silenceMs?: number;
}
/** Which stream it is. */
export interface Stream {
    call: string;
    query: object;
    token: string | null;
    /** The place to go on from, null for now. */
    cursor: string | null;
}
/** What a message of a stream says, and the place after it. */
export interface Placed {
    value: unknown;
    cursor: string;
}
/** Reads a stream until its signal ends it, over as many connections as that takes: each
 * begins at the place after what came last. It fails where coming back wouldn't help. */
export declare function follow(connection: Connection, stream: Stream, options: StreamOptions): AsyncGenerator<Placed, void, void>;
