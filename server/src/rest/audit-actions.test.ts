import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { routes } from "./index.ts";

const core = join(import.meta.dirname, "../core");
const code = globSync("**/*.ts", { cwd: core, exclude: ["**/*.test.ts"] })
  .map((file) => readFileSync(join(core, file), "utf8"))
  .join("\n");

// A declaration alone records nothing.
it("records in the core each audit action that a route declares", () => {
  const unrecorded = routes.flatMap(({ method, path, audit }) =>
    audit === null || audit === "private" || code.includes(`"${audit}"`)
      ? []
      : [`${method.toUpperCase()} ${path}: add auditInsert with the action ${audit} to its change`],
  );
  expect(unrecorded).toEqual([]);
});
