import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCli } from "./src/cli.ts";
import type { Cli } from "./src/cli.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let server: Server;
let cli: Cli;

beforeAll(async () => {
  server = await startServer();
  cli = await createCli(server);
  await cli.json(["init"]);
  await cli.json(["new", "hello"]);
});
afterAll(() => server?.stop());

const toolPath = (folder: string, file: string) => join(cli.cwd, "tools", folder, file);

describe("toolhost test", () => {
  it("ignores a folder that has only generated files, and reports the others if one is not valid", async () => {
    await cli.json(["new", "deleted"]);
    for (const file of ["tool.json", "tool.ts"]) await rm(toolPath("deleted", file));
    expect(existsSync(toolPath("deleted", "tsconfig.json"))).toBe(true);
    expect(await cli.json(["test"])).toMatchObject({ passed: 1, failed: 0 });
    await cli.json(["new", "damaged"]);
    await writeFile(toolPath("damaged", "tool.json"), "{");
    const { code, stdout } = await cli.run(["test", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      passed: 1,
      failed: 1,
      results: expect.arrayContaining([
        expect.objectContaining({ tool: "hello", status: "passed" }),
        expect.objectContaining({
          tool: "damaged",
          status: "failed",
          message: expect.stringContaining("is not valid JSON"),
        }),
      ]),
    });
    await cli.json(["new", "empty"]);
    await rm(toolPath("empty", "tool.ts"));
    const status = await cli.run(["status"]);
    expect(status.code).toBe(2);
    expect(status.stderr).toContain("tools/damaged: tool.json is not valid JSON");
    expect(status.stderr).toContain("tools/empty: tool.ts is missing");
    for (const folder of ["damaged", "empty"]) {
      await rm(join(cli.cwd, "tools", folder), { recursive: true });
    }
    expect((await cli.run(["test", "deleted"])).code).toBe(2);
  });

  it("skips an example whose file is not in the workspace", async () => {
    await cli.json(["new", "lines", "--template", "file"]);
    await mkdir(toolPath("lines", "examples"));
    const example = { input: { document: "01900000-0000-7000-8000-000000000000" } };
    await writeFile(toolPath("lines", "examples/1.json"), JSON.stringify(example));
    const { passed, failed, skipped, results } = await cli.json(["test", "lines"]);
    expect({ passed, failed, skipped }).toEqual({ passed: 0, failed: 0, skipped: 1 });
    expect(results[0].message).toContain("toolhost dev lines document=@FILE");
    await rm(toolPath("lines", "examples"), { recursive: true });
  });
});

describe("a run of a draft", () => {
  it("is listed as one, and its errors name the folder", async () => {
    await cli.json(["new", "needs-token", "--template", "credential"]);
    const input = ["owner=a", "repository=b"];
    const { code, stderr } = await cli.run(["dev", "needs-token", "--once", ...input]);
    expect(code).toBe(7);
    expect(stderr).toContain("needs-token");
    expect(stderr).not.toContain("draft-");
    const { stdout } = await cli.run(["runs", "--limit", "1"]);
    expect(stdout).toContain("(draft)");
    expect(stdout).not.toContain("draft-");
  });
});

describe("a folder as an argument", () => {
  it("accepts a path", async () => {
    expect(await cli.json(["test", "./tools/hello/"])).toMatchObject({ passed: 1 });
    expect((await cli.run(["dev", "tools/hello", "--once"])).code).toBe(0);
    const { code, stderr } = await cli.run(["dev", ".", "--once"]);
    expect(code).toBe(2);
    expect(stderr).not.toContain("toolhost new .");
  });

  it("is reported as not published, with the commands that help", async () => {
    const { code, stderr } = await cli.run(["run", "hello", "name=Ada"]);
    expect(code).toBe(4);
    expect(stderr).toContain('The tool in the folder "hello" is not published yet.');
    expect(stderr).toContain("toolhost push hello");
    await cli.json(["push", "tools/hello"]);
    expect(await cli.json(["run", "tools/hello", "name=Ada"])).toMatchObject({
      output: { greeting: "Hello, Ada!" },
    });
  });
});

describe("a push of a copied folder", () => {
  it("says that another tool of the project has the same title", async () => {
    await cp(join(cli.cwd, "tools/hello"), join(cli.cwd, "tools/copy"), { recursive: true });
    const { results } = await cli.json(["push", "copy"]);
    const note = expect.stringMatching(/^hello_\w{4} of this project has the same title$/);
    expect(results).toMatchObject([{ action: "created", folder: "copy", note }]);
  });
});

describe("toolhost types", () => {
  it("writes to an absolute path", async () => {
    const out = join(cli.home, "types/tools.ts");
    await cli.json(["types", "--out", out]);
    expect(await readFile(out, "utf8")).toContain("createTools");
    expect(existsSync(join(cli.cwd, out))).toBe(false);
  });
});

describe("files", () => {
  it("uploads files, and downloads those that a run saved", async () => {
    await cli.json(["push", "lines"]);
    await writeFile(join(cli.cwd, "notes.txt"), "a\nb\n");
    const { output } = await cli.json(["run", "lines", "document=@notes.txt"]);
    const { fileId } = output.document;
    const saved = await cli.json(["file", fileId, "--output", "numbered.txt"]);
    expect(saved).toEqual({ fileId, file: "numbered.txt", size: 9 });
    expect(await readFile(join(cli.cwd, "numbered.txt"), "utf8")).toBe("1: a\n2: b");
    expect((await cli.run(["file", fileId, "-o", "-"])).stdout).toBe("1: a\n2: b");
    expect((await cli.run(["file", fileId, "-o", "."])).code).toBe(2);
    const unknown = ["file", "01900000-0000-7000-8000-000000000000", "-o", "none.txt"];
    expect((await cli.run(unknown)).code).toBe(4);
    expect(existsSync(join(cli.cwd, "none.txt"))).toBe(false);
  });

  it.each([
    ["document=@.", ". is a directory, not a file."],
    ["document=@", "The name of the file is missing. Write document=@FILE."],
    ["document=@missing.txt", "The file missing.txt does not exist."],
    ["document=notes.txt", "document=@notes.txt"],
  ])("reports what %s cannot read", async (word, message) => {
    const { code, stderr } = await cli.run(["run", "lines", word]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it.each([
    [".", ". is a directory, not a file."],
    ["missing.json", "The file missing.json does not exist."],
  ])("reports that --input %s cannot be read", async (path, message) => {
    const { code, stderr } = await cli.run(["run", "lines", "--input", path]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });
});
