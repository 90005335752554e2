import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBrowser } from "#testing/oauth-client";
import type { Browser } from "#testing/oauth-client";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let test: TestService;
let browser: Browser;
beforeAll(async () => {
  test = await startTestService();
  browser = createBrowser(test);
});
afterAll(() => test.stop());

const makeTool = (name: string) =>
  test.makeTool(`export default (_, ctx) => ({ has: ctx.credentials.${name} !== undefined })`, {
    allowedHosts: ["api.example.com", "b.example.com"],
    credentials: [{ name, description: "A <b>key</b>", hosts: ["api.example.com"] }],
  });
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
    expect(await saved.text()).toContain("is saved");
    expect((await run(tool)).body.output).toEqual({ has: true });
    const again = await browser.post("/credentials", { ...form, value: "another-secret" });
    expect(again.status).toBe(422);
    const told = await again.text();
    expect(told).toContain("already");
    expect(told).not.toContain("another-secret");
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
    const fields = fieldsOf(text);
    const stale = await browser.post("/approvals", { ...fields, version: "1" });
    expect(stale.status).toBe(409);
    expect((await run(tool)).status).toBe(422);
    expect((await browser.post("/approvals", fields)).status).toBe(200);
    expect((await run(tool)).body.status).toBe("completed");
    expect(await (await browser.get(connectUrl)).text()).toContain("nothing left");
  });
});
