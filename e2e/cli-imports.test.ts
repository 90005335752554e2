import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startFakeMcpServer } from "../server/testing/fake-mcp-server.ts";
import type { FakeMcpServer } from "../server/testing/fake-mcp-server.ts";
import { createCli } from "./src/cli.ts";
import type { Cli } from "./src/cli.ts";
import { describeApi, startDocumentedApi } from "./src/documented-api.ts";
import type { DocumentedApi } from "./src/documented-api.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const upstreamTools = ["get_forecast", "send_alert"].map((name) => ({
  name,
  description: `Calls ${name}.\u001B[2J`,
  inputSchema: { type: "object", properties: { city: { type: "string" } } },
  annotations: { readOnlyHint: true },
}));

let api: DocumentedApi;
let upstream: FakeMcpServer;
let server: Server;
let cli: Cli;

beforeAll(async () => {
  api = await startDocumentedApi();
  upstream = await startFakeMcpServer(upstreamTools);
  server = await startServer({ EGRESS_PRIVATE_HOSTS: `${api.host},${upstream.host}` });
  cli = await createCli(server);
});
afterAll(async () => {
  await server?.stop();
  upstream?.close();
  api?.close();
});
beforeEach(async () => {
  for (const { id } of (await server.call("GET", "/imports")).body) {
    await server.call("DELETE", `/imports/${id}?tools=archive`);
  }
  for (const { id } of (await server.call("GET", "/drafts")).body) {
    await server.call("DELETE", `/drafts/${id}`);
  }
  api.document = describeApi(api.host, { things: 60 });
  api.received.length = 0;
  Object.assign(upstream, { tools: upstreamTools, authorization: undefined });
});

const imports = async () => (await server.call("GET", "/imports")).body;

describe("import of a document", () => {
  test("lists what can be imported, and how to choose", async () => {
    const { code, stdout, stderr } = await cli.run(["import", api.documentUrl]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("--operation KEY")]);
    expect(stdout).toContain("0 of 62 imported");
    expect(stdout).toMatch(/GET \/pets\/\{id\} +Get a pet/);
    expect(await imports()).toMatchObject([{ toolCount: 0 }]);
    const listed = await cli.json(["import", api.documentUrl]);
    expect(listed.items).toHaveLength(62);
    expect(listed.pageUrl).toContain(`/imports/${listed.import.id}`);
    expect(await imports()).toHaveLength(1);
  });

  test("publishes tools with a server and credential, and creates nothing twice", async () => {
    await server.call("POST", "/credentials", {
      name: "CLI_PETS",
      value: "the-secret-of-pets",
      hosts: [`http://${api.host}`],
    });
    const choice = ["--operation", "GET /pets/{id}", "--credential", "petsToken=CLI_PETS"];
    const serverUrl = `http://${api.host}/v2`;
    const args = ["import", api.documentUrl, ...choice, "--server", serverUrl, "--publish"];
    const { results } = await cli.json(args);
    expect(results).toMatchObject([{ key: "GET /pets/{id}", problem: null }]);
    const run = await cli.json(["run", results[0].toolName, "id=7"]);
    expect(run).toMatchObject({ status: "completed", output: { path: "/v2/pets/7" } });
    expect(api.received).toMatchObject([{ authorization: "Bearer the-secret-of-pets" }]);
    const again = await cli.json(args);
    expect(again.results).toMatchObject([{ toolName: results[0].toolName, problem: null }]);
    expect(await imports()).toMatchObject([{ toolCount: 1 }]);
    const { results: others } = await cli.json([...args, "--again"]);
    expect(others).toMatchObject([{ toolName: expect.any(String), problem: null }]);
    expect(await imports()).toMatchObject([{ toolCount: 2 }]);
  });

  test("reports a credential that an imported tool or draft does not use", async () => {
    const args = ["import", api.documentUrl, "--operation", "GET /pets/{id}"];
    const [drafted] = (await cli.json(args)).results;
    const named = [...args, "--credential", "petsToken=CLI_OWN", "--json"];
    const { code, stdout } = await cli.run(named);
    const [result] = JSON.parse(stdout).results;
    expect([code, result.draftId]).toEqual([1, drafted.draftId]);
    expect(result.problem).toContain("does not use CLI_OWN");
    expect((await cli.run([...named, "--again"])).code).toBe(0);
  });

  test("authenticates as --auth states for a document without security schemes", async () => {
    api.document = describeApi(api.host, { auth: { schemes: {}, security: [] } });
    await server.call("POST", "/credentials", {
      name: "CLI_OTHER",
      value: "other-secret-of-pets",
      hosts: [`http://${api.host}`],
    });
    const args = ["import", api.documentUrl, "--operation", "GET /pets/{id}", "--publish"];
    const named = [...args, "--credential", "CLI_OTHER"];
    const refused = await cli.run(named);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--auth bearer")]);
    const { results } = await cli.json([...named, "--auth", "bearer"]);
    await cli.json(["run", results[0].toolName, "id=7"]);
    expect(api.received).toMatchObject([{ authorization: "Bearer other-secret-of-pets" }]);
  });

  test("names the flag for a server URL that the document lacks", async () => {
    const path = `/${"long/".repeat(30)}end`;
    const paths = { [path]: { get: { responses: {} } } };
    const document = { openapi: "3.1.0", info: { title: "Long" }, paths };
    await writeFile(join(cli.cwd, "long.json"), JSON.stringify(document));
    expect((await cli.run(["import", "long.json"])).stdout).toContain(`GET ${path}`);
    const args = ["import", "long.json", "--operation", `GET ${path}`];
    const { code, stderr } = await cli.run(args);
    expect([code, stderr]).toEqual([1, expect.stringContaining("--server URL")]);
  });

  test("publishes the draft of an earlier command, and names credentials that are missing", async () => {
    const args = ["import", api.documentUrl, "--operation", "GET /pets/{id}"];
    const [drafted] = (await cli.json(args)).results;
    const named = await cli.run(args);
    expect(named.stdout).toContain(`/drafts/${drafted.draftId}`);
    await server.call("DELETE", "/credentials/PETS_THINGS_TOKEN?owner=user");
    const { code, stderr } = await cli.run([...args, "--publish"]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/It needs \w+: toolhost secret set/)]);
    expect(await imports()).toMatchObject([{ toolCount: 1, draftCount: 0 }]);
    const missing = await server.call("GET", `/drafts/${drafted.draftId}`);
    expect(missing.status).toBe(404);
  });

  test("creates drafts of all operations with a tag, in several requests", async () => {
    const args = ["import", api.documentUrl, "--tag", "things"];
    const first = await cli.json(args);
    expect(first.results).toHaveLength(60);
    const draftIds = new Set(first.results.map(({ draftId }: { draftId: string }) => draftId));
    expect(draftIds.size).toBe(60);
    const second = await cli.json(args);
    expect(new Set(second.results.map(({ draftId }: { draftId: string }) => draftId))).toEqual(
      draftIds,
    );
    expect(await imports()).toMatchObject([{ toolCount: 0 }]);
  });

  test("uploads a file, and recognizes it the next time", async () => {
    await writeFile(join(cli.cwd, "pets.json"), JSON.stringify(describeApi(api.host)));
    const first = await cli.json(["import", "pets.json", "--search", "delete pet"]);
    expect(first.results).toMatchObject([{ key: "DELETE /pets/{id}", problem: null }]);
    const second = await cli.json(["import", "pets.json"]);
    expect(second.import.id).toBe(first.import.id);
    expect(await imports()).toMatchObject([{ url: null }]);
    expect((await server.call("GET", "/files")).body).toEqual([]);
  });

  test("replaces an uploaded document, and that of another API only with --yes", async () => {
    const path = join(cli.cwd, "next.json");
    await writeFile(path, JSON.stringify(describeApi(api.host, { things: 1 })));
    const first = await cli.json(["import", "next.json"]);
    const update = ["import", "next.json", "--update", first.import.id];
    await writeFile(path, JSON.stringify(describeApi(api.host, { things: 2 })));
    expect((await cli.json(update)).import).toMatchObject({ id: first.import.id, itemCount: 4 });
    const paths = { "/cars": { get: { responses: {} } } };
    await writeFile(path, JSON.stringify({ openapi: "3.1.0", info: { title: "Cars" }, paths }));
    const refused = await cli.run(update);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("--yes")]);
    expect((await cli.json([...update, "--yes"])).import).toMatchObject({ title: "Cars" });
  });

  test("mentions changes to review", async () => {
    await cli.json(["import", api.documentUrl, "--operation", "GET /pets/{id}", "--publish"]);
    api.document = describeApi(api.host, { things: 60, summary: "Get one pet" });
    const { code, stderr } = await cli.run(["import", api.documentUrl]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("1 change waits for review")]);
  });

  describe("changes", () => {
    const change = async (summary: string) => {
      api.document = describeApi(api.host, { things: 60, summary });
    };
    const start = async () => {
      const args = ["import", api.documentUrl, "--publish"];
      const operations = ["--operation", "GET /pets/{id}", "--operation", "DELETE /pets/{id}"];
      const { results, import: found } = await cli.json([...args, ...operations]);
      return { id: found.id, toolName: results[0].toolName };
    };

    test("shows differences, and publishes them as reviewed", async () => {
      const { id, toolName } = await start();
      expect((await cli.run(["imports"])).stdout).toMatch(new RegExp(`${id} +openapi .*2 tools`));
      await change("Get one pet");
      const shown = await cli.run(["imports", "changes", id]);
      expect([shown.code, shown.stderr]).toEqual([0, expect.stringContaining("imports update")]);
      expect(shown.stdout).toMatch(/- +"title": "Get a pet"/);
      expect(shown.stdout).toMatch(/\+ +"title": "Get one pet"/);
      expect((await cli.run(["imports"])).stdout).toContain("1 changed");
      const [, reviewed = ""] = /(\w+@[0-9a-f]{32})/.exec(shown.stdout) ?? [];
      expect(reviewed.startsWith(`${toolName}@`)).toBe(true);
      await change("Get the pet");
      await cli.json(["imports", "changes", id]);
      const refused = await cli.run(["imports", "update", id, reviewed]);
      expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("again after")]);
      const short = await cli.run(["imports", "update", id, reviewed.slice(0, -20)]);
      expect([short.code, short.stderr]).toEqual([2, expect.stringContaining("32 digits")]);
      const updated = await cli.json(["imports", "update", id, toolName]);
      expect(updated).toMatchObject([{ toolName, problem: null }]);
      expect((await server.call("GET", `/tools/${toolName}`)).body.title).toBe("Get the pet");
      expect(await cli.json(["imports", "changes", id])).toEqual([]);
    });

    test("keeps the edits of a tool unless they are discarded, and creates drafts", async () => {
      const { id, toolName } = await start();
      await server.call("PATCH", `/tools/${toolName}`, { confirm: true });
      await change("Get one pet");
      await cli.json(["imports", "changes", id]);
      const refused = await cli.run(["imports", "update", id, "--all"]);
      expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("was edited")]);
      const drafted = await cli.json(["imports", "update", id, "--all", "--draft"]);
      expect(drafted).toMatchObject([{ draftId: expect.any(String), problem: null }]);
      const args = ["imports", "update", id, toolName, "--discard-edits"];
      expect(await cli.json(args)).toMatchObject([{ toolName, problem: null }]);
    });

    test("requires a choice of tools that have a change", async () => {
      const { id } = await start();
      expect((await cli.run(["imports", "update", id])).code).toBe(2);
      expect((await cli.run(["imports", "update", id, "other"])).code).toBe(4);
      const missing = await cli.run(["imports", "update"]);
      expect([missing.code, missing.stderr]).toEqual([
        2,
        expect.stringContaining("imports update"),
      ]);
    });
  });

  test("says what to type without a source", async () => {
    const { code, stderr } = await cli.run(["import"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("toolhost import FILE|URL")]);
    expect(stderr).not.toContain("Expected argument");
  });

  test("names the scripts and secrets of a collection that are left out", async () => {
    const collection = {
      info: { name: "Pets", schema: "https://schema.getpostman.com/json/collection/v2.1.0/" },
      variable: [{ key: "apiToken", value: "S3cr3tV4lue99" }],
      item: [
        {
          name: "List pets",
          request: { method: "GET", url: `http://${api.host}/pets` },
          event: [{ listen: "test", script: { exec: ["pm.test()"] } }],
        },
      ],
    };
    await writeFile(join(cli.cwd, "postman.json"), JSON.stringify(collection));
    for (const choice of [[], ["--search", "pets"]]) {
      const { stderr } = await cli.run(["import", "postman.json", ...choice]);
      expect(stderr).toContain('Scripts and tests are left out: of "List pets".');
      expect(stderr).toContain("Saved secrets are left out: variable apiToken.");
    }
    const [{ notes }] = await imports();
    expect(notes).toHaveLength(2);
  });

  test.each([
    [["import", "missing.json"], 2, "usage"],
    [["import", "pets.json", "--mcp"], 2, "usage"],
    [["import", "URL", "--operation", "GET /pets/{id}", "--tag", "pets"], 2, "usage"],
    [["import", "URL", "--operation", "GET /pets/{id}", "--credential", "other=A"], 2, "usage"],
    [["import", "URL", "--operation", "GET /nothing"], 4, "not_found"],
    [["import", "URL", "--tag", "nothing"], 4, "not_found"],
    [["import", "http://169.254.169.254/openapi.json"], 1, "invalid_request"],
  ])("ends %j with code %i", async (args, exitCode, errorCode) => {
    const given = args.map((one) => (one === "URL" ? api.documentUrl : one));
    const { code, stderr } = await cli.run([...given, "--json"]);
    expect([code, JSON.parse(stderr)]).toMatchObject([exitCode, { error: { code: errorCode } }]);
  });

  test("ends with code 1 if an operation could not be imported", async () => {
    await cli.json(["import", api.documentUrl]);
    const args = ["import", api.documentUrl, "--operation", "GET /pets/{id}", "--publish"];
    const { code, stderr } = await cli.run([...args, "--server", "http://10.0.0.1/", "--json"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("HTTPS")]);
  });
});

describe("import of an MCP server", () => {
  test("publishes tools that call the server with its credential", async () => {
    upstream.authorization = "Bearer secret-of-the-server";
    const refused = await cli.run(["import", upstream.url, "--mcp", "--json"]);
    expect(JSON.parse(refused.stderr).error).toMatchObject({
      code: "connection_failed",
      next: [expect.stringMatching(`${server.baseUrl}/credentials.*--hosts ${upstream.host}`)],
    });
    await server.call("POST", "/credentials", {
      name: "CLI_WEATHER",
      value: "secret-of-the-server",
      hosts: [`http://${upstream.host}`],
    });
    const args = ["import", upstream.url, "--mcp", "--credential", "CLI_WEATHER"];
    const listed = await cli.run(args);
    expect(listed.stdout).toContain("get_forecast");
    expect(listed.stdout).not.toContain("\u001B[2J");
    const { results } = await cli.json([...args, "--operation", "get_forecast", "--publish"]);
    expect(results).toMatchObject([{ key: "get_forecast", problem: null }]);
    const run = await cli.json(["run", results[0].toolName, "city=Oslo"]);
    expect(run.output).toMatchObject({ structuredContent: { echo: { city: "Oslo" } } });
    expect(await imports()).toMatchObject([{ kind: "mcp", credential: "CLI_WEATHER" }]);
  });
});

describe("import of many tools of an MCP server", () => {
  test("shows a note that they share once", async () => {
    const tools = Array.from({ length: 6 }, (_, at) => ({
      name: `tool_${at}`,
      description: `Tool ${at}.`,
      inputSchema: { type: "object" },
      annotations: { readOnlyHint: true },
    }));
    Object.assign(upstream, { tools });
    const args = ["import", upstream.url, "--mcp", "--search", "tool", "--publish"];
    const { stdout } = await cli.run(args);
    expect(stdout.match(/→/g)).toHaveLength(6);
    expect(stdout.match(/6 of 6 tools: /g)).toHaveLength(1);
    const { results } = await cli.json([...args, "--again"]);
    const [note] = results[0].notes;
    expect(stdout.split(note)).toHaveLength(2);
  });
});

describe("import of a curl command", () => {
  const secret = "the-secret-of-the-command";
  const curl = () => `curl http://${api.host}/v1/pets/7 -H 'Authorization: Bearer ${secret}'`;

  test("creates a draft without the values of secrets, and says how to save them", async () => {
    const { code, stdout, stderr } = await cli.run(["import", "--curl", curl()]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("Created a draft: Get pet")]);
    expect(stderr).toContain(`secret set API_TOKEN --hosts http://${api.host}`);
    const [{ id }] = (await server.call("GET", "/drafts")).body;
    expect(stdout).toContain(`/drafts/${id}`);
    const { definition } = (await server.call("GET", `/drafts/${id}`)).body;
    expect(definition).toMatchObject({ examples: [{ input: { petId: "7" } }] });
    expect(JSON.stringify(definition) + stdout + stderr).not.toContain(secret);
  });

  test("lists the values of the command that the draft contains", async () => {
    const command = `curl http://${api.host}/v1/pets/7 -H 'X-Note: blue' -d 'user[password]=${secret}' -d name=Ada`;
    const { stderr } = await cli.run(["import", "--curl", command]);
    expect(stderr).toContain(`POST http://${api.host}/v1/pets/{petId}`);
    for (const line of ["path petId: 7", "header x-note: blue  (in the code)", "body name: Ada"]) {
      expect(stderr).toContain(line);
    }
    const { values } = await cli.json(["import", "--curl", command]);
    expect(values).toContainEqual({ in: "path", name: "petId", value: "7", use: "input" });
    const drafts = (await server.call("GET", "/drafts")).body;
    expect(JSON.stringify([drafts, values]) + stderr).not.toContain(secret);
  });

  test.each([
    ["--publish", [], "creates a draft"],
    ["--credential", ["API_TOKEN=MINE"], "toolhost secret set API_TOKEN"],
    ["--server", ["https://a.example"], "--curl"],
  ])("refuses %s, which has no effect on a curl command", async (flag, values, hint) => {
    const { code, stderr } = await cli.run(["import", "--curl", flag, ...values, curl()]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(flag)]);
    expect(stderr).toContain(hint);
    expect((await server.call("GET", "/drafts")).body).toEqual([]);
  });

  test("explains a command that cannot be read", async () => {
    const { code, stderr } = await cli.run(["import", "--curl", "wget https://a.example"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('must start with "curl"')]);
  });
});
