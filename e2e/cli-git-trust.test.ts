import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createCall } from "./src/http.ts";
import { startProxy } from "./src/intercepting-proxy.ts";
import { cloneProject, codeOf, createOrigin, markOf } from "./src/git-project.ts";
import type { Clone } from "./src/git-project.ts";
import { expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

let server: Server;
let origin: string;
/** A developer, and CI, which commits nothing. Both use the key of one user. */
let ada: Clone;
let ci: Clone;
/** Calls REST as another member, who may create and change tools. */
let callAsBuilder: Server["call"];
/** The folder of the test's tool, which is also its title. */
let tool: string;
let counter = 0;

beforeAll(async () => {
  server = await startServer();
  callAsBuilder = await join("builder");
});
afterAll(() => server?.stop());

beforeEach(async () => {
  origin = await createOrigin(server);
  ada = await cloneProject(server, origin);
  ci = await cloneProject(server, origin);
  tool = `tool-${++counter}`;
});

/** Signs up an invited user, and calls with their session. */
async function join(role: string): Promise<Server["call"]> {
  const { workspaceId, baseUrl } = server;
  const email = `${randomUUID()}@example.com`;
  const path = `/workspaces/${workspaceId}/invitations`;
  const made = expectStatus(201, await server.callAsOwner("POST", path, { email, role }));
  const invitation = String(made.body.url).split("/").at(-1);
  const answer = await fetch(`${baseUrl}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: baseUrl },
    body: JSON.stringify({ email, name: "Guest", password: "correct horse battery", invitation }),
  });
  expect(answer.status).toBe(200);
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  const headers = { cookie: cookies.join("; "), origin: baseUrl, "x-workspace-id": workspaceId };
  return createCall(
    () => baseUrl,
    () => headers,
  );
}

const source = (mark: string) => ({ source: { language: "typescript", code: codeOf(mark) } });
const draft = (mark: string, title = tool) => ({
  title,
  description: "A tool of a test.",
  inputSchema: { type: "object" },
  ...source(mark),
});
const from = (id: string, folder = tool) => ({ "published-from": `${id}:tools/${folder}` });

type Listed = { name: string; title: string };
const toolsOf = async (title = tool) =>
  (expectStatus(200, await server.call("GET", "/tools?limit=200")).body as Listed[])
    .filter((one) => one.title === title)
    .map(({ name }) => name);
async function nameOf(title = tool): Promise<string> {
  const names = await toolsOf(title);
  expect(names).toHaveLength(1);
  return names[0] ?? "";
}
const live = async (name: string) => {
  const { status, body } = await server.call("GET", `/tools/${name}`);
  return status === 404 ? undefined : markOf(body.source.code as string);
};
const publishedOf = async (name: string) =>
  expectStatus(200, await server.call("GET", `/tools/${name}`)).body.publishedFrom;

/** Runs the job of the newest commit in a fresh checkout. */
async function runJob(args = ["--delete"]) {
  await ci.git("fetch", "--quiet", "origin");
  await ci.git("checkout", "--quiet", "--force", "--detach", "origin/main");
  await ci.git("clean", "--force", "-dx", "--quiet");
  return ci.run(["push", ...args]);
}
async function jobPasses() {
  const { code, stdout, stderr } = await runJob();
  expect(code, stderr).toBe(0);
  return stdout + stderr;
}
async function jobRefuses() {
  const { code, stdout, stderr } = await runJob();
  expect(code, stdout + stderr).toBe(5);
  return stderr;
}
async function commit(mark: string, title = tool) {
  await ada.write(tool, mark, { title });
  return ada.commit({ withLock: false });
}

describe("a commit that a caller claims", () => {
  test("does not hide content that the commit does not have", async () => {
    const head = await commit("good");
    await jobPasses();
    const name = await nameOf();
    expectStatus(200, await server.call("PATCH", `/tools/${name}`, source("evil"), from(head)));
    expect(await jobPasses()).toContain("skipped");
    await commit("better");
    expect(await jobRefuses()).toContain("changed on both sides");
    await ada.remove(tool);
    await ada.commit({ withLock: false });
    expect(await jobRefuses()).toContain("deleted here, changed on the server");
    expect(await live(name)).toBe("evil");
  });

  test("archives no tool of another user", async () => {
    const made = expectStatus(201, await callAsBuilder("POST", "/tools", draft("theirs", "Other")));
    const { name } = made.body;
    const head = await commit("theirs", "Other");
    expectStatus(
      200,
      await callAsBuilder("PATCH", `/tools/${name}`, { title: "Other" }, from(head)),
    );
    await ada.remove(tool);
    await ada.commit({ withLock: false });
    await jobPasses();
    expect(await live(name)).toBe("theirs");
  });

  test("does not make the tool of another user that of a folder", async () => {
    const head = await commit("good");
    const title = `${tool} squatted`;
    const squat = draft("evil", title);
    const { name } = expectStatus(
      201,
      await callAsBuilder("POST", "/tools", squat, from(head)),
    ).body;
    await jobPasses();
    expect(await live(await nameOf())).toBe("good");
    await commit("better");
    await jobPasses();
    expect(await live(await nameOf())).toBe("better");
    expect(await live(name)).toBe("evil");
    expectStatus(204, await callAsBuilder("DELETE", `/tools/${name}`, undefined, from(head)));
    await commit("best");
    await jobPasses();
    expect(await live(await nameOf())).toBe("best");
  });

  test("does not hide a tool behind a second one, whose content is another", async () => {
    const head = await commit("good");
    await jobPasses();
    const name = await nameOf();
    const title = `${tool} second`;
    expectStatus(201, await server.call("POST", "/tools", draft("evil", title), from(head)));
    await commit("better");
    await jobPasses();
    expect(await live(name)).toBe("better");
    expect(await live(await nameOf(title))).toBe("evil");
  });

  test("blocks only its folder if it leaves two tools with the same content", async () => {
    const head = await commit("good");
    await jobPasses();
    expectStatus(201, await server.call("POST", "/tools", draft("good"), from(head)));
    await ada.write(`${tool}-other`, "other");
    await ada.commit({ withLock: false });
    expect(await jobRefuses()).toContain(tool);
    expect(await live(await nameOf(`${tool}-other`))).toBe("other");
    expect(await toolsOf()).toHaveLength(2);
  });
});

describe("a lock file", () => {
  /** A tool of main whose lock entry is committed. */
  async function start() {
    await ada.write(tool, "one");
    await ada.json(["push", tool]);
    await ada.commit();
    return nameOf();
  }

  test("does not revert the work of another branch after it was carried along", async () => {
    await commit("one");
    await jobPasses();
    await ada.json(["pull"]);
    const name = await nameOf();
    await ada.git("checkout", "--quiet", "-b", "feature");
    await ada.write(tool, "feature");
    await ada.write(`${tool}-new`, "new");
    await ada.commit({ withLock: false });
    await ada.json(["push"]);
    await ada.git("checkout", "--quiet", "main");
    expect(await ada.read(tool)).toBe("one");
    const { code, stdout, stderr } = await ada.run(["push"]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("skipped");
    expect((await ada.run(["push", "--delete"])).code).toBe(5);
    expect(await live(name)).toBe("feature");
    expect(await live(await nameOf(`${tool}-new`))).toBe("new");
  });

  test("names what a branch published before it was squashed and deleted", async () => {
    const name = await start();
    await ada.git("checkout", "--quiet", "-b", "feature");
    await ada.write(tool, "feature");
    await ada.commit();
    await ada.json(["push"]);
    await ada.commit();
    await ada.git("checkout", "--quiet", "main");
    await ada.git("merge", "--quiet", "--squash", "feature");
    await ada.commit();
    await ada.git("push", "--quiet", "origin", ":feature");
    ci = await cloneProject(server, origin);
    await jobPasses();
    await commit("next");
    await jobPasses();
    expect(await live(name)).toBe("next");
  });

  test("does not take a version for another one with the same number", async () => {
    const name = await start();
    await ada.write(tool, "two");
    await ada.json(["push", tool]);
    await ada.commit();
    // As after a restore from a backup of version 1, in which the console was used: the number is the same again.
    const path = `${ada.cwd}/toolhost.lock.json`;
    const text = await readFile(path, "utf8");
    const edited = expectStatus(
      200,
      await server.call("PATCH", `/tools/${name}`, source("console")),
    );
    await writeFile(path, text.replace('"version": 2', `"version": ${edited.body.version}`));
    await ada.write(tool, "three");
    const { code, stderr } = await ada.run(["push", tool]);
    expect(code).toBe(5);
    expect(stderr).toContain("changed on both sides");
    expect(await live(name)).toBe("console");
  });
});

describe("a new tool", () => {
  test("is created once by two clones that push it at the same time", async () => {
    await commit("one");
    const ben = await cloneProject(server, origin);
    const arrived: (() => void)[] = [];
    const proxy = await startProxy(server.baseUrl, {
      before: async ({ method }) => {
        if (method !== "POST") return;
        await new Promise<void>((resolve) => {
          arrived.push(resolve);
          if (arrived.length >= 2) for (const release of arrived) release();
        });
      },
    });
    const env = { TOOLHOST_URL: proxy.url };
    const [first, second] = await Promise.all([
      ada.json(["push"], { env }),
      ben.json(["push"], { env }),
    ]);
    await proxy.close();
    const name = await nameOf();
    expect([first.results[0].name, second.results[0].name]).toEqual([name, name]);
  });

  test("is created again after it was archived, with the same content", async () => {
    await commit("one");
    await jobPasses();
    const name = await nameOf();
    await ada.remove(tool);
    await ada.commit({ withLock: false });
    await jobPasses();
    expect(await toolsOf()).toEqual([]);
    await commit("one");
    await jobPasses();
    expect(await nameOf()).not.toBe(name);
  });

  test("is created once if the request of a killed push arrives late", async () => {
    await commit("one");
    let late: { headers: IncomingHttpHeaders; body: string } | undefined;
    const proxy = await startProxy(server.baseUrl, {
      before: async (request) => {
        if (request.method !== "POST") return;
        const body = Buffer.concat(await request.toArray()).toString();
        late = { headers: request.headers, body };
        running.child.kill("SIGKILL");
        throw new Error("The request is delayed.");
      },
    });
    const running = ada.start(["push"], { env: { TOOLHOST_URL: proxy.url } });
    expect((await running.result).code).toBeNull();
    await proxy.close();
    const env = { TOOLHOST_URL: proxy.url };
    await ada.write(tool, "two");
    // The journal belongs to the address.
    const again = await startProxy(server.baseUrl, {}, Number(new URL(proxy.url).port));
    await ada.json(["push"], { env });
    await again.close();
    const answer = await fetch(`${server.baseUrl}/api/v1/tools`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: String(late?.headers.authorization),
        "idempotency-key": String(late?.headers["idempotency-key"]),
      },
      body: late?.body ?? "",
    });
    expect(answer.status).toBe(201);
    expect(await live(await nameOf())).toBe("two");
  });
});

describe("push of another repository", () => {
  test("does not take over a tool with the same title and content", async () => {
    const head = await commit("same");
    await jobPasses();
    const name = await nameOf();
    const other = await cloneProject(server, await createOrigin(server));
    await other.write(tool, "same");
    await other.commit();
    const { code, stdout, stderr } = await other.run(["push"]);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain("skipped");
    expect(await publishedOf(name)).toMatchObject({ commit: head });
    await commit("next");
    await jobPasses();
    expect(await live(name)).toBe("next");
    expect((await other.run(["push"])).code).toBe(5);
    await other.json(["push", tool, "--new"]);
    expect(await toolsOf()).toHaveLength(2);
    expect(await live(name)).toBe("next");
  });
});
