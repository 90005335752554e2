import { expect, it } from "vitest";
import { generateDocs, readGenerated } from "./generate-docs.ts";

it.each([...generateDocs()])("matches %s, which `npm run generate:docs` writes", (path, text) => {
  expect(readGenerated(path)).toBe(text);
});
