import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { tool, toolDetail, toolNamePattern, toolVersion } from "@toolhost/contract";
import type { Problem } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { expectProblem } from "./src/expect-problem.ts";
import type { Answer } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { draftOf, expectStatus, makeFolder, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const returning = (value: number) => `export default async () => ({ value: ${value} })`;

let server: Server;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

const create = async (draft: object) =>
  toolDetail.parse(expectStatus(201, await server.call("POST", "/tools", draft)).body);
const change = (name: string, patch: object) => server.call("PATCH", `/tools/${name}`, patch);
const outputOf = async (name: string) => {
  const { body } = expectStatus(200, await server.run(name));
  return body.output;
};
const namesIn = (answer: Answer) => answer.body.map(({ name }: { name: string }) => name);
const refusalOf = async (draft: object): Promise<Problem> =>
  expectProblem(await server.call("POST", "/tools", draft), "invalid_tool");

const fullDraft = {
  title: "Crème brûlée: how many?",
  description: "Counts portions.",
  inputSchema: {
    type: "object",
    properties: { guests: { type: "integer", description: "People at the table." } },
    required: ["guests"],
    additionalProperties: false,
  },
  outputSchema: {
    properties: [{ name: "portions", type: "integer", description: "Two for each." }],
  },
  source: {
    language: "typescript",
    code: "export default async ({ guests }: { guests: number }) => ({ portions: guests * 2 });\n",
  },
  timeoutMs: 5_000,
  isolation: "fresh",
  visibility: "private",
  examples: [{ input: { guests: 2 }, output: { portions: 4 } }],
};

describe("a new tool", () => {
  test(
    "stores every field that its author sent",
    proves("tool.fields", "tool.output_schema", "versioning.path"),
    async () => {
      const answer = expectStatus(201, await server.call("POST", "/tools", fullDraft));
      const created = toolDetail.parse(answer.body);
      expect(created).toMatchObject({ ...fullDraft, version: 1, fileFields: [], credentials: [] });
      expect(answer.headers.get("location")).toBe(`${server.baseUrl}/api/v1/tools/${created.name}`);
      const read = await server.call("GET", `/tools/${created.name}`);
      expect(toolDetail.parse(expectStatus(200, read).body)).toEqual(created);
      const listed = z.array(tool).parse((await server.call("GET", "/tools?limit=200")).body);
      const { name, description, inputSchema, outputSchema, fileFields } = created;
      expect(listed.find((other) => other.name === name)).toMatchObject({
        name,
        description,
        inputSchema,
        outputSchema,
        fileFields,
      });
      expect(created.toolUrl).toContain(name);
    },
  );

  test(
    "is named after its title in snake_case, with a suffix",
    proves("tools.name_form"),
    async () => {
      const titles: [string, RegExp][] = [
        ["Crème brûlée: how many?", /^creme_brulee_how_many_[a-z0-9]{4}$/],
        ["  JSON → CSV  ", /^json_csv_[a-z0-9]{4}$/],
        ["日本語", /^[a-z0-9]+_[a-z0-9]{4}$/],
        ["_", /^[a-z0-9]+_[a-z0-9]{4}$/],
        ["A".repeat(80), /^a+_[a-z0-9]{4}$/],
        [`${"A".repeat(58)} B`, /^[a-z0-9_]+_[a-z0-9]{4}$/],
      ];
      for (const [title, form] of titles) {
        const { name } = await create({ ...draftOf(returning(1)), title });
        expect(name).toMatch(form);
        expect(name).toMatch(toolNamePattern);
        expect(name.length).toBeLessThanOrEqual(64);
      }
    },
  );

  test(
    "shares its title with others, but not its name",
    proves("tools.name_form", "tools.name_not_reused"),
    async () => {
      const names = new Set<string>();
      for (let count = 0; count < 10; count++) {
        const { name } = await create({ ...draftOf(returning(1)), title: "Same" });
        await server.call("DELETE", `/tools/${name}`);
        names.add(name);
      }
      expect(names.size).toBe(10);
    },
  );

  test(
    "is listed, found, documented and run by the next request",
    proves("tools.new_usable_immediately", "tools.list_owned_and_shared"),
    async () => {
      const { name } = await create({ ...draftOf(returning(7)), title: "Zanzibar ferry planner" });
      expect(namesIn(await server.call("GET", "/tools?limit=1"))).toEqual([name]);
      const found = await server.call("GET", "/skills/search?q=zanzibar+ferry");
      expect(found.body.results[0].matches[0].name).toBe(name);
      expectStatus(200, await server.call("GET", `/skill/${name}`));
      expect(await outputOf(name)).toEqual({ value: 7 });
    },
  );

  test("accepts JavaScript and TypeScript", proves("tool.languages"), async () => {
    const javascript = "export default (input) => ({ kind: typeof input })";
    const typescript = `
      enum Size { Small = 3 }
      type Output = { kind: string; size: Size };
      export default async function run(input: unknown, ctx: { runId: string }): Promise<Output> {
        return { kind: typeof input satisfies string, size: Size.Small };
      }`;
    const inJavascript = await create({
      ...draftOf(""),
      source: { language: "javascript", code: javascript },
    });
    const inTypescript = await create(draftOf(typescript));
    expect(await outputOf(inJavascript.name)).toEqual({ kind: "object" });
    expect(await outputOf(inTypescript.name)).toEqual({ kind: "object", size: 3 });
  });

  test(
    "has types for an editor, which check its code",
    { ...proves("tool.editor_types"), tags: ["nightly"] },
    async () => {
      const code = `export default async (input: Input, ctx: Context): Promise<Output> => {
      ctx.progress(0.5);
      return { portions: input.guests * 2 };
    };`;
      const { name } = await create({ ...fullDraft, source: { language: "typescript", code } });
      const types = await server.call("GET", `/tools/${name}/types`);
      expect(types.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      const folder = await makeFolder(server, "types");
      const right = join(folder, "right.ts");
      const wrong = join(folder, "wrong.ts");
      await writeFile(right, `${types.text}\n${code}`);
      await writeFile(wrong, `${types.text}\n${code.replace("guests", "gusts")}`);
      const compile = async (file: string) => {
        const compiler = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
        const args = [
          compiler,
          "--ignoreConfig",
          "--strict",
          "--noEmit",
          "--target",
          "esnext",
          "--types",
          "",
          file,
        ];
        return promisify(execFile)(process.execPath, args).then(
          () => "",
          (error: { stdout: string }) => error.stdout,
        );
      };
      expect(await compile(right)).toBe("");
      expect(await compile(wrong)).toContain("'gusts' does not exist on type 'Input'");
      expect((await server.run(name, { guests: 4 })).body.output).toEqual({ portions: 8 });
    },
  );

  test("bundles packages from npm", proves("tool.dependencies"), async ({ skip }) => {
    const code = `
      import { camelCase } from "change-case";
      import dayjs from "dayjs";
      export default () => ({ name: camelCase("two words"), year: dayjs("2031-05-06").year() });`;
    const answer = await server.call("POST", "/tools", {
      ...draftOf(code),
      source: {
        language: "typescript",
        code,
        dependencies: { "change-case": "5.4.4", dayjs: "1.11.13" },
      },
    });
    skip(answer.body?.code === "unavailable", "The npm registry cannot be reached from here");
    const created = toolDetail.parse(expectStatus(201, answer).body);
    expect(await outputOf(created.name)).toEqual({ name: "twoWords", year: 2031 });
  });
});

describe("a tool that cannot be built", () => {
  const source = (code: string, rest: object = {}) => ({
    ...draftOf(code),
    source: { language: "typescript", code, ...rest },
  });

  const broken = [
    ["a syntax error", "export default async () => {\n  return {{;\n}", 2, /Expected|Unexpected/],
    ["no default export", "export const run = () => ({})", 1, /default/],
    [
      "an unknown package",
      'import x from "left-pad";\nexport default () => ({ x })',
      1,
      /left-pad/,
    ],
    ["a package of the server", 'import { z } from "zod";\nexport default () => ({ z })', 1, /zod/],
    [
      "an absolute path",
      '\nimport x from "/etc/passwd";\nexport default () => ({ x })',
      2,
      /passwd/,
    ],
    [
      "a path upwards",
      'import x from "../../../etc/passwd";\nexport default () => ({ x })',
      1,
      /passwd/,
    ],
    [
      "a file beside",
      'import x from "./package.json";\nexport default () => ({ x })',
      1,
      /package\.json/,
    ],
    [
      "a file address",
      'import x from "file:///etc/passwd";\nexport default () => ({ x })',
      1,
      /passwd/,
    ],
    [
      "a web address",
      'import x from "https://example.com/x.js";\nexport default () => ({ x })',
      1,
      /example/,
    ],
    [
      "a required path",
      'const x = require("/etc/hostname");\nexport default () => ({ x })',
      1,
      /hostname/,
    ],
    [
      "a data address",
      'import x from "data:text/javascript,export default 1";\nexport default () => ({ x })',
      1,
      /data:/,
    ],
    [
      "a text file by type",
      'import x from "/etc/passwd" with { type: "text" };\nexport default () => ({ x })',
      1,
      /passwd/,
    ],
  ] as const;

  test.each(broken)(
    "is rejected with the position of the error for %s",
    proves("error.invalid_tool", "tool.confined_build"),
    async (_, code, line, message) => {
      const { detail, errors = [] } = await refusalOf(source(code));
      expect(detail).toMatch(message);
      expect(errors[0]).toMatchObject({ file: "tool.ts", line, path: "/source/code" });
      expect(errors[0]?.column).toBeGreaterThan(0);
      expect(JSON.stringify(errors)).not.toContain("root:");
    },
  );

  const patterns = [
    "export default async ({ n }) => await import(`/etc/${n}`)",
    "export default async ({ n }) => await import(`./${n}.json`)",
    "export default async ({ n }) => await import(`./data/${n}.json`)",
    "export default async ({ n }) => await import(`./node_modules/${n}.json`)",
    "export default async ({ n }) => await import(`./node_modules/private/${n}.json`)",
    "export default async ({ n }) => await import(`../${n}.json`)",
    "export default async ({ n }) => require(`./node_modules/${n}.js`)",
    "export default async ({ n }) => require(`./data/${n}.db`)",
    "export default async ({ n }) => ({ x: import.meta.glob('/etc/*') })",
  ];

  test.each(patterns)(
    "includes no file for %s",
    proves("tool.confined_build", "error.no_internals"),
    async (code) => {
      // Files in the folder where the service was started, as in a checkout.
      const modules = await makeFolder(server, "node_modules/private");
      await writeFile(join(modules, "secret.json"), '{ "secret": "from a file" }');
      await writeFile(join(modules, "secret.js"), 'module.exports = { secret: "from a file" }');
      await writeFile(join(server.workDir, "secret.json"), '{ "secret": "from a file" }');
      const answer = await server.call("POST", "/tools", source(code));
      if (answer.status !== 201) {
        expectProblem(answer, "invalid_tool");
        return;
      }
      // Imports that are resolved during the run find nothing either.
      for (const n of ["secret", "private/secret", "node_modules/private/secret", "passwd"]) {
        const { body } = await server.run(answer.body.name, { n });
        expect(JSON.stringify(body)).not.toMatch(/from a file|root:/);
        expect(body).toMatchObject({ status: "failed", error: { code: "tool_error" } });
      }
    },
  );

  test(
    "does not reveal which files of the server exist",
    proves("tool.confined_build", "error.no_internals"),
    async () => {
      const folder = await makeFolder(server, "settings");
      await writeFile(join(folder, "private-plan.json"), "{ no JSON");
      const code = "export default async ({ n }) => await import(`./settings/${n}.json`)";
      const answer = await server.call("POST", "/tools", source(code));
      expect(answer.text).not.toContain("private-plan");
      expect(answer.text).not.toContain("no JSON");
    },
  );

  test.for(["./", "../", "../../", "./node_modules/../../../"])(
    "is rejected for a pattern below %s, even with packages",
    proves("tool.confined_build"),
    async (folder, { skip }) => {
      const code = `import ms from "ms";
export default async ({ n }) => ({ ms, x: await import(\`${folder}\${n}.json\`) })`;
      const draft = source(code, { dependencies: { ms: "2.1.3" } });
      const answer = await server.call("POST", "/tools", draft);
      skip(answer.body?.code === "unavailable", "The npm registry cannot be reached from here");
      expectProblem(answer, "invalid_tool");
      expect(answer.text).not.toContain("first-run");
    },
  );

  const dependencies = [
    [{ "no-such-package-on-any-registry-7f3a": "1.0.0" }, "invalid_tool"],
    [{ ms: "999.0.0" }, "invalid_tool"],
    [{ ms: "file:/etc" }, "invalid_request"],
    [{ ms: "git+https://example.com/x.git" }, "invalid_request"],
    [{ ms: "https://example.com/x.tgz" }, "invalid_request"],
    [{ ms: "npm:other@1.0.0" }, "invalid_request"],
    [{ "../../etc": "1.0.0" }, "invalid_request"],
    [{ "-g": "1.0.0; id" }, "invalid_request"],
  ] as const;

  test.for(dependencies)(
    "is rejected for the dependencies %o",
    proves("error.invalid_tool", "tool.dependencies"),
    async ([wanted, code], { skip }) => {
      const name = Object.keys(wanted)[0];
      const answer = await server.call(
        "POST",
        "/tools",
        source(`import "${name}"; export default () => ({})`, { dependencies: wanted }),
      );
      skip(answer.body?.code === "unavailable", "The npm registry cannot be reached from here");
      expectProblem(answer, code);
    },
  );

  const schemas = [
    ["no object", { type: "string" }, "/inputSchema/type"],
    ["no type", {}, "/inputSchema/type"],
    [
      "another dialect",
      { $schema: "http://json-schema.org/draft-07/schema#", type: "object" },
      "/inputSchema/$schema",
    ],
    [
      "an unknown type",
      { type: "object", properties: { a: { type: "strnig" } } },
      "/inputSchema/properties/a/type",
    ],
    ["a wrong keyword value", { type: "object", required: "a" }, "/inputSchema/required"],
    [
      "a reference to nothing",
      { type: "object", properties: { a: { $ref: "#/$defs/none" } } },
      "/inputSchema/properties/a/$ref",
    ],
    [
      "a reference to the web",
      { type: "object", properties: { a: { $ref: "https://example.com/s.json" } } },
      "/inputSchema/properties/a/$ref",
    ],
    [
      "a pattern that is none",
      { type: "object", properties: { a: { pattern: "(" } } },
      "/inputSchema/properties/a/pattern",
    ],
  ] as const;

  test.each(schemas)(
    "is rejected for an input schema with %s",
    proves("error.invalid_tool", "tool.schema_2020_12"),
    async (_, inputSchema, path) => {
      const { errors = [] } = await refusalOf({ ...draftOf(returning(1)), inputSchema });
      expect(errors.map((error) => error.path)).toContain(path);
      const found = errors.find((error) => error.path === path);
      expect(found?.file).toBe("inputSchema.json");
      expect(found?.line).toBeGreaterThan(0);
      expect(found?.column).toBeGreaterThan(0);
    },
  );

  test(
    "is rejected for declarations that contradict each other",
    proves("error.invalid_tool"),
    async () => {
      const draft = draftOf(returning(1));
      const twice = [
        { name: "a", type: "string" },
        { name: "a", type: "number" },
      ];
      expect(
        (await refusalOf({ ...draft, outputSchema: { properties: twice } })).errors?.[0]?.path,
      ).toBe("/outputSchema/properties/1/name");
      expect((await refusalOf({ ...draft, fileFields: ["photo"] })).errors?.[0]?.path).toBe(
        "/fileFields/0",
      );
      const example = {
        inputSchema: fullDraft.inputSchema,
        examples: [{ input: { guests: "two" } }],
      };
      expect((await refusalOf({ ...draft, ...example })).errors?.[0]?.path).toBe(
        "/examples/0/input/guests",
      );
    },
  );

  test("stores nothing", proves("error.invalid_tool"), async () => {
    const title = "Never to be seen";
    await refusalOf({ ...source("export default ("), title });
    expect(namesIn(await server.call("GET", `/tools?q=${encodeURIComponent(title)}`))).toEqual([]);
  });
});

describe("input schemas", () => {
  test(
    "accepts JSON Schema 2020-12",
    proves("tool.schema_2020_12", "error.invalid_input"),
    async () => {
      const inputSchema = {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        $defs: { size: { enum: ["s", "m"] } },
        properties: {
          size: { $ref: "#/$defs/size" },
          pair: {
            type: "array",
            prefixItems: [{ type: "string" }, { type: "number" }],
            items: false,
          },
          mail: { type: "string", format: "email" },
        },
        dependentRequired: { mail: ["size"] },
        unevaluatedProperties: false,
      };
      const { name } = await create({ ...draftOf("export default (input) => input"), inputSchema });
      const right = { size: "s", pair: ["a", 1], mail: "a@example.com" };
      expect((await server.run(name, right)).body).toMatchObject({
        status: "completed",
        output: right,
      });
      const wrong = { pair: ["a", "b", "c"], mail: "invalid", "a/b~c": 1 };
      const { errors = [] } = expectProblem(await server.run(name, wrong), "invalid_input");
      const paths = errors.map(({ path }) => path);
      expect(paths).toEqual(expect.arrayContaining(["/pair/1", "/mail", "/a~1b~0c"]));
      expect(errors.every(({ message }) => message !== "")).toBe(true);
    },
  );
});

describe("changing a tool", () => {
  test("saves the next version and makes it live", proves("tools.versions"), async () => {
    const { name } = await create(draftOf(returning(1)));
    const changed = expectStatus(200, await change(name, { source: draftOf(returning(2)).source }));
    expect(toolDetail.parse(changed.body)).toMatchObject({ name, version: 2, title: "Test tool" });
    expect(await outputOf(name)).toEqual({ value: 2 });
    const renamed = expectStatus(200, await change(name, { title: "Another title" }));
    expect(renamed.body).toMatchObject({ name, version: 3, title: "Another title" });
    expect(await outputOf(name)).toEqual({ value: 2 });
    const versions = z
      .array(toolVersion)
      .parse((await server.call("GET", `/tools/${name}/versions`)).body);
    expect(
      versions.map(({ version, live, title, restoredFrom }) => [
        version,
        live,
        title,
        restoredFrom,
      ]),
    ).toEqual([
      [3, true, "Another title", null],
      [2, false, "Test tool", null],
      [1, false, "Test tool", null],
    ]);
  });

  test(
    "leaves the previous version live if it does not build",
    proves("tool.broken_save"),
    async () => {
      const { name } = await create(draftOf(returning(1)));
      const before = await server.call("GET", `/tools/${name}`);
      const bad = [
        { source: { language: "typescript", code: "export default (" } },
        {
          source: {
            language: "typescript",
            code: 'import "/etc/passwd"; export default () => ({})',
          },
        },
        { title: "Changed", inputSchema: { type: "array" } },
        { fileFields: ["none"] },
      ];
      for (const patch of bad) expectProblem(await change(name, patch), "invalid_tool");
      for (const patch of [{}, { title: 7 }, { name: "other" }, { version: 9 }]) {
        expectProblem(await change(name, patch), "invalid_request");
      }
      expect((await server.call("GET", `/tools/${name}`)).body).toEqual(before.body);
      expect(await outputOf(name)).toEqual({ value: 1 });
      expect((await server.call("GET", `/tools/${name}/versions`)).body).toHaveLength(1);
    },
  );

  test("restores an earlier version as the next one", proves("tools.versions"), async () => {
    const { name } = await create(draftOf(returning(1)));
    await change(name, { source: draftOf(returning(2)).source, title: "Second" });
    const answer = await server.call("POST", `/tools/${name}/versions/1/restore`);
    expect(expectStatus(200, answer).body).toMatchObject({ version: 3, title: "Test tool" });
    expect(await outputOf(name)).toEqual({ value: 1 });
    const versions = await server.call("GET", `/tools/${name}/versions`);
    expect(versions.body[0]).toMatchObject({ version: 3, live: true, restoredFrom: 1 });
    for (const version of ["99", "0", "-1", "1.5", "x"]) {
      const refused = await server.call("POST", `/tools/${name}/versions/${version}/restore`);
      expectProblem(refused, version === "99" ? "not_found" : "invalid_request");
    }
  });

  test(
    "preserves the version in the records of earlier runs",
    proves("tools.versions", "run.record"),
    async () => {
      const { name } = await create(draftOf(returning(1)));
      const { body: first } = await server.run(name);
      await change(name, { source: draftOf(returning(2)).source });
      const record = await server.call("GET", `/runs/${first.runId}`);
      expect(record.body).toMatchObject({ toolVersion: 1, output: { value: 1 } });
    },
  );

  test(
    "creates a version for each of many concurrent changes",
    proves("tools.versions"),
    async () => {
      const { name } = await create(draftOf(returning(0)));
      const answers = await Promise.all(
        [1, 2, 3, 4].map((value) => change(name, { title: `Change ${value}` })),
      );
      for (const answer of answers) expectStatus(200, answer);
      const versions = z
        .array(toolVersion)
        .parse((await server.call("GET", `/tools/${name}/versions`)).body);
      expect(versions.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
      expect(versions.filter(({ live }) => live)).toHaveLength(1);
      expect(new Set(versions.map(({ title }) => title)).size).toBe(5);
    },
  );

  test("lists versions page by page", proves("list.cursor", "tools.versions"), async () => {
    const { name } = await create(draftOf(returning(0)));
    for (const title of ["B", "C"]) await change(name, { title });
    const first = await server.call("GET", `/tools/${name}/versions?limit=2`);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect(next.startsWith(`${server.baseUrl}/api/v1/tools/${name}/versions?`)).toBe(true);
    const second = await server.call("GET", next.slice(`${server.baseUrl}/api/v1`.length));
    expect([...first.body, ...second.body].map(({ version }) => version)).toEqual([3, 2, 1]);
    expect(second.headers.get("link")).toBeNull();
  });
});

test("archives a tool and retains its run records", proves("tools.archive"), async () => {
  const { name } = await create({ ...draftOf(returning(3)), title: "Soon archived" });
  const { body: run } = await server.run(name);
  const archived = expectStatus(204, await server.call("DELETE", `/tools/${name}`));
  expect(archived.text).toBe("");
  expect(archived.headers.get("x-request-id")).not.toBeNull();
  for (const [method, path] of [
    ["GET", `/tools/${name}`],
    ["PATCH", `/tools/${name}`],
    ["DELETE", `/tools/${name}`],
    ["GET", `/skill/${name}`],
    ["GET", `/tools/${name}/versions`],
    ["POST", `/tools/${name}/versions/1/restore`],
    ["POST", `/run/${name}`],
  ] as const) {
    const body = method === "PATCH" ? { title: "Back" } : method === "POST" ? {} : undefined;
    expectProblem(await server.call(method, path, body), "tool_not_found");
  }
  expect(namesIn(await server.call("GET", "/tools?q=soon+archived"))).toEqual([]);
  const found = await server.call("GET", "/skills/search?q=soon+archived&limit=50");
  expect(namesIn({ ...found, body: found.body.results[0].matches })).not.toContain(name);
  const record = await server.call("GET", `/runs/${run.runId}`);
  expect(record.body).toMatchObject({ toolName: name, output: { value: 3 } });
  const runs = await server.call("GET", `/runs?toolName=${name}`);
  expect(runs.body).toHaveLength(1);
});

describe("the list of tools", () => {
  test(
    "continues at the cursor without gap or repeat",
    proves("list.limit", "list.cursor"),
    async () => {
      const title = "Paging";
      const made: string[] = [];
      for (let count = 0; count < 5; count++) {
        made.unshift((await create({ ...draftOf(returning(count)), title })).name);
      }
      const seen: string[] = [];
      let path: string | undefined = `/tools?q=${title}&limit=2`;
      for (let page = 0; path !== undefined && page < 9; page++) {
        const answer = expectStatus(200, await server.call("GET", path));
        expect(answer.body.length).toBeLessThanOrEqual(2);
        seen.push(...namesIn(answer));
        // A new tool is listed first, so it does not shift the following pages.
        if (page === 0) await create({ ...draftOf(returning(9)), title });
        const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1];
        path = next?.slice(`${server.baseUrl}/api/v1`.length);
      }
      expect(seen).toEqual(made);
    },
  );

  test("filters by a text in name, title or description", proves("tools.filter"), async () => {
    const { name } = await create({
      ...draftOf(returning(1)),
      title: "Percent 100% off_peak",
      description: "Knows the word Quokka\\Wombat.",
    });
    for (const q of ["percent", "100%", "OFF_PEAK", "quokka", "Quokka\\Wombat", name]) {
      expect(namesIn(await server.call("GET", `/tools?q=${encodeURIComponent(q)}`))).toEqual([
        name,
      ]);
    }
    for (const q of ["1__%", "offXpeak", "' or 1=1 --", "nowhere"]) {
      expect(namesIn(await server.call("GET", `/tools?q=${encodeURIComponent(q)}`))).toEqual([]);
    }
    expect(namesIn(await server.call("GET", "/tools?q=&limit=1"))).toHaveLength(1);
  });
});
