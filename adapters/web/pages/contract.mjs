// Writes the types of the published API to src/contract.d.ts, which isn't checked in: pages
// are compiled against the document as it is.
import { writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const number = ts.factory.createKeywordTypeNode(ts.SyntaxKind.NumberKeyword);
const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
const nothing = ts.factory.createLiteralTypeNode(ts.factory.createNull());

/** Integers may be longer than a number keeps exactly; those are read as bigint (src/shared/json.ts). */
function transform(schema) {
  const types = [schema.type].flat();
  if (!types.includes("integer") || schema.enum || schema.maximum <= Number.MAX_SAFE_INTEGER) return undefined;
  return ts.factory.createUnionTypeNode([number, bigint, ...(types.includes("null") ? [nothing] : [])]);
}

const document = new URL("../../httpapi/openapi.yaml", import.meta.url);
await writeFile(new URL("src/contract.d.ts", import.meta.url), astToString(await openapiTS(document, { transform })));
