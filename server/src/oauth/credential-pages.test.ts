import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBrowser } from "#testing/oauth-client";
import type { Browser } from "#testing/oauth-client";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let browser: Browser;
beforeAll(async () => {
  test = await startTestService();
  browser = createBrowser(test);
});
afterAll(() => test.stop());

const makeTool = async (name: string, headers: Record<string, string> = {}, expose = false) => {
  const definition = {
    ...draftOf(`export default (_, ctx) => ({ has: ctx.credentials.${name} !== undefined })`),
    allowedHosts: ["api.example.com", "b.example.com"],
    credentials: [{ name, description: "A <b>key</b>", hosts: ["api.example.com"], expose }],
    visibility: "workspace",
  };
  const { status, body, text } = await test.call("POST", "/tools", definition, headers);
  if (status !== 201) throw new Error(text);
  return String(body.name);
};
const builderOf = async () => {
  const { apiKey } = await test.addPerson(test.workspaceId, "builder");
  return { authorization: `Bearer ${apiKey}` };
};
/** The workspace's name as escaped in a page. */
const workspaceNameOf = async (tool: string) => {
  const { body } = await test.call("GET", `/tools/${tool}/approvals`);
  return String(body.tool.workspace.name).replaceAll("'", "&#39;");
};
const run = (tool: string) => test.call("POST", `/run/${tool}`, {});
const fieldsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name ?? "",
      value ?? "",
    ]),
  );
const signIn = async (location: string) => {
  const next = new URL(location, test.baseUrl).searchParams.get("next") ?? "";
  const answer = await browser.post("/sign-in", { ...test.person, next });
  expect(answer.headers.get("location")).toBe(next);
  return next;
};

describe("the page for a missing credential", () => {
  it("opens from the error after sign-in, and lets the tool run", async () => {
    const tool = await makeTool("PAGE_KEY", await builderOf());
    const refused = await run(tool);
    const [{ connectUrl }] = refused.body.missing;
    const away = await browser.get(connectUrl);
    expect(away.status).toBe(303);
    const page = await browser.get(await signIn(away.headers.get("location") ?? ""));
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain("Add PAGE_KEY");
    expect(text).toContain("api.example.com</textarea>");
    expect(text).toContain("A &lt;b&gt;key&lt;/b&gt;");
    expect(text).toContain("This also approves version 1 of Test tool");
    expect(text).toContain("b.example.com");
    expect(text).toContain(`<dd>${await workspaceNameOf(tool)}</dd>`);
    expect(text).not.toContain("code sees the value of");
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    const form = {
      ...fieldsOf(text),
      value: "a-secret-value",
      hosts: "api.example.com",
      owner: "user",
    };
    const foreign = await browser.post("/credentials", form, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    const short = await browser.post("/credentials", { ...form, value: "x" });
    expect(short.status).toBe(422);
    expect(await short.text()).toContain("value");
    const wrong = await browser.post("/credentials", { ...form, hosts: "a.example.com B" });
    expect(await wrong.text()).toContain("B must be a lowercase host");
    const saved = await browser.post("/credentials", form);
    expect(saved.status).toBe(200);
    expect(await saved.text()).toContain(`Version 1 of ${tool} is approved`);
    expect((await run(tool)).body.output).toEqual({ has: true });
    const again = await browser.post("/credentials", { ...form, value: "another-secret" });
    expect(again.status).toBe(422);
    const told = await again.text();
    expect(told).toContain("already");
    expect(told).not.toContain("another-secret");
  });

  it("approves the version that it showed, in the same step", async () => {
    const asBuilder = await builderOf();
    const tool = await makeTool("STEP_KEY", asBuilder);
    const [{ connectUrl }] = (await run(tool)).body.missing;
    const text = await (await browser.get(connectUrl)).text();
    expect(text).toContain("Save and approve version 1");
    const form = { ...fieldsOf(text), value: "a-secret-value", hosts: "api.example.com" };
    expect((await browser.post("/credentials", { ...form, owner: "user" })).status).toBe(200);
    expect((await run(tool)).body.status).toBe("completed");
    const events = await test.call("GET", `/audit-events?target=${tool}&action=tool.approve`);
    expect(events.body[0]).toMatchObject({ details: { owner: "user", version: 1 } });
  });

  it("saves but approves nothing if the tool has changed, and shows the current request", async () => {
    const asBuilder = await builderOf();
    const tool = await makeTool("STALE_KEY", asBuilder);
    const [{ connectUrl }] = (await run(tool)).body.missing;
    const shown = await (await browser.get(connectUrl)).text();
    const patch = { allowedHosts: ["api.example.com", "collector.example.com"] };
    expect((await test.call("PATCH", `/tools/${tool}`, patch, asBuilder)).status).toBe(200);
    const form = { ...fieldsOf(shown), value: "a-secret-value", hosts: "api.example.com" };
    const saved = await (await browser.post("/credentials", { ...form, owner: "user" })).text();
    expect(saved).toContain("STALE_KEY is saved");
    expect(saved).toContain("nothing was approved");
    expect(saved).toContain("collector.example.com");
    expect((await run(tool)).body.missing).toMatchObject([{ reason: "not_approved" }]);
    expect((await browser.post("/approvals", fieldsOf(saved))).status).toBe(200);
    expect((await run(tool)).body.status).toBe("completed");
  });

  it("lets code read the value only if selected", async () => {
    const tool = await makeTool("OPEN_KEY", {}, true);
    const [{ connectUrl }] = (await run(tool)).body.missing;
    const text = await (await browser.get(connectUrl)).text();
    expect(text).toContain("Code that sees the value can send or show it");
    expect(text).not.toContain("This also approves");
    expect(text).not.toMatch(/name="exposable"[^>]*checked/);
    const form = { ...fieldsOf(text), value: "a-secret-value", hosts: "api.example.com" };
    const done = await browser.post("/credentials", { ...form, owner: "user" });
    const [lack] = (await run(tool)).body.missing;
    expect(await done.text()).toContain(`${lack.connectUrl.replaceAll("&", "&amp;")}">Let code`);
    expect(lack.reason).toBe("not_exposable");
    const page = await (await browser.get(lack.connectUrl)).text();
    expect(page).toContain("Let code read OPEN_KEY?");
    const foreign = { origin: "https://evil.example" };
    expect((await browser.post("/credentials/expose", fieldsOf(page), foreign)).status).toBe(403);
    expect((await browser.post("/credentials/expose", fieldsOf(page))).status).toBe(200);
    expect((await run(tool)).body.status).toBe("completed");
  });

  it("offers to let code read the value only if the tool requests it", async () => {
    const tool = await makeTool("PLAIN_KEY");
    const [{ connectUrl }] = (await run(tool)).body.missing;
    expect(await (await browser.get(connectUrl)).text()).not.toContain('name="exposable"');
  });

  it("fills in the hosts that a draft declares", async () => {
    const definition = {
      ...draftOf("export default () => ({})"),
      allowedHosts: ["api.example.com", "b.example.com"],
      credentials: [
        { name: "NARROW_KEY", hosts: ["b.example.com"], expose: true },
        { name: "WIDE_KEY", hosts: [] },
      ],
    };
    const { body: draft } = await test.call("POST", "/drafts", { definition });
    const { missing } = (await test.call("POST", `/drafts/${draft.id}/run`, {})).body;
    const [narrow, wide] = await Promise.all(
      missing.map(async ({ connectUrl }: { connectUrl: string }) =>
        (await browser.get(connectUrl)).text(),
      ),
    );
    expect(narrow).toContain("b.example.com</textarea>");
    expect(narrow).toContain('name="exposable"');
    expect(wide).toContain("\napi.example.com\nb.example.com</textarea>");
    expect(wide).not.toContain('name="exposable"');
    const form = { ...fieldsOf(narrow), value: "a-secret-value", hosts: "b.example.com" };
    const saved = await browser.post("/credentials", { ...form, owner: "user" });
    expect(await saved.text()).toContain("NARROW_KEY is saved");
  });

  it("shows and approves only the new requests of a version", async () => {
    const tool = await makeTool("FIRST_KEY");
    const first = { name: "FIRST_KEY", value: "a-secret-value", hosts: ["api.example.com"] };
    await test.call("POST", "/credentials", first);
    const credentials = [
      { name: "FIRST_KEY", description: "", hosts: ["api.example.com"] },
      { name: "OTHER_KEY", description: "", hosts: ["b.example.com"] },
    ];
    await test.call("PATCH", `/tools/${tool}`, { credentials }, await builderOf());
    const { missing } = (await run(tool)).body;
    const { connectUrl } = missing.find(({ name }: { name: string }) => name === "OTHER_KEY");
    const text = await (await browser.get(connectUrl)).text();
    expect(text).toContain("OTHER_KEY is sent to");
    expect(text).not.toContain("FIRST_KEY");
    expect(text).not.toContain("The tool connects to");
    const form = { ...fieldsOf(text), value: "a-secret-value", hosts: "b.example.com" };
    await browser.post("/credentials", { ...form, owner: "user" });
    expect((await run(tool)).body.status).toBe("completed");
  });

  it("responds 404 for a workspace of others", async () => {
    const other = await test.addWorkspace();
    const page = await browser.get(`/credentials?connect=PAGE_KEY&workspace=${other}`);
    expect(page.status).toBe(404);
    const form = { name: "X_KEY", value: "a-secret", hosts: "a.example.com", workspace: other };
    expect((await browser.post("/credentials", form)).status).toBe(404);
    const stranger = createBrowser(test);
    expect((await stranger.post("/credentials", form)).status).toBe(403);
  });
});

describe("the approval page", () => {
  it("shows the new access and approves the version that was shown", async () => {
    const tool = await makeTool("APPROVED_KEY");
    const draft = { name: "APPROVED_KEY", value: "a-secret-value", hosts: ["api.example.com"] };
    await test.call("POST", "/credentials", draft);
    expect((await run(tool)).body.status).toBe("completed");
    const builder = await test.addPerson(test.workspaceId, "builder");
    const headers = { authorization: `Bearer ${builder.apiKey}` };
    const patch = { allowedHosts: ["api.example.com", "collector.example.com"] };
    expect((await test.call("PATCH", `/tools/${tool}`, patch, headers)).status).toBe(200);
    const refused = await run(tool);
    const [{ connectUrl, reason }] = refused.body.missing;
    expect(reason).toBe("not_approved");
    const page = await browser.get(connectUrl);
    const text = await page.text();
    expect(text).toContain("collector.example.com");
    expect(text).toContain(`<dd>${await workspaceNameOf(tool)}</dd>`);
    expect(text).toContain("Approve Test tool?");
    const codePath = `/tools/${tool}?tab=`;
    expect(text).toContain(`href="${codePath}source&amp;workspace=${test.workspaceId}"`);
    expect(text).toContain(`href="${codePath}versions&amp;version=2&amp;with=1&amp;`);
    const fields = fieldsOf(text);
    const stale = await browser.post("/approvals", { ...fields, version: "1" });
    expect(stale.status).toBe(409);
    const [, reviewUrl] = /href="([^"]+)">Review the current/.exec(await stale.text()) ?? [];
    const live = await browser.get(String(reviewUrl).replaceAll("&amp;", "&"));
    expect(await live.text()).toContain("Approve version 2");
    const old = await browser.get(connectUrl.replace("approve=2", "approve=1"));
    expect(await old.text()).toContain(
      "Version 1 is not the live version. This page is about version 2.",
    );
    expect((await run(tool)).status).toBe(422);
    expect((await browser.post("/approvals", fields)).status).toBe(200);
    expect((await run(tool)).body.status).toBe("completed");
    expect(await (await browser.get(connectUrl)).text()).toContain("nothing left");
  });

  it("rejects a form after another user has signed in", async () => {
    const tool = await makeTool("OTHERS_KEY", await builderOf());
    const draft = { name: "OTHERS_KEY", value: "a-secret-value", hosts: ["api.example.com"] };
    expect((await test.call("POST", "/credentials", draft)).status).toBe(201);
    const [{ connectUrl }] = (await run(tool)).body.missing;
    const approval = fieldsOf(await (await browser.get(connectUrl)).text());
    const missing = await makeTool("LATER_KEY", await builderOf());
    const [{ connectUrl: addUrl }] = (await run(missing)).body.missing;
    const addition = fieldsOf(await (await browser.get(addUrl)).text());
    const exposing = `/credentials?expose=OTHERS_KEY&workspace=${test.workspaceId}`;
    const exposure = fieldsOf(await (await browser.get(exposing)).text());
    const person = await test.addSignedIn(test.workspaceId, "admin");
    expect((await person.call("POST", "/credentials", draft)).status).toBe(201);
    const other = createBrowser(test);
    await other.post("/sign-in", { email: person.email, password: person.password, next: "/" });
    const value = { value: "typed-by-the-first", hosts: "api.example.com", owner: "user" };
    const answers = [
      await other.post("/approvals", approval),
      await other.post("/credentials", { ...addition, ...value }),
      await other.post("/credentials/expose", exposure),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(403);
      expect(await answer.text()).toContain("Another user is signed in now");
    }
    const { body } = await person.call("GET", "/credentials");
    expect(body).toMatchObject([{ name: "OTHERS_KEY", exposable: false }]);
    const approvals = (await person.call("GET", `/tools/${tool}/approvals`)).body.approvals;
    expect(approvals.map(({ version }: { version: number | null }) => version)).toEqual([
      null,
      null,
    ]);
  });

  it("removes bidirectional control characters from names", async () => {
    const id = await test.addWorkspace();
    const author = { authorization: `Bearer ${(await test.addPerson(id, "owner")).apiKey}` };
    const tool = await makeTool("ODD_KEY", author);
    const named = { title: "Looks \u202eright\u2066", visibility: "public" };
    expect((await test.call("PATCH", `/tools/${tool}`, named, author)).status).toBe(200);
    await test.call("POST", `/tools/${tool}/install`);
    const draft = { name: "ODD_KEY", value: "a-secret-value", hosts: ["api.example.com"] };
    await test.call("POST", "/credentials", draft);
    const [{ connectUrl }] = (await run(tool)).body.missing;
    const text = await (await browser.get(connectUrl)).text();
    expect(text).toContain("Approve Looks right?");
    expect(text).not.toMatch(/\p{Bidi_Control}/u);
  });

  it("shows the author and the workspace of a tool", async () => {
    const id = await test.addWorkspace();
    const author = { authorization: `Bearer ${(await test.addPerson(id, "owner")).apiKey}` };
    const tool = await makeTool("FAR_KEY", author);
    await test.call("PATCH", `/tools/${tool}`, { visibility: "public" }, author);
    await test.call("POST", `/tools/${tool}/install`);
    const { body } = await test.call("GET", `/tools/${tool}/approvals`);
    const { tool: shown } = body;
    expect(shown).toMatchObject({
      name: tool,
      title: "Test tool",
      workspace: { id, isOwn: false },
    });
    expect(shown.author).not.toBe("");
    const draft = { name: "FAR_KEY", value: "a-secret-value", hosts: ["api.example.com"] };
    await test.call("POST", "/credentials", draft);
    const [{ connectUrl }] = (await run(tool)).body.missing;
    const text = await (await browser.get(connectUrl)).text();
    expect(text).toContain(`${shown.workspace.name} (another workspace)`);
    expect(text).toContain(shown.author);
    expect(text).not.toContain("View code");
  });

  it("lets code read the value in the same step, only if selected", async () => {
    const tool = await makeTool("READ_KEY", await builderOf(), true);
    const draft = { name: "READ_KEY", value: "a-secret-value", hosts: ["api.example.com"] };
    await test.call("POST", "/credentials", draft);
    const [{ connectUrl }] = (await run(tool)).body.missing;
    const text = await (await browser.get(connectUrl)).text();
    expect(text).toContain("sees the value of READ_KEY");
    expect(text).toContain('name="expose" value="READ_KEY"');
    const done = await (await browser.post("/approvals", fieldsOf(text))).text();
    expect(done).toContain("The tool still can&#39;t run");
    expect(done).toContain("Let code read READ_KEY");
    expect((await run(tool)).body.missing).toMatchObject([{ reason: "not_exposable" }]);
    await test.call("DELETE", `/tools/${tool}/approvals`);
    const withdrawn = await (await browser.get(connectUrl)).text();
    expect(withdrawn).toContain("Its approval was withdrawn");
    const ticked = { ...fieldsOf(withdrawn), expose: "READ_KEY" };
    const complete = await (await browser.post("/approvals", ticked)).text();
    expect(complete).not.toContain("still can&#39;t run");
    expect((await run(tool)).body.status).toBe("completed");
    const events = await test.call("GET", "/audit-events?action=credential.replace&limit=1");
    expect(events.body[0]).toMatchObject({ details: { name: "READ_KEY", exposable: true } });
    const { source } = (await test.call("GET", `/tools/${tool}`)).body;
    const patch = {
      source: { ...source, code: source.code.replace("has:", "changed: true, has:") },
    };
    await test.call("PATCH", `/tools/${tool}`, patch, await builderOf());
    const [lack] = (await run(tool)).body.missing;
    const again = await (await browser.get(lack.connectUrl)).text();
    expect(again).toMatch(/READ_KEY is sent to<\/dt>\s*<dd>api\.example\.com<\/dd>/);
  });

  it("changes no credential when the version is no longer live", async () => {
    const tool = await makeTool("KEPT_KEY", await builderOf(), true);
    const draft = { name: "KEPT_KEY", value: "a-secret-value", hosts: ["b.example.com"] };
    await test.call("POST", "/credentials", draft);
    const [{ connectUrl }] = (await run(tool)).body.missing;
    const fields = fieldsOf(await (await browser.get(connectUrl)).text());
    await test.call("PATCH", `/tools/${tool}`, { title: "Newer" });
    const more = { expose: "KEPT_KEY", host: "KEPT_KEY api.example.com" };
    expect((await browser.post("/approvals", { ...fields, ...more })).status).toBe(409);
    const { body } = await test.call("GET", "/credentials?limit=200");
    const kept = body.find(({ name }: { name: string }) => name === "KEPT_KEY");
    expect(kept).toMatchObject({ hosts: ["b.example.com"], exposable: false });
  });

  it("adds only requested hosts to the credential, in the same step", async () => {
    const tool = await makeTool("HOST_KEY");
    const draft = { name: "HOST_KEY", value: "a-secret-value", hosts: ["b.example.com"] };
    await test.call("POST", "/credentials", draft);
    const address = `/tools/${tool}?approve&owner=user`;
    const text = await (await browser.get(address)).text();
    expect(text).toContain("HOST_KEY can&#39;t be sent to api.example.com");
    const hosts = async (host: string) => {
      expect((await browser.post("/approvals", { ...fieldsOf(text), host })).status).toBe(200);
      const { body } = await test.call("GET", "/credentials?limit=200");
      return body.find(({ name }: { name: string }) => name === "HOST_KEY").hosts;
    };
    expect(await hosts("HOST_KEY evil.example.com")).toEqual(["b.example.com"]);
    expect(await hosts("HOST_KEY api.example.com")).toEqual(["b.example.com", "api.example.com"]);
    expect(await (await browser.get(address)).text()).toContain("nothing left");
  });

  it("offers no workspace credentials to people who cannot manage them", async () => {
    const asBuilder = await builderOf();
    const tool = await makeTool("TEAM_KEY", asBuilder, true);
    const draft = { name: "TEAM_KEY", value: "a-secret-value", hosts: ["b.example.com"] };
    await test.call("POST", "/credentials", { ...draft, owner: "workspace" });
    const member = await test.addSignedIn(test.workspaceId, "member");
    const other = createBrowser(test);
    await other.post("/sign-in", { email: member.email, password: member.password, next: "/" });
    const address = `/tools/${tool}?approve&owner=workspace&workspace=${test.workspaceId}`;
    const text = await (await other.get(address)).text();
    expect(text).toContain("TEAM_KEY can&#39;t be sent to api.example.com");
    expect(text).toContain("Only owners and admins can approve");
    expect(text).not.toContain('type="checkbox"');
    expect(text).not.toContain("<button");
  });

  it("approves the revision of a draft that it showed", async () => {
    const credential = { name: "DRAFT_KEY", value: "a-secret-value", hosts: ["api.example.com"] };
    await test.call("POST", "/credentials", credential);
    const scopes = ["mcp:read", "mcp:execute", "tools:write"];
    const { body: key } = await test.callAsOwner("POST", "/api-keys", { name: "Writer", scopes });
    const agent = { authorization: `Bearer ${key.key}` };
    const definition = {
      ...draftOf("export default () => ({ ran: true })"),
      allowedHosts: ["api.example.com"],
      credentials: [{ name: "DRAFT_KEY", hosts: ["api.example.com"] }],
    };
    const { body: draft } = await test.call("POST", "/drafts", { definition }, agent);
    const runDraft = () => test.call("POST", `/drafts/${draft.id}/run`, {});
    const [{ connectUrl }] = (await runDraft()).body.missing;
    const text = await (await browser.get(connectUrl)).text();
    expect(text).toContain("DRAFT_KEY");
    const stale = await browser.post("/approvals", { ...fieldsOf(text), revision: "7" });
    expect(stale.status).toBe(409);
    expect(await stale.text()).toContain(`href="/drafts/${draft.id}?approve=`);
    expect((await browser.post("/approvals", fieldsOf(text))).status).toBe(200);
    expect((await runDraft()).body.output).toEqual({ ran: true });
  });
});
