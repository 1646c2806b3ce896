import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import test from "node:test";
import { readFileSync } from "node:fs";

const folder = fileURLToPath(new URL("..", import.meta.url));

test("what is published is dist, and needs no other package", () => {
  const printed = execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const paths = JSON.parse(printed)[0].files.map((file) => file.path);
  assert.deepEqual(paths.filter((path) => !["README.md", "package.json"].includes(path) && !/^dist\/[a-z]+\.(js|d\.ts)$/.test(path)), []);
  assert.ok(paths.includes("README.md"));
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"]) assert.equal(manifest[kind], undefined, kind);
  for (const file of Object.values(manifest.exports["."])) assert.ok(paths.includes(file.replace(/^\.\//, "")), file);
});
