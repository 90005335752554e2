import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { platformPackages } from "./platform-packages.ts";
import { root } from "./repository.ts";
import { serverPackage } from "./server-package.ts";

const platform = platformPackages();
const server = serverPackage(platform.map(({ manifest }) => manifest));
const paths = [...server.files.keys(), ...server.texts.keys()];

describe("the package toolhost", () => {
  it("has no install script, and depends on exact versions of packages of this repository", () => {
    expect(server.manifest).not.toHaveProperty("scripts");
    expect(server.manifest["optionalDependencies"]).toEqual(
      Object.fromEntries(platform.map(({ manifest }) => [manifest.name, manifest.version])),
    );
    expect(server.manifest["dependencies"]).toEqual({
      "better-sqlite3": expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
  });

  it("contains the files that the server reads", () => {
    expect(paths).toEqual(
      expect.arrayContaining([
        "bin/toolhost.mjs",
        "console/dist/index.html",
        "node_modules/better-sqlite3/package.json",
        "sandbox/src/worker/config.capnp",
        "server/dist/cli.js",
        "server/src/core/catalog/search/lexicon/synonyms.txt",
        "starter-tools/text-statistics/tool.json",
      ]),
    );
    expect(paths.some((path) => /^console\/dist\/assets\/ts-worker-.*\.js$/.test(path))).toBe(true);
  });

  it("contains no sources of the server and no tests", () => {
    expect(paths.filter((path) => /\.test\.|^server\/src\/.*\.ts$|\/\.env$/.test(path))).toEqual(
      [],
    );
  });

  it("contains no path of this machine", () => {
    const texts = [...server.files].filter(([path]) => /\.(?:js|mjs|map|html|json)$/.test(path));
    const found = texts.filter(([, source]) => readFileSync(source, "utf8").includes(`${root}/`));
    expect(found.map(([path]) => path)).toEqual([]);
  });

  it("lists every package that the bundle was made from, with its license", () => {
    const notices = server.texts.get("THIRD-PARTY-NOTICES.txt") ?? "";
    const maps = globSync("server/dist/*.map", { cwd: root });
    const sources = maps.flatMap((file) => {
      const { sources: list } = JSON.parse(readFileSync(join(root, file), "utf8")) as {
        sources: string[];
      };
      return list;
    });
    const names = sources.flatMap(
      (source) =>
        /.*node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)\//.exec(source)?.groups?.["name"] ?? [],
    );
    expect(names.length).toBeGreaterThan(1_000);
    const missing = [...new Set(names)].filter((name) => !notices.includes(`\n${name} `));
    expect(missing).toEqual([]);
  });
});

describe("the package of Node.js", () => {
  it("is for users of versions that the command does not run on", () => {
    const launcher = readFileSync(join(import.meta.dirname, "toolhost.mjs"), "utf8");
    const major = /requiredMajor = (\d+);/.exec(launcher)?.[1];
    expect(platform.map(({ manifest }) => manifest["engines"])).toContainEqual({
      node: `<${major}`,
    });
    const check = readFileSync(join(root, "scripts/check-node.mjs"), "utf8");
    expect(check).toContain(`REQUIRED_MAJOR = ${major};`);
  });
});
