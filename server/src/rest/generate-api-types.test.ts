import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { apiTypesFile, describeApiTypes } from "./generate-api-types.ts";

it("matches contract/src/api.ts, which `npm run generate:api` writes", async () => {
  expect(await readFile(apiTypesFile, "utf8")).toBe(describeApiTypes());
});
