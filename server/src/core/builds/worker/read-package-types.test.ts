import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { packageTypesLimits } from "@toolhost/contract";
import { afterAll, describe, expect, it } from "vitest";
import { readPackageTypes } from "./read-package-types.ts";

const root = mkdtempSync(join(tmpdir(), "package-types-test-"));
afterAll(() => rmSync(root, { recursive: true }));

/** A folder as npm leaves it, of files below `node_modules`. */
function installed(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, "build-"));
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, "node_modules", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return folder;
}

const manifest = (version: string, more: object = {}) => JSON.stringify({ version, ...more });

describe("readPackageTypes", () => {
  it("returns declarations and manifests of packages and their dependencies", async () => {
    const folder = installed({
      "a/package.json": manifest("1.2.3", { types: "x.d.ts", scripts: { install: "rm -rf /" } }),
      "a/x.d.ts": "export const x: 1;",
      "a/x.js": "throw 1;",
      "a/deep/y.d.mts": "export const y: 2;",
      "a/node_modules/c/z.d.cts": "export = 3;",
      "@scope/b/package.json": manifest("2.0.0"),
      "@scope/b/index.d.ts": "export {};",
      ".package-lock.json": "{}",
    });
    const { packages, files } = await readPackageTypes(folder, ["a"], packageTypesLimits);
    expect(packages).toEqual([{ name: "a", version: "1.2.3", types: "there" }]);
    expect(Object.fromEntries(files.map(({ path, text }) => [path, text]))).toEqual({
      "node_modules/a/package.json": '{"version":"1.2.3","types":"x.d.ts"}',
      "node_modules/a/x.d.ts": "export const x: 1;",
      "node_modules/a/deep/y.d.mts": "export const y: 2;",
      "node_modules/a/node_modules/c/z.d.cts": "export = 3;",
      "node_modules/@scope/b/package.json": '{"version":"2.0.0"}',
      "node_modules/@scope/b/index.d.ts": "export {};",
    });
  });

  it("distinguishes packages without types from those with a types package", async () => {
    const folder = installed({
      "plain/package.json": manifest("1.0.0"),
      "plain/index.js": "",
      "@s/typed/package.json": manifest("1.0.0"),
      "@types/s__typed/package.json": manifest("9.0.0"),
      "@types/s__typed/index.d.ts": "export {};",
    });
    const { packages } = await readPackageTypes(
      folder,
      ["plain", "@s/typed", "missing"],
      packageTypesLimits,
    );
    expect(packages).toEqual([
      { name: "plain", version: "1.0.0", types: "none" },
      { name: "@s/typed", version: "1.0.0", types: "there" },
      { name: "missing", version: "", types: "none" },
    ]);
  });

  it("ignores links and invalid manifests", async () => {
    const folder = installed({
      "a/index.d.ts": "export {};",
      "a/package.json": "[1]",
      "b/index.d.ts": "export {};",
      "b/package.json": "{}",
      "c/index.d.ts": "export {};",
      "c/package.json": `{ "exports": "${"x".repeat(270_000)}" }`,
    });
    const secret = join(root, "secret.d.ts");
    writeFileSync(secret, "hunter2");
    symlinkSync(secret, join(folder, "node_modules/a/link.d.ts"));
    symlinkSync(root, join(folder, "node_modules/a/folder"));
    symlinkSync(root, join(folder, "node_modules/linked"));
    rmSync(join(folder, "node_modules/b/package.json"));
    symlinkSync(secret, join(folder, "node_modules/b/package.json"));
    const { files } = await readPackageTypes(folder, ["a", "b", "c", "linked"], packageTypesLimits);
    expect(files.map(({ path }) => path)).toEqual([
      "node_modules/a/index.d.ts",
      "node_modules/b/index.d.ts",
      "node_modules/c/index.d.ts",
    ]);
  });

  it("omits packages that exceed the limits and reads the others", async () => {
    const folder = installed({
      "first/index.d.ts": "x".repeat(50),
      "large/index.d.ts": "x".repeat(50),
      "large/more.d.ts": "x",
      "many/1.d.ts": "",
      "many/2.d.ts": "",
      "many/3.d.ts": "",
      [`deep/${"d/".repeat(20)}index.d.ts`]: "",
      "small/index.d.ts": "export {};",
    });
    const named = ["first", "large", "many", "deep", "small"];
    const { packages, files } = await readPackageTypes(folder, named, { files: 3, bytes: 100 });
    expect(packages.map(({ name, types }) => [name, types])).toEqual([
      ["first", "there"],
      ["large", "too_large"],
      ["many", "too_large"],
      ["deep", "too_large"],
      ["small", "there"],
    ]);
    expect(files.map(({ path }) => path)).toEqual([
      "node_modules/first/index.d.ts",
      "node_modules/small/index.d.ts",
    ]);
  });
});
