// The little of Node.js that the receiver uses, so that it compiles without @types/node.
interface Buffer {
  readonly length: number;
  lastIndexOf(text: string): number;
  subarray(from: number, to: number): Buffer;
  toString(encoding: "utf8"): string;
}
declare const Buffer: {
  alloc(size: number): Buffer;
  concat(parts: Buffer[]): Buffer;
  from(text: string, encoding?: "base64"): Buffer;
};
declare const process: { argv: string[]; env: Record<string, string | undefined>; exit(code: number): never };
declare const console: { log(text: string): void; error(fault: unknown): void };

declare module "node:crypto" {
  interface Hmac {
    update(data: string | Buffer): Hmac;
    digest(encoding: "base64"): string;
  }
  export function createHmac(algorithm: "sha256", key: Buffer): Hmac;
  export function timingSafeEqual(a: Buffer, b: Buffer): boolean;
}

declare module "node:fs" {
  export function closeSync(file: number): void;
  export function existsSync(name: string): boolean;
  export function fsyncSync(file: number): void;
  export function openSync(name: string, flags: "a", mode: number): number;
  export function readFileSync(name: string): Buffer;
  export function truncateSync(name: string, size: number): void;
  export function writeSync(file: number, data: Buffer): number;
}

declare module "node:http" {
  export interface IncomingMessage {
    headers: Record<string, string | string[] | undefined>;
    on(event: "data", hear: (part: Buffer) => void): void;
    on(event: "end", hear: () => void): void;
  }
  interface ServerResponse {
    writeHead(status: number): ServerResponse;
    end(): void;
  }
  interface Server {
    listen(port: number, host: string, ready: () => void): void;
    address(): { port: number };
  }
  export function createServer(answer: (request: IncomingMessage, response: ServerResponse) => void): Server;
}
