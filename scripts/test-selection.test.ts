import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { nightlyOnly } from "./test-selection.ts";

const root = join(import.meta.dirname, "..");
const exclude = ["**/node_modules/**"];
const allFiles = globSync("**/*.test.{ts,tsx}", { cwd: root, exclude }).toSorted();
const onDatabase = allFiles.filter((file) => /^(?:server\/src|e2e)\//.test(file));

type Project = { test: { name: string; include: string[]; exclude?: string[] } };

/** The files of each project of the configuration, in an environment. */
async function readProjects(env: Record<string, string>): Promise<Map<string, string[]>> {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const argv = process.argv;
  process.argv = argv.slice(0, 2);
  try {
    const url = `${pathToFileURL(join(root, "vitest.config.ts")).href}?${new URLSearchParams(env).toString()}`;
    const config = (await import(url)) as { default: { test: { projects: Project[] } } };
    return new Map(
      config.default.test.projects.map(({ test }) => {
        const found = globSync(test.include, {
          cwd: root,
          exclude: [...exclude, ...(test.exclude ?? [])],
        });
        return [test.name, found.toSorted()];
      }),
    );
  } finally {
    process.argv = argv;
  }
}

const full = { TEST_ALL: "1", TEST_DATABASE_URL: "postgres://localhost/postgres" };
const perChange = { ...full, TEST_ALL: "" };
const filesOn = (projects: Map<string, string[]>, dialect: string) =>
  [...(projects.get(`server (${dialect})`) ?? []), ...(projects.get(`e2e (${dialect})`) ?? [])]
    .flat()
    .toSorted();
const union = (projects: Map<string, string[]>) =>
  [...new Set([...projects.values()].flat())].toSorted();

afterEach(() => vi.unstubAllEnvs());

describe("the full set", () => {
  it("has every test file", async () => {
    expect(union(await readProjects(full))).toEqual(allFiles);
  });

  it("has every test of the server and the service on SQLite", async () => {
    expect(filesOn(await readProjects(full), "sqlite")).toEqual(onDatabase.toSorted());
  });

  it("has every test on PostgreSQL that has cases for it, or imports the database", async () => {
    const onPostgres = new Set(filesOn(await readProjects(full), "postgres"));
    const needs = onDatabase.filter((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return /skipIf\(\s*dialect !== "postgres"|from "(?:#db|[./]*\/db\/)/.test(text);
    });
    expect(needs.length).toBeGreaterThan(10);
    expect(needs.filter((file) => !onPostgres.has(file))).toEqual([]);
  });
});

describe("the set of each change", () => {
  it("has every file but those of the nightly run", async () => {
    const expected = allFiles.filter((file) => !nightlyOnly.includes(file));
    expect(union(await readProjects(perChange))).toEqual(expected);
    const withoutPostgres = await readProjects({ TEST_ALL: "", TEST_DATABASE_URL: "" });
    expect(union(withoutPostgres)).toEqual(expected);
  });

  it("is part of the full set on each database", async () => {
    const [some, all] = [await readProjects(perChange), await readProjects(full)];
    for (const [name, files] of some) {
      expect(files.filter((file) => !all.get(name)?.includes(file))).toEqual([]);
    }
    expect(filesOn(some, "postgres").length).toBeGreaterThan(30);
  });

  it("leaves out only files that the documentation names", () => {
    const text = readFileSync(join(root, "e2e/README.md"), "utf8");
    expect(nightlyOnly.filter((file) => !text.includes(file))).toEqual([]);
  });
});
