import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proves } from "./src/proves.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { tamper } from "./src/tamper.ts";
import { verifyAudit } from "./src/verify-audit.ts";

let server: Server;
beforeAll(async () => {
  server = await startServer();
  const name = await server.makeTool("export default () => ({})");
  for (let count = 0; count < 5; count++) await server.run(name);
});
afterAll(() => server.stop());

const verify = () => verifyAudit(server.settings);

describe("the audit verifier", () => {
  test("verifies the chain while the service runs", proves("audit.verifier"), async () => {
    const { code, printed } = await verify();
    expect(printed).toMatch(
      new RegExp(`^workspace ${server.workspaceId}: \\d+ events, valid$`, "m"),
    );
    expect(code).toBe(0);
  });

  test("names the first broken link", proves("audit.verifier"), async () => {
    const { body } = await server.call("GET", "/audit-events?action=tool.create");
    const [{ sequence }] = body as [{ sequence: number }];
    await tamper(server, `update audit_events set outcome = 'forged' where sequence = ${sequence}`);
    const altered = await verify();
    expect(altered.printed).toMatch(
      new RegExp(`INVALID at event ${sequence} \\(ID [0-9a-f-]{36}\\): an event was altered`),
    );
    expect(altered.code).toBe(1);
    await tamper(server, `delete from audit_events where sequence = ${sequence}`);
    const deleted = new RegExp(`INVALID at event ${sequence} .*missing`);
    expect((await verify()).printed).toMatch(deleted);
  });
});
