import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { apiTypesFile, describeApiTypes } from "./generate-api-types.ts";
import { routes } from "./index.ts";

it("matches contract/src/api.ts, which `npm run generate:api` writes", async () => {
  expect(await readFile(apiTypesFile, "utf8")).toBe(describeApiTypes());
});

// OpenAPI names them by it.
it("has an ID for the schema of each body and response: `.meta({ id })`", () => {
  const unnamed = routes.flatMap(({ method, path, body, response, textMediaType }) => {
    const json = textMediaType === undefined ? [body, response] : [body];
    const isUnnamed = json.some((schema) => schema != null && !hasId(schema));
    return isUnnamed ? [`${method.toUpperCase()} ${path}`] : [];
  });
  expect(unnamed).toEqual([]);
});

function hasId(schema: z.ZodType): boolean {
  if (schema instanceof z.ZodArray) return hasId(schema.element as z.ZodType);
  if (schema instanceof z.ZodDefault) return hasId(schema.unwrap() as z.ZodType);
  // The input of a tool has a schema of its own.
  return schema instanceof z.ZodUnknown || schema.meta()?.id !== undefined;
}
