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

describe("the page of a missing credential", () => {
  it("is where the refusal leads, after signing in, and lets the tool run", async () => {
    const tool = await makeTool("PAGE_KEY");
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
    expect(text).toContain("This workspace");
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
    expect(await wrong.text()).toContain("B must be a lower-case host");
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

  it("approves the version that was on it, in the same step", async () => {
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

  it("saves and approves nothing when the tool has changed since, and shows what it asks for now", async () => {
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

  it("lets code read the value only when that is ticked", async () => {
    const tool = await makeTool("OPEN_KEY", {}, true);
    const [{ connectUrl }] = (await run(tool)).body.missing;
    const text = await (await browser.get(connectUrl)).text();
    expect(text).toContain("code sees the value of OPEN_KEY");
    expect(text).not.toMatch(/name="exposable"[^>]*checked/);
    const form = { ...fieldsOf(text), value: "a-secret-value", hosts: "api.example.com" };
    await browser.post("/credentials", { ...form, owner: "user" });
    const [lack] = (await run(tool)).body.missing;
    expect(lack.reason).toBe("not_exposable");
    const page = await (await browser.get(lack.connectUrl)).text();
    expect(page).toContain("Let code read OPEN_KEY?");
    const foreign = { origin: "https://evil.example" };
    expect((await browser.post("/credentials/expose", fieldsOf(page), foreign)).status).toBe(403);
    expect((await browser.post("/credentials/expose", fieldsOf(page))).status).toBe(200);
    expect((await run(tool)).body.status).toBe("completed");
  });

  it("is not for a workspace that one does not belong to", async () => {
    const other = await test.addWorkspace();
    const page = await browser.get(`/credentials?connect=PAGE_KEY&workspace=${other}`);
    expect(page.status).toBe(404);
    const form = { name: "X_KEY", value: "a-secret", hosts: "a.example.com", workspace: other };
    expect((await browser.post("/credentials", form)).status).toBe(404);
    const stranger = createBrowser(test);
    expect((await stranger.post("/credentials", form)).status).toBe(403);
  });
});

describe("the page of an approval", () => {
  it("shows what is new and approves the version that was shown", async () => {
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
    expect(text).toContain("This workspace");
    expect(text).toContain("Approve Test tool?");
    const fields = fieldsOf(text);
    const stale = await browser.post("/approvals", { ...fields, version: "1" });
    expect(stale.status).toBe(409);
    expect((await run(tool)).status).toBe(422);
    expect((await browser.post("/approvals", fields)).status).toBe(200);
    expect((await run(tool)).body.status).toBe("completed");
    expect(await (await browser.get(connectUrl)).text()).toContain("nothing left");
  });

  it("takes no answer of somebody who signed in since, and saves nothing for them", async () => {
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
      expect(await answer.text()).toContain("Somebody else is signed in now");
    }
    const { body } = await person.call("GET", "/credentials");
    expect(body).toMatchObject([{ name: "OTHERS_KEY", exposable: false }]);
    const approvals = (await person.call("GET", `/tools/${tool}/approvals`)).body.approvals;
    expect(approvals.map(({ version }: { version: number | null }) => version)).toEqual([
      null,
      null,
    ]);
  });

  it("shows names in reading order, whatever characters their authors put in", async () => {
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

  it("names the author and the workspace that a tool comes from", async () => {
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
  });

  it("of a draft approves the revision that was shown", async () => {
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
    expect((await browser.post("/approvals", fieldsOf(text))).status).toBe(200);
    expect((await runDraft()).body.output).toEqual({ ran: true });
  });
});
