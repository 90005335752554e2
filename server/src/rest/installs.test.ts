import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
/** A builder in another workspace. */
let other: { id: string; userId: string; key: Record<string, string> };
beforeAll(async () => {
  test = await startTestService();
  const id = await test.addWorkspace();
  const person = await test.addPerson(id, "builder");
  other = { id, userId: person.userId, key: bearer(person.apiKey) };
});
afterAll(() => test.stop());

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const code = "export default async (input, ctx) => ({ run: ctx.runId })";
const asOther = (method: string, path: string, body?: unknown) =>
  test.call(method, path, body, other.key);
const publish = (title: string) =>
  test.makeTool(code, {
    visibility: "public",
    title,
    description: `${title} for everyone.`,
    allowedHosts: ["api.example.com"],
  });
const names = ({ body }: { body: { name: string }[] }) => body.map(({ name }) => name);

async function search(words: string): Promise<string[]> {
  const { body } = await asOther("GET", `/skills/search?q=${encodeURIComponent(words)}`);
  const [found] = body.results as { matches: { name: string }[] }[];
  return (found?.matches ?? []).map(({ name }) => name);
}

describe("public tool", () => {
  it("is listed in the catalog, and unavailable elsewhere until installed", async () => {
    const name = await publish("Compass");
    const catalog = await asOther("GET", "/tools?catalog=public&q=compass");
    const { user, workspace } = (await test.callAsOwner("GET", "/me")).body;
    expect(catalog.body).toMatchObject([
      {
        name,
        installed: false,
        visibility: "public",
        allowedHosts: ["api.example.com"],
        publisher: { author: user.name, workspace: workspace.name },
      },
    ]);
    expect(catalog.text).not.toContain("ctx.runId");
    const own = await test.call("GET", "/tools?catalog=public&q=compass");
    expect(own.body).toMatchObject([{ name, mine: true }]);
    expect(own.body[0].installed).toBeUndefined();
    expect(names(await asOther("GET", "/tools"))).not.toContain(name);
    for (const path of [`/tools/${name}`, `/skill/${name}`]) {
      expect((await asOther("GET", path)).status).toBe(404);
    }
    expect((await asOther("POST", `/run/${name}`, {})).status).toBe(404);
    expect(await search("compass")).toEqual([]);
  });

  it("becomes searchable, documented and runnable once installed, without its code", async () => {
    const name = await publish("Barometer");
    const installed = await asOther("POST", `/tools/${name}/install`);
    expect(installed.status).toBe(200);
    expect(installed.body).toMatchObject({ name, installed: true });
    expect((await asOther("POST", `/tools/${name}/install`)).status).toBe(200);
    expect(names(await asOther("GET", "/tools"))).toContain(name);
    expect(await search("barometer")).toContain(name);
    expect((await asOther("GET", `/skill/${name}`)).status).toBe(200);
    const detail = await asOther("GET", `/tools/${name}`);
    expect(detail.body).toMatchObject({ name, installed: true });
    expect(detail.body.source).toBeUndefined();
    expect(detail.text).not.toContain("ctx.runId");
    const run = await asOther("POST", `/run/${name}`, {});
    expect(run.body.status).toBe("completed");
    expect((await asOther("GET", `/runs/${run.body.runId}`)).status).toBe(200);
    expect((await test.call("GET", `/runs/${run.body.runId}`)).status).toBe(404);
    const catalog = await asOther("GET", "/tools?catalog=public&q=barometer");
    expect(catalog.body).toMatchObject([{ name, installed: true }]);
  });

  it("is listed by origin: own, shared and installed", async () => {
    const installed = await publish("Plumb line");
    await asOther("POST", `/tools/${installed}/install`);
    const draft = draftOf(code);
    const { body: mine } = await asOther("POST", "/tools", { ...draft, title: "My plumb line" });
    const colleague = await test.addPerson(other.id, "builder");
    const asColleague = bearer(colleague.apiKey);
    const shared = { ...draft, title: "Their plumb line" };
    const { body: theirs } = await test.call("POST", "/tools", shared, asColleague);
    const hidden = { ...draft, title: "Hidden plumb line", visibility: "private" };
    await test.call("POST", "/tools", hidden, asColleague);
    for (const filter of ["", "&q=plumb+line"]) {
      const list = (origin: string) => asOther("GET", `/tools?origin=${origin}${filter}`);
      expect(names(await list("mine"))).toEqual([mine.name]);
      expect(names(await list("shared"))).toEqual([theirs.name]);
      expect(names(await list("installed"))).toContain(installed);
      expect(names(await list("installed"))).not.toContain(mine.name);
    }
    expect((await asOther("GET", `/tools/${mine.name}`)).body.mine).toBe(true);
    expect((await asOther("GET", `/tools/${theirs.name}`)).body.mine).toBeUndefined();
    expect((await asOther("GET", "/tools?origin=all")).status).toBe(400);
  });

  it("accepts edits by its author, which the installing workspace receives once it accepts the update", async () => {
    const name = await publish("Sextant");
    await asOther("POST", `/tools/${name}/install`);
    expect(await search("sextant")).toContain(name);
    const refused = [
      await asOther("PATCH", `/tools/${name}`, { title: "Mine" }),
      await asOther("DELETE", `/tools/${name}`),
      await asOther("GET", `/tools/${name}/versions`),
      await asOther("POST", `/tools/${name}/versions/1/restore`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const change = { title: "Astrolabe", description: "Measures stars." };
    expect((await test.call("PATCH", `/tools/${name}`, change)).status).toBe(200);
    expect(await search("astrolabe")).not.toContain(name);
    const versionOfRun = async () => {
      const run = await asOther("POST", `/run/${name}`, {});
      return (await asOther("GET", `/runs/${run.body.runId}`)).body.toolVersion as number;
    };
    expect(await versionOfRun()).toBe(1);
    await asOther("POST", `/tools/${name}/install/update`, { version: 2 });
    expect(await search("astrolabe")).toContain(name);
    expect(await versionOfRun()).toBe(2);
  });

  it.each([
    ["archives it", (name: string) => test.call("DELETE", `/tools/${name}`)],
    [
      "makes it private",
      (name: string) => test.call("PATCH", `/tools/${name}`, { visibility: "private" }),
    ],
    [
      "limits it to the workspace",
      (name: string) => test.call("PATCH", `/tools/${name}`, { visibility: "workspace" }),
    ],
  ])("returns tool_not_found with the reason when its author %s", async (_, end) => {
    const name = await publish("Chronometer");
    await asOther("POST", `/tools/${name}/install`);
    expect(await search("chronometer")).toContain(name);
    expect((await end(name)).status).toBeLessThan(300);
    const refused = await asOther("POST", `/run/${name}`, {});
    expect(refused.status).toBe(404);
    expect(refused.body).toMatchObject({ code: "tool_not_found" });
    expect(refused.body.detail).toContain("no longer shares it");
    expect((await asOther("GET", `/tools/${name}`)).status).toBe(404);
    expect(names(await asOther("GET", "/tools"))).not.toContain(name);
    expect(await search("chronometer")).not.toContain(name);
    expect((await asOther("DELETE", `/tools/${name}/install`)).status).toBe(204);
    const later = await asOther("POST", `/run/${name}`, {});
    expect(later.body.detail).not.toContain("no longer shares it");
  });

  it("requires the builder role to be uninstalled", async () => {
    const name = await publish("Altimeter");
    const viewer = bearer((await test.addPerson(other.id, "member")).apiKey);
    const refused = await test.call("POST", `/tools/${name}/install`, undefined, viewer);
    expect(refused.status).toBe(403);
    await asOther("POST", `/tools/${name}/install`);
    expect((await test.call("POST", `/run/${name}`, {}, viewer)).status).toBe(200);
    const remove = `/tools/${name}/install`;
    expect((await test.call("DELETE", remove, undefined, viewer)).status).toBe(403);
    expect((await asOther("DELETE", remove)).status).toBe(204);
    expect((await asOther("DELETE", remove)).status).toBe(404);
    expect(await search("altimeter")).toEqual([]);
    expect((await asOther("POST", `/run/${name}`, {})).status).toBe(404);
  });

  it("rejects an installation in its own workspace, or when not public", async () => {
    const name = await publish("Hygrometer");
    expect((await test.call("POST", `/tools/${name}/install`)).status).toBe(400);
    for (const visibility of ["private", "workspace"] as const) {
      const hidden = await test.makeTool(code, { visibility });
      expect((await asOther("POST", `/tools/${hidden}/install`)).status).toBe(404);
    }
    expect((await asOther("POST", "/tools/%00/install")).status).toBe(404);
  });
});

describe("tool of a workspace", () => {
  it("accepts edits by all builders, and visibility changes by its author and admins", async () => {
    const id = await test.addWorkspace();
    const [author, builder, admin] = await Promise.all(
      ["builder", "builder", "admin"].map(async (role) => {
        const { apiKey } = await test.addPerson(id, role);
        return (method: string, path: string, body?: unknown) =>
          test.call(method, path, body, bearer(apiKey));
      }),
    );
    if (author === undefined || builder === undefined || admin === undefined) throw new Error();
    const make = async (visibility: string) =>
      String((await author("POST", "/tools", { ...draftOf(code), visibility })).body.name);
    const shared = `/tools/${await make("workspace")}`;
    expect((await builder("PATCH", shared, { title: "Better" })).status).toBe(200);
    for (const visibility of ["private", "public"]) {
      expect((await builder("PATCH", shared, { visibility })).status).toBe(403);
    }
    expect((await builder("DELETE", shared)).status).toBe(403);
    expect((await admin("PATCH", shared, { visibility: "private" })).status).toBe(403);
    expect((await admin("PATCH", shared, { visibility: "public" })).status).toBe(200);
    expect((await admin("DELETE", shared)).status).toBe(204);
    const hidden = `/tools/${await make("private")}`;
    for (const someone of [builder, admin]) {
      expect((await someone("GET", hidden)).status).toBe(404);
      expect((await someone("PATCH", hidden, { title: "Seen" })).status).toBe(404);
      expect((await someone("DELETE", hidden)).status).toBe(404);
    }
    expect((await author("DELETE", hidden)).status).toBe(204);
  });
});
