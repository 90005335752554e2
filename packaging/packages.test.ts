import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rootCommands } from "../cli/src/commands/index.ts";
import { buildCli } from "../cli/build.ts";
import { cliPackage } from "./cli-package.ts";
import { platformPackages } from "./platform-packages.ts";
import { root } from "./repository.ts";
import { serverPackage } from "./server-package.ts";

await buildCli();
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
    expect(notices).toContain("Inter (font)\n\nCopyright 2016 The Inter Project Authors");
    const missing = [...new Set(names)].filter((name) => !notices.includes(`\n${name} `));
    expect(missing).toEqual([]);
  });
});

describe("the package @toolhost/cli", () => {
  const { manifest, files, texts } = cliPackage();

  it("depends on nothing, and is small", () => {
    expect(manifest).not.toHaveProperty("scripts");
    expect(manifest).not.toHaveProperty("dependencies");
    const bytes = [...files.values()].reduce((sum, path) => sum + statSync(path).size, 0);
    expect(bytes).toBeLessThan(5e6);
    expect(bytes).toBeGreaterThan(1e5);
  });

  it("lists every package that the bundle was made from, and contains no path of this machine", () => {
    const inputs = JSON.parse(readFileSync(join(root, "cli/dist/inputs.json"), "utf8")) as string[];
    const names = inputs.flatMap(
      (input) =>
        /.*node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)\//.exec(input)?.groups?.["name"] ?? [],
    );
    expect(new Set(names).size).toBeGreaterThan(3);
    const notices = texts.get("THIRD-PARTY-NOTICES.txt") ?? "";
    expect([...new Set(names)].filter((name) => !notices.includes(`\n${name} `))).toEqual([]);
    const found = [...files.values()].filter((path) =>
      readFileSync(path, "utf8").includes(`${root}/`),
    );
    expect(found).toEqual([]);
  });
});

describe("the command toolhost", () => {
  const source = readFileSync(join(root, "server/src/cli.ts"), "utf8");

  it("starts the server for the commands of the server", () => {
    const launcher = readFileSync(join(import.meta.dirname, "toolhost.mjs"), "utf8");
    const listed = /serverCommands = \[([^\]]+)\]/.exec(launcher)?.[1] ?? "";
    const programs = /programs: [^{]+\{([^}]+)\}/.exec(source)?.[1] ?? "";
    const names = [...listed.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
    const declared = [...programs.matchAll(/^ {2}"?([\w:-]+)"?: \(\)/gm)].map((match) => match[1]);
    expect(names).toEqual([...declared, "help"]);
  });

  it("lists the commands of a client in its help", () => {
    const listed = /Commands of a client [^\n]+\n([\s\S]+?)\n\n/.exec(source)?.[1] ?? "";
    const names = rootCommands.getAllEntries().map(({ name }) => name["convert-camel-to-kebab"]);
    expect(listed.trim().split(/,\s+/)).toEqual(names.toSorted());
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
