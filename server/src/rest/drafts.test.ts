import type { Draft } from "@toolhost/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recoverOrphanedRuns } from "#core/runs";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService({ WORKSPACE_MAX_CONCURRENT_RUNS: "1" });
});
afterAll(() => test.stop());

type Headers = Record<string, string>;
const returns = (value: string) => `export default () => ({ value: ${value} });`;
const asPerson = async (role: string): Promise<Headers> => {
  const { apiKey } = await test.addPerson(test.workspaceId, role);
  return { authorization: `Bearer ${apiKey}` };
};
const begin = async (definition: object, more: object = {}, headers?: Headers): Promise<Draft> => {
  const { status, body, text } = await test.call(
    "POST",
    "/drafts",
    { definition, ...more },
    headers,
  );
  if (status !== 201) throw new Error(text);
  return body as Draft;
};
const db = () => test.service.context.db.kysely;
const builds = (id: string) =>
  db()
    .selectFrom("draft_versions")
    .select(["version", "bundle_hash"])
    .where("draft_id", "=", id)
    .orderBy("version")
    .execute();

describe("draft", () => {
  it("is stored as sent, complete or not, and listed newest first", async () => {
    const headers = await asPerson("builder");
    const definition = { title: "Half\na tool", odd: [1, { a: null }], source: { code: "expo" } };
    const created = await test.call("POST", "/drafts", { definition }, headers);
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      toolName: null,
      title: "Half a tool",
      baseVersion: null,
      revision: 1,
      definition,
    });
    expect(created.headers.get("location")).toMatch(new RegExp(`/drafts/${created.body.id}$`));
    const name = await test.makeTool(returns("1"));
    const second = await begin({}, { toolName: name }, headers);
    expect(second).toMatchObject({ toolName: name, baseVersion: 1, title: "" });
    const { definition: _, ...summary } = second;
    const list = await test.call("GET", "/drafts?limit=1", undefined, headers);
    expect(list.body).toEqual([summary]);
    const next = /<([^>]+)>; rel="next"/.exec(list.headers.get("link") ?? "")?.[1] ?? "";
    const rest = await test.call(
      "GET",
      next.slice(`${test.baseUrl}/api/v1`.length),
      undefined,
      headers,
    );
    expect(rest.body.map(({ id }: Draft) => id)).toEqual([created.body.id]);
    const ofTool = await test.call("GET", `/drafts?toolName=${name}`, undefined, headers);
    expect(ofTool.body).toEqual([summary]);
    const shown = await test.call("GET", `/drafts/${created.body.id}`, undefined, headers);
    expect(shown.body).toEqual(created.body);
  });

  it("is saved only over the revision that was read", async () => {
    const { id } = await begin({ title: "One" });
    const save = (revision: number, title: string) =>
      test.call("PUT", `/drafts/${id}`, { revision, definition: { title } });
    const saved = await save(1, "Two");
    expect(saved).toMatchObject({ status: 200, body: { id, revision: 2, title: "Two" } });
    expect(saved.body).not.toHaveProperty("definition");
    const stale = await save(1, "Lost");
    expect([stale.status, stale.body.code, stale.body.revision]).toEqual([409, "draft_changed", 2]);
    const both = await Promise.all([save(2, "Here"), save(2, "There")]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { body } = await test.call("GET", `/drafts/${id}`);
    expect(body.revision).toBe(3);
    expect(["Here", "There"]).toContain(body.definition.title);
  });

  it("is visible to its author only, in its workspace only", async () => {
    const { id } = await begin({ title: "Mine" });
    const admin = await asPerson("admin");
    const elsewhere = await test.addPerson(await test.addWorkspace(), "owner");
    for (const headers of [admin, { authorization: `Bearer ${elsewhere.apiKey}` }]) {
      const answers = await Promise.all([
        test.call("GET", `/drafts/${id}`, undefined, headers),
        test.call("PUT", `/drafts/${id}`, { revision: 1, definition: {} }, headers),
        test.call("GET", `/drafts/${id}/package-types`, undefined, headers),
        test.call("POST", `/drafts/${id}/run`, {}, headers),
        test.call("POST", `/drafts/${id}/publish`, { revision: 1 }, headers),
        test.call("DELETE", `/drafts/${id}`, undefined, headers),
      ]);
      expect(answers.map(({ body }) => body.code)).toEqual(Array(6).fill("not_found"));
      expect((await test.call("GET", "/drafts", undefined, headers)).body).toEqual([]);
    }
    expect((await test.call("DELETE", `/drafts/${id}`)).status).toBe(204);
    expect((await test.call("GET", `/drafts/${id}`)).status).toBe(404);
    const { body } = await test.call("GET", `/audit-events?target=${id}`);
    expect(body.map(({ action }: { action: string }) => action)).toEqual([
      "draft.delete",
      "draft.create",
    ]);
  });

  it("requires that its author can edit the tool", async () => {
    const name = await test.makeTool(returns("1"), { visibility: "private" });
    const headers = await asPerson("builder");
    const hidden = await test.call("POST", "/drafts", { toolName: name, definition: {} }, headers);
    expect(hidden.body.code).toBe("tool_not_found");
  });

  it("is limited to 200 per user", async () => {
    const headers = await asPerson("builder");
    const { id } = await begin({}, {}, headers);
    const row = await db()
      .selectFrom("drafts")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const more = Array.from({ length: 199 }, (_, index) => ({ ...row, id: `${id}${index}` }));
    await db().insertInto("drafts").values(more).execute();
    const refused = await test.call("POST", "/drafts", { definition: {} }, headers);
    expect([refused.status, refused.body.code]).toEqual([409, "draft_limit"]);
    await test.call("DELETE", `/drafts/${id}`, undefined, headers);
    await begin({}, {}, headers);
  });
});

describe("POST /drafts/{id}/run", () => {
  it("creates a run that only its author can see", async () => {
    const headers = await asPerson("builder");
    const { id } = await begin(
      draftOf(`export default async (input, ctx) => {
        console.log("hello", input.name);
        const { fileId } = await ctx.files.save({ name: "a.txt", mimeType: "text/plain", body: "secret" });
        return { greeting: "Hello " + input.name, fileId };
      };`),
      {},
      headers,
    );
    const ran = await test.call("POST", `/drafts/${id}/run`, { name: "Ada" }, headers);
    expect(ran.body).toMatchObject({ status: "completed", output: { greeting: "Hello Ada" } });
    expect(ran.body.toolUrl).toBe(`${test.baseUrl}/drafts/${id}`);
    const { runId, output } = ran.body;
    const { body: record } = await test.call("GET", `/runs/${runId}`, undefined, headers);
    expect(record).toMatchObject({
      draft: true,
      draftId: id,
      toolName: `draft-${id}`,
      toolVersion: 1,
      input: { name: "Ada" },
    });
    const listed = await test.call("GET", "/runs?draft=true", undefined, headers);
    expect(listed.body).toMatchObject([{ runId, draft: true }]);
    const asOwner = await Promise.all([
      test.call("GET", `/runs/${runId}`),
      test.call("GET", `/runs/${runId}/logs`),
      test.call("POST", `/runs/${runId}/cancel`),
    ]);
    expect(asOwner.map(({ body }) => body.code)).toEqual(Array(3).fill("run_not_found"));
    for (const query of ["", "?draft=true", `?draftId=${id}`, `?q=${runId}`, "?via=rest"]) {
      expect((await test.call("GET", `/runs${query}`)).text).not.toContain(runId);
    }
    const file = `/files/${output.fileId}`;
    expect((await test.call("GET", file)).status).toBe(404);
    expect((await test.call("GET", file, undefined, headers)).text).toBe("secret");
    const { body: events } = await test.call("GET", `/audit-events?target=${runId}`);
    expect(events).toMatchObject([
      { action: "run.create", hidden: true, details: { draftId: id } },
    ]);
    expect((await test.call("POST", `/run/draft-${id}`, {}, headers)).status).toBe(404);
  });

  it("builds the saved code once", async () => {
    const { id } = await begin(draftOf(returns("1")));
    const run = async () => (await test.call("POST", `/drafts/${id}/run`, {})).body.output;
    expect([await run(), await run()]).toEqual([{ value: 1 }, { value: 1 }]);
    expect(await builds(id)).toHaveLength(1);
    const save = (revision: number, definition: object) =>
      test.call("PUT", `/drafts/${id}`, { revision, definition });
    await save(1, { ...draftOf(returns("1")), description: "Other words." });
    await run();
    await save(2, draftOf(returns("2")));
    expect(await run()).toEqual({ value: 2 });
    const [first, second, third] = await builds(id);
    expect(second?.bundle_hash).toBe(first?.bundle_hash);
    expect(third?.bundle_hash).not.toBe(first?.bundle_hash);
  });

  it("reports errors of the definition, then of the input", async () => {
    const { id } = await begin({ title: "Tool", inputSchema: { type: "object" }, extra: 1 });
    const refused = await test.call("POST", `/drafts/${id}/run`, {});
    expect([refused.status, refused.body.code]).toEqual([400, "invalid_tool"]);
    expect(refused.body.errors.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      "/description",
      "/extra",
      "/source",
    ]);
    const definition = draftOf("export default () => {\n  return {{}};\n};");
    await test.call("PUT", `/drafts/${id}`, { revision: 1, definition });
    const broken = await test.call("POST", `/drafts/${id}/run`, {});
    expect(broken.body.errors).toMatchObject([{ path: "/source/code", file: "tool.ts", line: 2 }]);
    const inputSchema = { type: "object", required: ["a"] };
    const right = { ...draftOf(returns("1")), inputSchema };
    await test.call("PUT", `/drafts/${id}`, { revision: 2, definition: right });
    const wrong = await test.call("POST", `/drafts/${id}/run`, {});
    expect([wrong.status, wrong.body.code]).toEqual([400, "invalid_input"]);
  });

  it("runs once per Idempotency-Key, queues, and supports respond-async", async () => {
    const { id } = await begin(
      draftOf(`export default async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return { at: Date.now() };
      };`),
    );
    const key = { "idempotency-key": crypto.randomUUID() };
    const path = `/drafts/${id}/run`;
    const first = test.call("POST", path, {}, { ...key, prefer: "respond-async" });
    expect((await first).body.status).toBe("running");
    const queued = await test.call("POST", path, {});
    expect(queued.body).toMatchObject({ status: "completed" });
    const replay = await test.call("POST", path, {}, { ...key, prefer: "respond-async" });
    expect(replay.headers.get("idempotent-replay")).toBe("true");
    expect(replay.body).toEqual((await first).body);
    const { body } = await test.call("GET", `/runs?draftId=${id}`);
    expect(body.map(({ status }: { status: string }) => status)).toEqual([
      "completed",
      "completed",
    ]);
  });

  it("is not retried when its node dies, even if the definition is idempotent", async () => {
    const { id } = await begin({ ...draftOf(returns("1")), idempotent: true });
    const { body } = await test.call("POST", `/drafts/${id}/run`, {});
    const lost = { status: "running", node_id: "dead", output: null };
    await db().updateTable("runs").set(lost).where("id", "=", body.runId).execute();
    const { context } = test.service;
    await recoverOrphanedRuns(context, [context.nodeId]);
    const ended = await test.call("GET", `/runs/${body.runId}`);
    expect(ended.body).toMatchObject({ status: "failed", attempt: 1, draft: true });
  });

  it("requires mcp:execute as well", async () => {
    const { id } = await begin(draftOf(returns("1")));
    const made = await test.callAsOwner("POST", "/api-keys", {
      name: "Writes",
      scopes: ["tools:write"],
    });
    const headers = { authorization: `Bearer ${made.body.key}` };
    const refused = await test.call("POST", `/drafts/${id}/run`, {}, headers);
    expect([refused.status, refused.body.code]).toEqual([403, "insufficient_scope"]);
  });
});

describe("POST /drafts/{id}/publish", () => {
  it("creates a tool and deletes the draft", async () => {
    const { id } = await begin(draftOf(returns("7")));
    const key = { "idempotency-key": crypto.randomUUID() };
    const published = await test.call("POST", `/drafts/${id}/publish`, { revision: 1 }, key);
    expect(published.status).toBe(201);
    expect(published.body).toMatchObject({ title: "Test tool", version: 1 });
    const { name } = published.body;
    expect((await test.call("POST", `/run/${name}`, {})).body.output).toEqual({ value: 7 });
    expect((await test.call("GET", `/drafts/${id}`)).status).toBe(404);
    const replay = await test.call("POST", `/drafts/${id}/publish`, { revision: 1 }, key);
    expect([replay.status, replay.text]).toEqual([201, published.text]);
    const again = await test.call("POST", `/drafts/${id}/publish`, { revision: 1 });
    expect(again.body.code).toBe("not_found");
  });

  it("creates the next version of its tool with the same visibility", async () => {
    const name = await test.makeTool(returns("1"), { visibility: "private" });
    const { id } = await begin(draftOf(returns("2")), { toolName: name });
    const published = await test.call("POST", `/drafts/${id}/publish`, { revision: 1 });
    expect(published.status).toBe(200);
    expect(published.body).toMatchObject({ name, version: 2, visibility: "private" });
    expect((await test.call("POST", `/run/${name}`, {})).body.output).toEqual({ value: 2 });
  });

  it("returns version_not_live when the tool has changed since", async () => {
    const name = await test.makeTool(returns("1"));
    const { id } = await begin(draftOf(returns("2")), { toolName: name });
    await test.call("PATCH", `/tools/${name}`, { title: "Theirs" });
    const publish = (more: object) =>
      test.call("POST", `/drafts/${id}/publish`, { revision: 1, ...more });
    const refused = await publish({});
    expect([refused.status, refused.body.code, refused.body.version]).toEqual([
      409,
      "version_not_live",
      2,
    ]);
    expect((await publish({ baseVersion: 1 })).body.code).toBe("version_not_live");
    expect((await publish({ baseVersion: 2 })).body).toMatchObject({ version: 3 });
  });

  it("publishes once, only the revision that was read, and only a valid definition", async () => {
    const { id } = await begin({ title: "No" });
    const publish = (revision: number) => test.call("POST", `/drafts/${id}/publish`, { revision });
    expect((await publish(1)).body.code).toBe("invalid_tool");
    await test.call("PUT", `/drafts/${id}`, { revision: 1, definition: draftOf(returns("1")) });
    expect((await publish(1)).body.code).toBe("draft_changed");
    const codes = (await Promise.all([publish(2), publish(2), publish(2)])).map(
      ({ status }) => status,
    );
    expect(codes.toSorted((a, b) => a - b)).toEqual([201, 404, 404]);
  });
});

describe("cleanup of drafts", () => {
  it("deletes unused drafts, except what a run in progress needs", async () => {
    const { sweep } = await import("#core/workspaces");
    const { context } = test.service;
    const [old, fresh] = [await begin(draftOf(returns("1"))), await begin(draftOf(returns("1")))];
    for (const { id } of [old, fresh]) await test.call("POST", `/drafts/${id}/run`, {});
    const newer = { revision: 1, definition: draftOf(returns("2")) };
    await test.call("PUT", `/drafts/${fresh.id}`, newer);
    await test.call("POST", `/drafts/${fresh.id}/run`, {});
    const long = Date.now() - 91 * 86_400_000;
    await db().updateTable("drafts").set({ used_at: long }).where("id", "=", old.id).execute();
    await db().updateTable("draft_versions").set({ used_at: long }).execute();
    const [run] = await db()
      .selectFrom("runs")
      .select("id")
      .where("draft_id", "=", old.id)
      .execute();
    const setStatus = (status: string) =>
      db()
        .updateTable("runs")
        .set({ status, node_id: context.nodeId, started_at: Date.now() })
        .where("id", "=", run?.id ?? "")
        .execute();
    const sweepNow = async () => {
      await db().deleteFrom("task_locks").execute();
      await sweep(context, new AbortController().signal);
    };
    await setStatus("running");
    await sweepNow();
    expect((await test.call("GET", `/drafts/${old.id}`)).status).toBe(404);
    expect((await test.call("GET", `/drafts/${fresh.id}`)).status).toBe(200);
    expect(await builds(old.id)).toHaveLength(1);
    expect((await builds(fresh.id)).map(({ version }) => version)).toEqual([2]);
    await setStatus("completed");
    await sweepNow();
    expect(await builds(old.id)).toEqual([]);
  });

  it("includes drafts in the export of their author, and deletes them with the account", async () => {
    const { userId, call } = await test.addSignedIn(test.workspaceId, "builder");
    await call(
      "POST",
      "/drafts",
      { definition: { title: "Exported" } },
      { "x-workspace-id": test.workspaceId },
    );
    expect((await call("GET", "/me/export")).text).toContain('"title":"Exported"');
    await test.callAsOwner("DELETE", `/workspaces/${test.workspaceId}/members/${userId}`);
    const left = await db()
      .selectFrom("drafts")
      .select("id")
      .where("user_id", "=", userId)
      .execute();
    expect(left).toEqual([]);
  });
});

describe("GET /drafts/{id}/package-types", () => {
  const typesOf = async (dependencies: unknown) => {
    const { id } = await begin({ source: { dependencies } });
    return test.call("GET", `/drafts/${id}/package-types`);
  };

  it("returns no files without packages", async () => {
    const { id } = await begin({ title: "Half" });
    const none = { packages: [], files: [] };
    expect((await test.call("GET", `/drafts/${id}/package-types`)).body).toEqual(none);
    expect((await typesOf({})).body).toEqual(none);
  });

  it.each([
    [{ ms: "file:/etc" }, "/source/dependencies/ms"],
    [{ "../../etc": "1.0.0" }, "/source/dependencies/..~1..~1etc"],
    ["ms", "/source/dependencies"],
    [
      Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`p${at}`, "1.0.0"])),
      "/source/dependencies",
    ],
  ])("returns invalid_tool for %o", async (dependencies, path) => {
    const { body } = await typesOf(dependencies);
    expect(body).toMatchObject({ code: "invalid_tool", errors: [{ path }] });
  });

  it("returns the types of the versions used by the build", async ({ skip }) => {
    const { body } = await typesOf({ dayjs: "1.11.13" });
    skip(body.code === "unavailable", "The npm registry cannot be reached from here");
    expect(body.packages).toEqual([{ name: "dayjs", version: "1.11.13", types: "there" }]);
    const paths = body.files.map(({ path }: { path: string }) => path);
    expect(paths).toContain("node_modules/dayjs/index.d.ts");
    expect(paths.every((path: string) => path.startsWith("node_modules/dayjs/"))).toBe(true);
  });
});
