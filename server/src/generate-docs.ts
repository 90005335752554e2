import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeConfiguration, describeEnvironment } from "./describe-settings.ts";
import { describeErrors } from "./describe-errors.ts";

const root = join(import.meta.dirname, "../..");

/** The generated files with their contents, by path from the root. */
export function generateDocs(): ReadonlyMap<string, string> {
  return new Map([
    ["docs/reference/configuration.md", describeConfiguration()],
    ["docs/reference/errors.md", describeErrors()],
    [".env.example", describeEnvironment()],
  ]);
}

/** What a generated file contains now. */
export function readGenerated(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

if (import.meta.main) {
  for (const [path, text] of generateDocs()) writeFileSync(join(root, path), text);
}
