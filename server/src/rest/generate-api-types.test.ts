import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { apiTypesFile, describeApiTypes } from "./generate-api-types.ts";

it("keeps contract/src/api.ts up to date; `npm run generate:api` writes it", async () => {
  expect(await readFile(apiTypesFile, "utf8")).toBe(describeApiTypes());
});
