import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startMailbox } from "#testing/mailbox";
import type { Mailbox } from "#testing/mailbox";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let mailbox: Mailbox;
let test: TestService;
beforeAll(async () => {
  mailbox = await startMailbox("user", "pass word");
  test = await startTestService({ SMTP_URL: mailbox.url.replace("pass word", "pass%20word") });
});
afterAll(async () => {
  await test.stop();
  await mailbox.close();
});

type Headers = Record<string, string>;
const code = "export default () => ({});";
const needs = {
  credentials: [{ name: "API_KEY", description: "", hosts: ["api.example.com"] }],
  allowedHosts: ["api.example.com"],
};
const asPerson = async (role: string): Promise<Headers> => {
  const { apiKey } = await test.addPerson(test.workspaceId, role);
  return { authorization: `Bearer ${apiKey}` };
};
const ask = (name: string, headers: Headers) =>
  test.call("POST", `/tools/${name}/credential-requests`, undefined, headers);
const pending = async (headers?: Headers) =>
  (await test.call("GET", "/credential-requests", undefined, headers)).body as {
    tool: { name: string };
    missing: object[];
  }[];

describe("credential requests", () => {
  it("sends one email to admins, is shown to them, and ends when the credential is usable", async () => {
    const admin = await test.addSignedIn(test.workspaceId, "admin");
    const member = await asPerson("member");
    const other = await asPerson("member");
    const name = await test.makeTool(code, { title: "Weather report", ...needs });
    const asked = await ask(name, member);
    expect(asked.status).toBe(201);
    expect(asked.body.missing).toEqual([{ name: "API_KEY", reason: "missing" }]);
    const mail = await mailbox.next(admin.email);
    expect(mail).toContain("Weather report");
    expect(mail).toContain(name);
    expect((await ask(name, member)).body.id).toBe(asked.body.id);
    expect((await pending()).map(({ tool }) => tool.name)).toEqual([name]);
    expect(await pending(member)).toHaveLength(1);
    expect(await pending(other)).toEqual([]);
    const events = await test.call("GET", "/audit-events?action=credential.request");
    expect(events.body).toHaveLength(1);
    expect(events.body[0]).toMatchObject({ target: name });

    const credential = { name: "API_KEY", value: "secret-value", hosts: ["api.example.com"] };
    const approve = { tool: name, version: 1 };
    const added = { ...credential, owner: "workspace", approve };
    expect((await test.call("POST", "/credentials", added)).status).toBe(201);
    expect(await pending(member)).toEqual([]);
    expect(await pending()).toEqual([]);
    const again = await ask(name, member);
    expect([again.status, again.body.code]).toEqual([400, "invalid_request"]);
  });

  it("refuses private tools, unknown tools, and more than ten a day", async () => {
    const builder = await asPerson("builder");
    const own = { title: "Own", ...needs, visibility: "private" };
    const source = { language: "typescript", code };
    const credentials = [{ name: "OTHER_KEY", description: "", hosts: ["api.example.com"] }];
    const body = { ...own, description: "x", inputSchema: { type: "object" }, source, credentials };
    const { name } = (await test.call("POST", "/tools", body, builder)).body;
    expect((await ask(name, builder)).body.code).toBe("forbidden");
    expect((await ask("none_0000", builder)).body.code).toBe("tool_not_found");
    expect((await ask(name, await asPerson("viewer"))).body.code).toBe("insufficient_scope");
    const codes: unknown[] = [];
    for (let count = 0; count < 11; count++) {
      const tool = await test.makeTool(code, { ...needs, credentials });
      codes.push((await ask(tool, builder)).body.code);
    }
    expect(codes.filter((one) => one === undefined)).toHaveLength(10);
    expect(codes.at(-1)).toBe("quota_exceeded");
  });
});
