// Starts and stops Surfpool networks for the Go process that runs it: node
// surfnet.mjs. Reads one JSON command a line from stdin and answers each with one
// line: {"start":true} with {"id","url"}, {"stop":id} with {"id"}. It ends, and
// removes its folder, when stdin does. Only Surfpool's native half is used:
// a wrapper package would bring builds for every platform.
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { createRequire } from 'node:module';

const { Surfnet } = createRequire(import.meta.url)('@solana/surfpool-linux-x64-gnu'); // a native module: import can't load it

const running = new Map();

// A network blocks its calls once 1,024 of its events were not read.
setInterval(() => running.forEach((network) => network.drainEvents()), 20);

// Blocks are made on request, so that the shim alone decides what time it is.
function start() {
  const network = Surfnet.startWithConfig({ offline: true, blockProductionMode: 'manual', slotTimeMs: 400, airdropSol: 0 });
  running.set(network.instanceId, network);
  return { id: network.instanceId, url: network.rpcUrl };
}

function stop(id) {
  running.get(id)?.stop();
  running.delete(id);
  return { id };
}

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  let answer;
  try {
    const command = JSON.parse(line);
    answer = command.start ? start() : stop(command.stop);
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}).on('close', () => {
  fs.rmSync(path.dirname(process.argv[1]), { recursive: true, force: true });
  process.exit(0);
});
