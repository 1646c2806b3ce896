// Writes what the published contract says as TypeScript: its types, and which of its calls
// happen once under a key. Neither is checked in; what is compiled of them is.
import { readFile, writeFile } from "node:fs/promises";
import { load } from "js-yaml";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const number = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword);
const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const nothing = ts.factory.createLiteralTypeNode(ts.factory.createNull());

/** Integers may be longer than a number keeps exactly; those are read as bigint (src/json.ts). */
function transform(schema) {
  const types = [schema.type].flat();
  if (!types.includes("integer") || schema.enum || schema.maximum <= Number.MAX_SAFE_INTEGER) return undefined;
  return ts.factory.createUnionTypeNode([number, bigint, ...(types.includes("null") ? [nothing] : [])]);
}

const place = new URL("../../httpapi/openapi.yaml", import.meta.url);
const document = load(await readFile(place, "utf8"));
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, ...operation })),
);
const keyed = operations.filter((one) => one.parameters?.some((each) => each.$ref === "#/components/parameters/IdempotencyKey"));
const written = (name, text) => writeFile(new URL(`src/${name}.ts`, import.meta.url), `// Written by contract.mjs from the published contract.\n\n${text}`);
await written("contract", astToString(await openapiTS(document, { transform })));
await written("operations", `import type { operations } from "./contract.js";

/** The operations of the contract by method and path. */
export interface Operations {
${operations.map((one) => `  "${one.call}": operations["${one.operationId}"];`).join("\n")}
}

/** The calls that happen once under a key. */
export const keyed: ReadonlySet<string> = new Set<keyof Operations>(${JSON.stringify(keyed.map((one) => one.call), null, 2)});
`);
