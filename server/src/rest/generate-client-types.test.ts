import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { clientTypesFile, describeClientTypes } from "./generate-client-types.ts";
import { routes } from "./index.ts";

it("matches sdk/src/api.ts, which `npm run generate:api` writes", async () => {
  expect(await readFile(clientTypesFile, "utf8")).toBe(describeClientTypes());
});

it("describes every route", () => {
  const text = describeClientTypes();
  const missing = routes
    .map(({ method, path }) => `"${method.toUpperCase()} ${path}": {`)
    .filter((line) => !text.includes(line));
  expect(missing).toEqual([]);
});
