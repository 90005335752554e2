import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
/** The values of a field in a YAML file, whose syntax the formatter checks. */
const fieldsOf = (path: string, name: string) =>
  [...read(path).matchAll(new RegExp(`^[ -]*${name}: (.+)$`, "gm"))].map(([, value = ""]) => value);
const find = (pattern: string) => globSync(pattern, { cwd: root }).toSorted();

type Manifest = { version: string; scripts?: Record<string, string> } & Record<string, unknown>;
const readManifest = (path: string) => JSON.parse(read(path)) as Manifest;

describe.each(find(".github/workflows/*.yml"))("%s", (path) => {
  it("has permission to read the repository only", () => {
    expect(read(path)).toContain("\npermissions:\n  contents: read\n\n");
    expect(read(path)).not.toMatch(/: *write/);
  });

  it("pins actions by commit and names their version", () => {
    const actions = fieldsOf(path, "uses");
    expect(actions.length).toBeGreaterThan(0);
    for (const action of actions) expect(action).toMatch(/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it("runs scripts that exist", () => {
    const commands = fieldsOf(path, "run");
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) accessSync(join(root, command), constants.X_OK);
  });
});

describe("the scripts of .ci", () => {
  const { scripts = {} } = readManifest("package.json");

  it.each(find(".ci/*"))("runs npm scripts that exist in %s", (path) => {
    const names = [...read(path).matchAll(/npm run ([a-z][\w:-]*)|\/run" ([\w:]+)$/gm)];
    expect(names.length).toBeGreaterThan(0);
    for (const [, name, argument] of names)
      expect(scripts).toHaveProperty([name ?? argument ?? ""]);
  });
});

describe("the development container", () => {
  it("has the packages that the tests of each change need", () => {
    const installed = read(".devcontainer/Dockerfile");
    const [perChange = ""] = read(".ci/run").split("Only the full set");
    const needed = [...perChange.matchAll(/missing\+=\((\w+)\)/g)].map(([, name]) => name);
    expect(needed.length).toBeGreaterThan(3);
    for (const name of needed) expect(installed).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe("lefthook.yml", () => {
  const commands = fieldsOf("lefthook.yml", "run");
  const folder = mkdtempSync(join(tmpdir(), "hook-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("runs programs that are installed", () => {
    const programs = commands.flatMap((command) => /^npx (\w+)/.exec(command)?.[1] ?? []);
    expect(programs).toEqual(["oxfmt", "oxlint"]);
    for (const name of programs) accessSync(join(root, "node_modules/.bin", name), constants.X_OK);
  });

  it.each([
    [72, "é".repeat(72), 0],
    [73, "x".repeat(73), 1],
  ])("returns for a subject of %i characters whether it is short enough", (_, subject, status) => {
    const file = join(folder, "message");
    writeFileSync(file, `${subject}\n\n${"x".repeat(200)}\n`);
    const command = commands.at(-1)?.replace("{1}", `'${file}'`) ?? "";
    expect(spawnSync("sh", ["-c", command], { env: { PATH: process.env["PATH"] } }).status).toBe(
      status,
    );
  });
});

describe("the version", () => {
  const { version } = readManifest("package.json");

  it("is the same in each package, the lock file, the Helm chart and the change log", () => {
    const manifests = find("*/package.json").map(readManifest);
    expect(manifests.map((manifest) => manifest.version)).toEqual(manifests.map(() => version));
    expect(readManifest("package-lock.json").version).toBe(version);
    const chart = "deploy/helm/toolhost/Chart.yaml";
    expect([...fieldsOf(chart, "version"), ...fieldsOf(chart, "appVersion")]).toEqual([
      version,
      version,
    ]);
    expect(read("CHANGELOG.md")).toMatch(
      new RegExp(`^## ${version.replaceAll(".", "\\.")}(?: - |$)`, "m"),
    );
  });
});
