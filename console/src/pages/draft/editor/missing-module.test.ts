// oxlint-disable-next-line no-restricted-imports -- The test compares the list with the one of Node.js, which runs it.
import { builtinModules } from "node:module";
import { describe, expect, it } from "vitest";
import { compilerOptions } from "./compiler/compiler-options.ts";
import { createCompiler } from "./compiler/create-compiler.ts";
import { declarationsOf } from "./declarations.ts";
import { missingModule } from "./missing-module.ts";
import { missingNodeModules, nodeModules } from "./node-modules.ts";

const definition = { source: { dependencies: { plain: "1.0.0" } } };

function check(code: string) {
  const files = new Map([
    ["file:///tool-types.d.ts", declarationsOf(definition, [])],
    ["file:///tool.ts", code],
  ]);
  const service = createCompiler(files, compilerOptions, () => "1");
  return service
    .getSemanticDiagnostics("file:///tool.ts")
    .map((found) => missingModule(found.code, String(found.messageText)));
}

describe("missingModule", { timeout: 60_000 }, () => {
  it("finds the packages of imports that the compiler can't resolve", () => {
    const code = `import { z } from "zod"; import map from "lodash/fp/map.js"; import sub from "@scope/name/sub";
      import type { A } from "@scope/types"; export default async () => [z, map, sub, await import("ms"), {} as A];`;
    expect(check(code)).toEqual(
      ["zod", "lodash", "@scope/name", "@scope/types", "ms"].map((packageName) => ({
        packageName,
      })),
    );
  });

  it("finds modules of Node.js that the sandbox doesn't have", () => {
    const code =
      'import cp from "child_process"; import vm from "vm"; import i from "inspector/promises"; export default () => [cp, vm, i];';
    expect(check(code)).toEqual(
      ["child_process", "vm", "inspector/promises"].map((nodeModule) => ({ nodeModule })),
    );
  });

  it("ignores declared packages, other modules and other problems", () => {
    const names = ["./a", "../a", "/etc/a", "https://evil.test/a.js", "#a", "@a", "", "A b", "fs"];
    const imports = names.map((name, at) => `import a${at} from ${JSON.stringify(name)};`);
    const code = `import plain from "plain"; ${imports.join(" ")} export default () => [missing, plain];`;
    const found = check(code);
    expect(found.length).toBeGreaterThan(names.length);
    expect(found.filter((one) => one !== undefined)).toEqual([]);
  });

  it("finds the package of an import that a build refused", () => {
    const message = (path: string, advice: string) => `import "${path}" is not allowed: ${advice}`;
    const add = "add it to the tool's dependencies";
    expect(missingModule(0, message("@scope/a/b", add))).toEqual({ packageName: "@scope/a" });
    expect(missingModule(0, message("./a", "a tool is a single file"))).toBeUndefined();
  });
});

describe("the lists of Node.js modules", () => {
  it("includes all modules of Node.js that can be imported without a prefix", () => {
    const all = builtinModules.filter((name) => !/^_|^node:|\//.test(name));
    expect([...nodeModules, ...missingNodeModules].toSorted()).toEqual(all.toSorted());
  });
});
