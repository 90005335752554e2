import { afterAll, beforeAll, expect, it } from "vitest";
import { checkDueImports } from "#core/imports";
import { newId } from "#lib/ids";
import { serverWith, startMcpUpstream } from "#testing/mcp-upstream";
import type { McpUpstream } from "#testing/mcp-upstream";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const work = { name: "work", inputSchema: { type: "object" } };
let upstream: McpUpstream;
let test: TestService;
let stalled: (() => void)[] = [];
beforeAll(async () => {
  upstream = await startMcpUpstream((received, response) => {
    if (!received.path.startsWith("/stalled")) return serverWith([work])(received, response);
    return new Promise<void>((resolve) => {
      stalled.push(() => resolve(void response.writeHead(500).end()));
    });
  });
  test = await startTestService({ EGRESS_PRIVATE_HOSTS: upstream.host });
});
afterAll(async () => {
  for (const answer of stalled) answer();
  await test.stop();
  upstream.close();
});

/** Adds imports of a workspace that are due since then, as rows. */
async function addImports(
  workspaceId: string,
  count: number,
  values: { path?: string; next_check_at?: number; failures?: number } = {},
) {
  const { kysely } = test.service.context.db;
  const { path = "/mcp", ...rest } = values;
  const rows = Array.from({ length: count }, () => ({
    id: newId(),
    workspace_id: workspaceId,
    user_id: "no-user",
    kind: "mcp",
    title: "Server",
    description: "",
    version: "",
    format: "2025-06-18",
    url: `http://${upstream.host}${path}`,
    transport: "http",
    credential: null,
    common: "{}",
    items: "[]",
    item_count: 0,
    document: null,
    hash: "",
    problem: null,
    failures: 0,
    created_at: 1,
    checked_at: 1,
    next_check_at: 1,
    revision: 1,
    ...rest,
  }));
  await kysely.insertInto("imports").values(rows).execute();
  return rows.map(({ id }) => id);
}

async function addWorkspace() {
  const workspaceId = await test.addWorkspace();
  const { userId } = await test.addPerson(workspaceId, "builder");
  return { workspaceId, userId };
}

const rowOf = (id: string) =>
  test.service.context.db.kysely
    .selectFrom("imports")
    .select(["checked_at", "failures"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

it("checks an import although hundreds of another workspace are due for longer", async () => {
  const [first, second] = [await addWorkspace(), await addWorkspace()];
  await addImports(first.workspaceId, 300);
  const [id = ""] = await addImports(second.workspaceId, 1, { next_check_at: 2 });
  await checkDueImports(test.service.context, new AbortController().signal);
  await expect.poll(async () => (await rowOf(id)).failures).toBe(1);
});

it("checks all that is due without a further call, a server that failed before last", async () => {
  const { context } = test.service;
  await context.db.kysely.deleteFrom("imports").execute();
  const workspaces = await Promise.all(Array.from({ length: 12 }, addWorkspace));
  const ids = await Promise.all(
    workspaces.map(async ({ workspaceId, userId }, index) => {
      const isStalled = index < 10;
      const values = isStalled
        ? { path: "/stalled", failures: 1 }
        : { next_check_at: 2, failures: 0 };
      const [id = ""] = await addImports(workspaceId, 1, values);
      await context.db.kysely
        .updateTable("imports")
        .set({ user_id: userId })
        .where("id", "=", id)
        .execute();
      return id;
    }),
  );
  await checkDueImports(context, new AbortController().signal);
  for (const id of ids.slice(10)) {
    await expect.poll(async () => (await rowOf(id)).checked_at).toBeGreaterThan(1);
  }
  await expect
    .poll(
      async () => {
        for (const answer of stalled.splice(0)) answer();
        return Promise.all(ids.slice(0, 10).map(async (id) => (await rowOf(id)).failures));
      },
      { timeout: 10_000 },
    )
    .toEqual(Array.from({ length: 10 }, () => 2));
});

it("starts no check after the service began to stop", async () => {
  const { context } = test.service;
  const stopping = new AbortController();
  const { workspaceId } = await addWorkspace();
  await expect.poll(() => context.imports.checking.size).toBe(0);
  const [id = ""] = await addImports(workspaceId, 1);
  stopping.abort();
  await checkDueImports(context, stopping.signal);
  expect(context.imports.checking.size).toBe(0);
  expect(await rowOf(id)).toEqual({ checked_at: 1, failures: 0 });
});
