import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createToolInput, template } from "@toolhost/contract";
import type { Template } from "@toolhost/contract";
import { toolTypes } from "@toolhost/tool-schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let starters: Template[];
beforeAll(async () => {
  test = await startTestService();
  const templates = await test.api("GET /templates");
  starters = templates.filter(({ kind }) => kind === "starter");
});
afterAll(() => test.stop());

/** Creates a draft from a template, as the console does. */
async function begin(id: string): Promise<string> {
  const definition = starters.find((one) => one.id === id)?.definition;
  if (definition === undefined) throw new Error(`No template ${id}`);
  return (await test.api("POST /drafts", { body: { definition } })).id;
}

describe("GET /templates", () => {
  it("returns blank templates and starter tools, each with a complete definition", async () => {
    const all = z.array(template).parse(await test.api("GET /templates"));
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(["blank", "countdown"]));
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.every(({ definition }) => createToolInput.safeParse(definition).success)).toBe(true);
    expect(starters).toHaveLength(3);
  });

  it("returns starters that are not idempotent until their author decides so", () => {
    const chosen = starters.filter(
      ({ definition }) => createToolInput.parse(definition).idempotent,
    );
    expect(chosen.map(({ id }) => id)).toEqual([]);
  });

  it("returns code that matches the types that the editor generates for it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "templates-"));
    try {
      const files: string[] = [];
      for (const { id, definition } of starters) {
        const { source, ...rest } = createToolInput.parse(definition);
        const file = join(folder, `${id}.ts`);
        await writeFile(file, `${toolTypes(rest)}\n${source.code}`);
        files.push(file);
      }
      const compiler = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");
      const settings = ["--ignoreConfig", "--strict", "--noEmit", "--types", ""];
      const target = ["--target", "esnext", "--lib", "esnext,webworker"];
      const said = await promisify(execFile)(process.execPath, [
        compiler,
        ...settings,
        ...target,
        ...files,
      ]).catch((error: unknown) => error);
      expect(said).toMatchObject({ stdout: "" });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it("returns definitions that run and can be published unchanged", async () => {
    const blank = await begin("blank");
    const greeted = await test.api("POST /drafts/{id}/run", {
      params: { id: blank },
      body: { name: "Ada" },
    });
    expect(greeted.output).toEqual({ greeting: "Hello, Ada!" });
    const file = await begin("file-in-file-out");
    const contentBase64 = Buffer.from("one\n\ntwo\n").toString("base64");
    const upload = { fileName: "a.txt", mimeType: "text/plain", contentBase64 };
    const { fileId } = await test.api("POST /upload", { body: upload });
    const numbered = await test.call("POST", `/drafts/${file}/run`, { document: fileId });
    expect(numbered.body.output.lines).toBe(2);
    const { text } = await test.call("GET", `/files/${numbered.body.output.document.fileId}`);
    expect(text).toBe("1: one\n2: two");
    const api = await begin("api-with-credential");
    const lacking = await test.call("POST", `/drafts/${api}/run`, { owner: "a", repository: "b" });
    expect(lacking.body.missing).toMatchObject([{ name: "GITHUB_TOKEN", reason: "missing" }]);
    for (const id of [blank, file, api]) {
      const published = await test.call("POST", `/drafts/${id}/publish`, { revision: 1 });
      expect(published.status).toBe(201);
    }
  });
});
