import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeRegistry } from "#testing/fake-registry";
import type { FakeRegistry } from "#testing/fake-registry";
import { draftOf, startTestService } from "#testing/service";
import type { TestService } from "#testing/service";

let registry: FakeRegistry;
let test: TestService;
beforeAll(async () => {
  registry = await startFakeRegistry();
  for (const name of ["drip-1", "drip-2"]) {
    registry.addVersions(name, { "1.0.0": {} });
    registry.on(`/${name}/-/1.0.0.tgz`, (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("x"), 100);
      response.once("close", () => clearInterval(timer));
    });
  }
  test = await startTestService({ npm_config_registry: registry.url });
});
afterAll(async () => {
  await test.stop();
  await registry.close();
});

const builder = () => test.service.context.builder;

async function until(what: string, isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + 30_000;
  while (!isSo()) {
    if (performance.now() > endsAt) throw new Error(`It never came to pass: ${what}`);
    await sleep(10);
  }
}

function hostileDraft(name: string) {
  const code = `import value from "${name}"; export default () => value;`;
  return {
    ...draftOf(code),
    source: { language: "javascript", code, dependencies: { [name]: "1.0.0" } },
  };
}

/** Saves a tool, and can disconnect before the response. */
function ask(draft: object, workspace?: { apiKey: string }) {
  const leaving = new AbortController();
  const answer = fetch(`${test.baseUrl}/api/v1/tools`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${workspace?.apiKey ?? test.apiKey}`,
      "content-type": "application/json",
      "idempotency-key": randomUUID(),
    },
    body: JSON.stringify(draft),
    signal: leaving.signal,
  });
  answer.catch(() => {});
  return { answer, leave: () => leaving.abort() };
}

describe("slow build", () => {
  it("does not delay saving a tool without packages", async () => {
    const attacks = ["drip-1", "drip-2"].map((name) => ask(hostileDraft(name)));
    await until("both drip", () => builder().stats().packages.running === 2);
    const other = await test.addPerson(await test.addWorkspace(), "owner");
    for (let n = 0; n < 3; n++) {
      const { status } = await ask(draftOf(`export default () => ${n}`), other).answer;
      expect(status).toBe(201);
    }
    // The slow builds were running all the time.
    expect(builder().stats().packages.running).toBe(2);
    for (const { leave } of attacks) leave();
    await until("they end", () => builder().stats().packages.running === 0);
  });

  it("is cancelled when the client disconnects, even while queued", async () => {
    const attacks = Array.from({ length: 6 }, () => ask(hostileDraft("drip-1")));
    await until("some work and some wait", () => {
      const { running, queued } = builder().stats().packages;
      return running === 2 && queued === 4;
    });
    for (const { leave } of attacks) leave();
    await until("none is left", () => {
      const { running, queued } = builder().stats().packages;
      return running === 0 && queued === 0;
    });
    const { text } = await metrics();
    expect(text).toMatch(
      /toolhost_build_duration_seconds_count\{lane="packages",outcome="cancelled"\} [1-9]/,
    );
  });

  it(
    "is aborted when the registry responds too slowly",
    { timeout: 60_000, tags: ["nightly"] },
    async () => {
      const { answer } = ask(hostileDraft("drip-2"));
      const response = await answer;
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("30");
      expect(await response.json()).toMatchObject({
        code: "unavailable",
        detail: expect.stringContaining('did not return the package "drip-2"'),
      });
    },
  );
});

const metrics = async () => {
  const response = await fetch(`${test.baseUrl}/metrics`);
  return { text: await response.text() };
};

describe("builds", () => {
  it("increments the build metrics", async () => {
    expect((await ask(draftOf("export default () => 1")).answer).status).toBe(201);
    expect((await ask(draftOf("export defalt")).answer).status).toBe(400);
    const { text } = await metrics();
    for (const name of ["running", "queued"]) {
      for (const lane of ["plain", "packages"]) {
        expect(text).toMatch(new RegExp(`^toolhost_builds_${name}\\{lane="${lane}"\\} \\d+$`, "m"));
      }
    }
    for (const outcome of ["built", "refused"]) {
      expect(text).toMatch(new RegExp(`lane="plain",outcome="${outcome}"\\} [1-9]`));
    }
  });

  it("limits concurrent builds per workspace", async () => {
    const limited = await startTestService({
      npm_config_registry: registry.url,
      RATE_LIMIT_BUILDS_PER_MINUTE: "2",
    });
    try {
      const save = (n: number) =>
        limited.call("POST", "/tools", draftOf(`export default () => ${n}`));
      const tool = (await save(1)).body;
      expect((await save(2)).status).toBe(201);
      const refused = await save(3);
      expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(refused.body.detail).toContain("builds per minute for one workspace");
      // Requests without a build are not limited.
      const renamed = await limited.call("PATCH", `/tools/${tool.name}`, { title: "Another" });
      expect(renamed.status).toBe(200);
      const draft = (
        await limited.call("POST", "/drafts", { definition: draftOf("export default () => 4") })
      ).body;
      expect((await limited.call("POST", `/drafts/${draft.id}/run`, {})).status).toBe(429);
    } finally {
      await limited.stop();
    }
  });
});

describe("service without operating-system isolation", () => {
  it("builds tools with packages only on a loopback address", { timeout: 180_000 }, async () => {
    registry.add("harmless", { "index.js": "module.exports = 'harmless'" });
    const settings = { npm_config_registry: registry.url, SANDBOX_ISOLATION: "process" };
    const open = await startTestService({ ...settings, HOST: "0.0.0.0" });
    try {
      const refused = await open.call("POST", "/tools", hostileDraft("harmless"));
      expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" } });
      expect(refused.body.detail).toMatch(/npm packages.*SANDBOX_ISOLATION/);
      expect((await open.call("POST", "/tools", draftOf("export default () => 1"))).status).toBe(
        201,
      );
      const climbing = 'export default (n: string) => require("." + ("/../../" + n))';
      expect((await open.call("POST", "/tools", draftOf(climbing))).body.code).toBe("invalid_tool");
    } finally {
      await open.stop();
    }
    const local = await startTestService(settings);
    try {
      expect((await local.call("POST", "/tools", hostileDraft("harmless"))).status).toBe(201);
    } finally {
      await local.stop();
    }
  });
});
