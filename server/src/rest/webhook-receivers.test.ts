import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

const root = join(import.meta.dirname, "../../..");
const guide = readFileSync(join(root, "docs/connect/webhooks.md"), "utf8");
const hasPython = spawnSync("python3", ["--version"]).status === 0;

/** The code block of a language in the guide, with another port. */
function codeOf(language: string, port: number): string {
  const [, code = ""] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(guide) ?? [];
  expect(code).toContain("8080");
  return code.replace("8080", String(port));
}

async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("the receivers in the guide", () => {
  let test: TestService;
  let port: number;
  beforeAll(async () => {
    port = await findPort();
    test = await startTestService({ EGRESS_PRIVATE_HOSTS: `127.0.0.1:${port}` });
  });
  afterAll(() => test.stop());

  it.each([
    ["ts", process.execPath, ["--input-type=module-typescript", "--eval"]],
    ...(hasPython ? [["python", "python3", ["-c"]] as const] : []),
  ] as const)(
    "accepts genuine events and rejects forged ones (%s)",
    async (language, program, args) => {
      const url = `http://127.0.0.1:${port}/`;
      const created = (await test.callAsOwner("POST", "/webhooks", { url })).body;
      const child = spawn(program, [...args, codeOf(language, port)], {
        cwd: join(root, "server"),
        env: { ...process.env, WEBHOOK_SECRET: created.secret },
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      const post = (headers: Record<string, string>, body = "{}") =>
        fetch(url, { method: "POST", headers, body }).then(
          ({ status }) => status,
          () => undefined,
        );
      try {
        const forged = {
          "webhook-id": "1",
          "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
          "webhook-signature": "v1,AAAA",
        };
        await expect.poll(() => post(forged)).toBe(400);
        expect(await post({})).toBe(400);
        const path = `/webhooks/${created.id}`;
        const { body } = await test.callAsOwner("POST", `${path}/test`);
        expect(body).toMatchObject({ delivered: true, status: 204 });
        await test.callAsOwner("POST", `${path}/rotate-secret`);
        const after = await test.callAsOwner("POST", `${path}/test`);
        expect(after.body).toMatchObject({ delivered: true, status: 204 });
      } finally {
        child.kill("SIGKILL");
        await ended;
      }
    },
  );
});
