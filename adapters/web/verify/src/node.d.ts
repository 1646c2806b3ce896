// The part of Node.js that the command uses, so that the package needs no @types/node.
declare module "node:fs" {
  export function readFileSync(file: string | number, encoding: "utf8"): string;
  export function readFileSync(file: string): Uint8Array;
  export function existsSync(file: string): boolean;
  export function createReadStream(file: string, options: { encoding: "utf8"; highWaterMark: number }): AsyncIterable<string>;
}
declare const process: {
  argv: string[];
  exitCode?: number;
  stdin: AsyncIterable<string> & { setEncoding(encoding: "utf8"): void };
  stdout: { write(text: string, done: () => void): boolean };
};
declare function fetch(url: string, options?: { method: "POST"; headers: { [name: string]: string }; body: string }): Promise<{
  ok: boolean;
  status: number;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}>;
declare const console: { log(text: string): void; error(text: string): void };
