import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sealEvents, verifyAuditLog } from "#core/kernel";
import type { Caller } from "#core/kernel";
import { newId } from "#lib/ids";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

const db = () => test.service.context.db;

/** Sealed events in a new workspace, and the key of an admin there. */
async function insertEvents(count: number, event: { target?: string; details?: string } = {}) {
  const workspaceId = await test.addWorkspace();
  const { apiKey, userId } = await test.addPerson(workspaceId, "admin");
  const rows = Array.from({ length: count }, (_, index) => ({
    id: newId(),
    workspace_id: workspaceId,
    at: Date.now() + index,
    actor: JSON.stringify({ userId }),
    user_id: userId,
    via: "rest",
    action: "tool.update",
    target: `tool-${index}`,
    outcome: "success",
    request_id: null,
    ip: null,
    details: "{}",
    ...event,
  }));
  for (let from = 0; from < count; from += 500) {
    await db()
      .kysely.insertInto("audit_events")
      .values(rows.slice(from, from + 500))
      .execute();
  }
  // The service seals too, and may be finishing a batch.
  await vi.waitUntil(async () => {
    await sealEvents(db());
    const unsealed = db()
      .kysely.selectFrom("audit_events")
      .select("id")
      .where("workspace_id", "=", workspaceId)
      .where("sequence", "is", null);
    return (await unsealed.execute()).length === 0;
  }, 20_000);
  const headers = { authorization: `Bearer ${apiKey}` };
  return { workspaceId, headers, rows };
}

describe("GET /audit-events", () => {
  it("finds events by names, titles and email addresses, but not hidden ones by their content", async () => {
    const admin = await test.addSignedIn(test.workspaceId, "admin");
    const open = await test.makeTool("export default () => ({});", { title: "Quarterly Zebra" });
    const secret = await test.makeTool("export default () => ({});", {
      title: "Secret Zebra",
      visibility: "private",
    });
    await test.call("POST", `/run/${secret}`, {});
    const search = async (q: string, as = admin.call) => {
      const answer = await as("GET", `/audit-events?q=${encodeURIComponent(q)}`);
      expect(answer.status).toBe(200);
      return (answer.body as { action: string; target: string; actor: { userId: string } }[]).map(
        ({ action, target }) => `${action} ${target}`,
      );
    };
    expect(await search("quarterly zebra")).toEqual([`tool.create ${open}`]);
    expect(await search("zebra")).toEqual([`tool.create ${open}`]);
    expect(await search(secret)).toEqual([]);
    const own = await search("zebra", (method, path) => test.callAsOwner(method, path));
    expect(own).toContain(`tool.create ${secret}`);
    const byEmail = await search(test.person.email.toUpperCase());
    expect(byEmail).toContain(`tool.create ${open}`);
    expect(byEmail.some((line) => line.includes(secret))).toBe(false);
    const named = await test.addPerson(test.workspaceId, "member");
    await test.callAsOwner("PATCH", `/workspaces/${test.workspaceId}/members/${named.userId}`, {
      role: "viewer",
    });
    expect(await search(`${named.userId}@example.com`)).toContain(
      `member.change_role ${named.userId}`,
    );
    const invitation = await test.callAsOwner(
      "POST",
      `/workspaces/${test.workspaceId}/invitations`,
      { email: "zoe.invited@example.com", role: "viewer" },
    );
    expect(await search("Zoe.Invited@")).toEqual([`invitation.create ${invitation.body.id}`]);
    expect(await search("100% of nothing_")).toEqual([]);
  });
});

async function nameOf(userId: string) {
  const row = await db()
    .kysely.selectFrom("users")
    .select(["name", "email"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  return row.name || row.email;
}

const verification = "/audit-events/verification";

describe("GET /audit-events/verification", () => {
  it("reports an unaltered log as intact", async () => {
    const { headers, rows } = await insertEvents(3);
    const { status, body } = await test.call("GET", verification, undefined, headers);
    expect(status).toBe(200);
    // Creating the key is an event too.
    const checked = body.checked as number;
    expect(body).toMatchObject({
      intact: true,
      complete: true,
      next: null,
      problems: [],
      trimmed: 0,
      sealed: checked,
      lastAt: new Date(rows.at(-1)?.at ?? 0).toISOString(),
    });
    expect(checked).toBeGreaterThanOrEqual(3);
  });

  it("reports the first event that was altered or is missing", async () => {
    const { headers, rows, workspaceId } = await insertEvents(5);
    const [altered, missing] = [rows[3]?.id ?? "", rows[1]?.id ?? ""];
    const events = db().kysely;
    await events
      .updateTable("audit_events")
      .set({ outcome: "x" })
      .where("id", "=", altered)
      .execute();
    const one = await test.call("GET", verification, undefined, headers);
    expect(one.body).toMatchObject({
      intact: false,
      problems: [{ eventId: altered, message: "an event was altered" }],
    });
    await events.deleteFrom("audit_events").where("id", "=", missing).execute();
    const two = await test.call("GET", verification, undefined, headers);
    expect(two.body.problems).toMatchObject([
      { eventId: rows[2]?.id, message: "the previous event is missing" },
    ]);
    const kept = await db()
      .kysely.selectFrom("audit_events")
      .select("sequence")
      .where("id", "=", rows[2]?.id ?? "")
      .executeTakeFirst();
    const after = `${verification}?after=${kept?.sequence}`;
    // The events after it are verified separately.
    const rest = await test.call("GET", after, undefined, headers);
    expect(rest.body.problems).toMatchObject([{ eventId: altered }]);
    expect(workspaceId).toBe(rows[0]?.workspace_id);
  });

  it("resumes after the time limit", async () => {
    const { workspaceId, rows } = await insertEvents(2_300);
    const caller = { workspaceId } as Caller;
    const first = await verifyAuditLog(test.service.context, caller, undefined, 0);
    expect(first).toMatchObject({ intact: true, complete: false, checked: 1_000, next: 1_000 });
    const second = await verifyAuditLog(test.service.context, caller, first.next ?? 0, 0);
    expect(second).toMatchObject({ complete: false, next: 2_000 });
    const last = await verifyAuditLog(test.service.context, caller, second.next ?? 0, 0);
    expect(last).toMatchObject({ intact: true, complete: true, next: null });
    expect(first.checked + second.checked + last.checked).toBe(last.sealed);
    expect(last.sealed).toBeGreaterThanOrEqual(rows.length);
    const both = [0, 1].map(() => verifyAuditLog(test.service.context, caller, undefined));
    const results = await Promise.allSettled(both);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  });

  it("returns 404 beyond the end of the chain, and requires audit:read", async () => {
    const { headers } = await insertEvents(1);
    const beyond = await test.call("GET", `${verification}?after=999999`, undefined, headers);
    expect(beyond.body.code).toBe("not_found");
    const { apiKey } = await test.addPerson(test.workspaceId, "builder");
    const builder = { authorization: `Bearer ${apiKey}` };
    expect((await test.call("GET", verification, undefined, builder)).status).toBe(403);
  });
});

describe("GET /audit-events as an export", () => {
  it("streams all matching events as JSON Lines", async () => {
    const { headers, rows } = await insertEvents(1_200);
    const query = "/audit-events?action=tool.update&limit=1";
    const answer = await fetch(`${test.baseUrl}/api/v1${query}`, {
      headers: { ...headers, accept: "application/x-ndjson" },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toContain("attachment");
    const text = await answer.text();
    const ids = text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual(rows.map(({ id }) => id).toReversed());
    const { body } = await test.call(
      "GET",
      "/audit-events?action=audit.export",
      undefined,
      headers,
    );
    expect(body).toHaveLength(1);
  });

  it("escapes formulas in CSV", async () => {
    const target = '=HYPERLINK("https://evil.example","a, b")';
    const { headers } = await insertEvents(1, { target, details: '{"name":"+1"}' });
    const { text } = await test.call("GET", "/audit-events?action=tool.update", undefined, {
      ...headers,
      accept: "text/csv",
    });
    const [head, line, end] = text.split("\r\n");
    expect(head).toMatch(/^"sequence","at","action","target"/);
    expect(line).toContain(`,"'=HYPERLINK(""https://evil.example"",""a, b"")",`);
    expect(line).toContain(`,"{""name"":""+1""}",`);
    expect(end).toBe("");
  });

  it("names actors and targets in CSV, but not hidden tools, and members only to sessions", async () => {
    const workspaceId = await test.addWorkspace();
    const admin = await test.addSignedIn(workspaceId, "admin");
    const other = await test.addSignedIn(workspaceId, "builder");
    const open = { ...draftOf("export default () => ({});"), title: "Open Heron" };
    const secret = { ...open, title: "Secret Heron", visibility: "private" };
    const shared = await other.call("POST", "/tools", { ...open, visibility: "workspace" });
    expect([shared.status, (await other.call("POST", "/tools", secret)).status]).toEqual([
      201, 201,
    ]);
    const invitation = { email: "zoe.heron@example.com", role: "viewer" };
    await admin.call("POST", `/workspaces/${workspaceId}/invitations`, invitation);
    const role = { role: "viewer" };
    await admin.call("PATCH", `/workspaces/${workspaceId}/members/${other.userId}`, role);
    const { apiKey } = await test.addPerson(workspaceId, "admin");
    const accept = { accept: "text/csv" };
    const { text: bySession } = await admin.call("GET", "/audit-events", undefined, accept);
    const lineOf = (text: string, action: string) =>
      text.split("\r\n").filter((line) => line.includes(`,"${action}",`));
    expect(bySession).toMatch(/^"sequence","at","action","target","targetName",/);
    expect(bySession).not.toContain("Secret Heron");
    const created = lineOf(bySession, "tool.create").join("");
    expect(created).toContain(`"${shared.body.name}","Open Heron",`);
    const name = await nameOf(other.userId);
    const changed = lineOf(bySession, "member.change_role").join("");
    expect(changed).toContain(`"${other.userId}","${name}",`);
    expect(lineOf(bySession, "invitation.create").join("")).toContain("zoe.heron@example.com");
    const { text: byKey } = await test.call("GET", "/audit-events", undefined, {
      ...accept,
      authorization: `Bearer ${apiKey}`,
    });
    expect(lineOf(byKey, "tool.create").join("")).toContain(`"Open Heron",`);
    expect(lineOf(byKey, "member.change_role").join("")).toContain(`"${other.userId}","",`);
    expect(byKey).not.toContain("zoe.heron@example.com");
  });

  it("returns 406 for other media types", async () => {
    const { status } = await test.call("GET", "/audit-events", undefined, { accept: "text/html" });
    expect(status).toBe(406);
  });
});
