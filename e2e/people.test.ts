import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "./src/expect-problem.ts";
import { createCall } from "./src/http.ts";
import type { Call } from "./src/http.ts";
import { proves } from "./src/proves.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

const password = "correct horse battery";
const echo = "export default async (input) => input";

let server: Server;
beforeAll(async () => {
  server = await startServer({
    RATE_LIMIT_FAILED_SIGN_INS_PER_MINUTE: "0",
    RATE_LIMIT_MAILS_PER_MINUTE: "0",
  });
});
afterAll(() => server?.stop());

type Person = { email: string; cookie: string; userId: string; call: Call };

/** Creates a workspace for a test, which the server's owner owns. */
async function makeWorkspace(name: string): Promise<string> {
  const made = expectStatus(201, await server.callAsOwner("POST", "/workspaces", { name }));
  return String(made.body.id);
}

const signUp = (body: object) =>
  fetch(`${server.baseUrl}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: server.baseUrl },
    body: JSON.stringify({ name: "Guest", password, ...body }),
  });

async function invite(workspaceId: string, email: string, role: string): Promise<string> {
  const path = `/workspaces/${workspaceId}/invitations`;
  const made = expectStatus(201, await server.callAsOwner("POST", path, { email, role }));
  return String(made.body.url).split("/").at(-1) ?? "";
}

/** Invites and signs up a new user. */
async function join(workspaceId: string, role: string): Promise<Person> {
  const email = `${randomUUID()}@example.com`;
  const invitation = await invite(workspaceId, email, role);
  const response = await signUp({ email, invitation });
  expect(response.status).toBe(200);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const call = createCall(
    () => server.baseUrl,
    () => ({ cookie, "x-workspace-id": workspaceId }),
  );
  const me = expectStatus(200, await call("GET", "/me"));
  expect(me.body.workspace).toMatchObject({ id: workspaceId, role });
  return { email, cookie, userId: String(me.body.user.id), call };
}

/** Calls REST as the server's owner in a workspace. */
const ownerIn = (workspaceId: string): Call =>
  createCall(
    () => server.baseUrl,
    () => ({ cookie: server.cookie, origin: server.baseUrl, "x-workspace-id": workspaceId }),
  );

describe("accounts", () => {
  test(
    "creates accounts only with an invitation",
    proves("people.invited", "people.closed", "error.already_member"),
    async () => {
      const workspaceId = await makeWorkspace("Invited");
      const person = await join(workspaceId, "builder");
      const email = `${randomUUID()}@example.com`;
      const invitation = await invite(workspaceId, email, "viewer");
      for (const body of [
        { email },
        { email: "other@example.com", invitation },
        { email, invitation: randomUUID() },
      ]) {
        const refused = await signUp(body);
        expect(refused.status).toBe(403);
        expect(await refused.json()).toMatchObject({ code: "SIGN_UP_CLOSED" });
      }
      const draft = { email: person.email, role: "viewer" };
      const again = await server.callAsOwner(
        "POST",
        `/workspaces/${workspaceId}/invitations`,
        draft,
      );
      expectProblem(again, "already_member");
    },
  );

  test("lists and ends a user's sessions", proves("people.sessions"), async () => {
    const person = await join(await makeWorkspace("Sessions"), "viewer");
    const list = expectStatus(200, await person.call("GET", "/sessions"));
    expect(list.body).toMatchObject([{ isCurrent: true }]);
    const path = `/sessions/${list.body[0].id}`;
    expectStatus(204, await person.call("DELETE", path));
    expectProblem(await person.call("GET", "/me"), "unauthenticated");
  });

  test(
    "exports and deletes an account",
    { ...proves("people.export", "people.delete"), tags: ["nightly"] },
    async () => {
      const workspaceId = await makeWorkspace("Leaving");
      const person = await join(workspaceId, "builder");
      const tool = expectStatus(
        201,
        await person.call("POST", "/tools", {
          title: "Left behind",
          description: "A tool.",
          inputSchema: { type: "object" },
          source: { language: "typescript", code: echo },
        }),
      );
      const run = expectStatus(200, await person.call("POST", `/run/${tool.body.name}`, { a: 1 }));
      const exported = expectStatus(200, await person.call("GET", "/me/export"));
      expect(exported.body).toMatchObject({
        profile: { email: person.email },
        workspaces: [{ id: workspaceId, runs: [{ id: run.body.runId, input: { a: 1 } }] }],
      });
      expect(exported.text).not.toContain(password);
      expectProblem(await person.call("DELETE", "/me", { password: "wrong" }), "forbidden");
      expectStatus(204, await person.call("DELETE", "/me", { password }));
      expectProblem(await person.call("GET", "/me"), "unauthenticated");
      const owner = ownerIn(workspaceId);
      expectStatus(200, await owner("GET", `/runs/${run.body.runId}`));
      expectStatus(200, await owner("POST", `/run/${tool.body.name}`, {}));
      const events = expectStatus(200, await owner("GET", `/audit-events?actor=${person.userId}`));
      expect(events.body.length).toBeGreaterThan(2);
      expect(events.text).not.toContain(person.email);
    },
  );
});

describe("workspaces", () => {
  test(
    "grants each role its rights, and non-members none",
    proves("workspaces.roles", "workspaces.foreign", "workspaces.last_owner"),
    async () => {
      const workspaceId = await makeWorkspace("Roles");
      const path = `/workspaces/${workspaceId}`;
      const viewer = await join(workspaceId, "viewer");
      const admin = await join(workspaceId, "admin");
      const stranger = await join(await makeWorkspace("Elsewhere"), "owner");
      const draft = { email: `${randomUUID()}@example.com`, role: "member" };
      expectProblem(await viewer.call("POST", `${path}/invitations`, draft), "forbidden");
      expectStatus(201, await admin.call("POST", `${path}/invitations`, draft));
      const promotion = { role: "owner" };
      const self = `${path}/members/${admin.userId}`;
      expectProblem(await admin.call("PATCH", self, promotion), "forbidden");
      expectProblem(await admin.call("DELETE", path, { name: "Roles" }), "forbidden");
      expectProblem(await stranger.call("GET", `${path}/members`), "not_found");
      const foreign = createCall(
        () => server.baseUrl,
        () => ({ cookie: stranger.cookie, "x-workspace-id": workspaceId }),
      );
      expectProblem(await foreign("GET", "/tools"), "not_found");
      const owner = expectStatus(200, await server.callAsOwner("GET", `${path}/members`)).body[0];
      const leaving = await server.callAsOwner("DELETE", `${path}/members/${owner.userId}`);
      expectProblem(leaving, "last_owner");
    },
  );

  test(
    "blocks removed members immediately, and everyone after deletion",
    proves("workspaces.removed", "workspaces.deleted"),
    async () => {
      const workspaceId = await makeWorkspace("Short");
      const path = `/workspaces/${workspaceId}`;
      const [one, two] = [await join(workspaceId, "member"), await join(workspaceId, "member")];
      const keyOf = async ({ call }: Person) => {
        const made = await call("POST", "/api-keys", { name: "Key", scopes: ["mcp:read"] });
        return server.callWithKey(String(expectStatus(201, made).body.key));
      };
      const [first, second] = [await keyOf(one), await keyOf(two)];
      expectStatus(200, await first("GET", "/tools"));
      expectStatus(204, await server.callAsOwner("DELETE", `${path}/members/${one.userId}`));
      expectProblem(await first("GET", "/tools"), "unauthenticated");
      expectProblem(await one.call("GET", "/tools"), "not_found");
      expectStatus(200, await second("GET", "/tools"));
      const wrong = await server.callAsOwner("DELETE", path, { name: "short" });
      expectProblem(wrong, "invalid_request");
      expectStatus(204, await server.callAsOwner("DELETE", path, { name: "Short" }));
      expectProblem(await second("GET", "/tools"), "unauthenticated");
      expectProblem(await two.call("GET", "/tools"), "not_found");
      expectProblem(await server.callAsOwner("GET", `${path}/members`), "not_found");
    },
  );

  test(
    "shows members only the tools that are shared with them",
    proves("tools.private", "tools.public"),
    async () => {
      const [home, away] = [await makeWorkspace("Home"), await makeWorkspace("Away")];
      const author = await join(home, "builder");
      const admin = await join(home, "admin");
      const guest = await join(away, "builder");
      const save = async (visibility: string) => {
        const draft = {
          title: "Shared echo",
          description: "Echoes.",
          inputSchema: { type: "object" },
          source: { language: "typescript", code: echo },
          visibility,
        };
        return String(expectStatus(201, await author.call("POST", "/tools", draft)).body.name);
      };
      const hidden = await save("private");
      for (const path of [`/tools/${hidden}`, `/skill/${hidden}`]) {
        expectProblem(await admin.call("GET", path), "tool_not_found");
        expectStatus(200, await author.call("GET", path));
      }
      expectProblem(await admin.call("POST", `/run/${hidden}`, {}), "tool_not_found");
      const open = await save("public");
      expectProblem(await guest.call("POST", `/run/${open}`, {}), "tool_not_found");
      const catalog = expectStatus(200, await guest.call("GET", "/tools?catalog=public"));
      expect(catalog.body).toMatchObject([{ name: open, installed: false }]);
      expectStatus(200, await guest.call("POST", `/tools/${open}/install`));
      const run = expectStatus(200, await guest.call("POST", `/run/${open}`, { b: 2 }));
      expect(run.body).toMatchObject({ status: "completed", output: { b: 2 } });
      const shown = expectStatus(200, await guest.call("GET", `/tools/${open}`));
      expect(shown.body.source).toBeUndefined();
      expectStatus(204, await author.call("DELETE", `/tools/${open}`));
      const gone = expectProblem(await guest.call("POST", `/run/${open}`, {}), "tool_not_found");
      expect(JSON.stringify(gone)).toContain("no longer shares it");
    },
  );
});
