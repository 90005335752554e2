import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hardening, startContainer } from "./src/container.ts";
import type { Container } from "./src/container.ts";
import { createCall } from "./src/http.ts";
import type { Call } from "./src/http.ts";
import { buildImage, hasPodman, image, prepareRootless, rootful, ulimits } from "./src/podman.ts";
import type { Podman } from "./src/podman.ts";
import { expectStatus } from "./src/server.ts";
import { until } from "./src/until.ts";

if (!hasPodman) {
  process.stderr.write(
    "Skipping the tests of the container: they need root, podman, runc, uidmap and debootstrap.\n",
  );
}

const root = join(import.meta.dirname, "..");
/** A folder that every user can read, with the seccomp profile and one that prevents namespaces as Docker's does. */
let folder: string;
let seccomp: string;
let dockerLike: string;

type Profile = { syscalls: { names: string[] }[] };

/** `clone` without the flag of any namespace. */
const plainClone = {
  names: ["clone"],
  action: "SCMP_ACT_ALLOW",
  args: [{ index: 0, value: 0x7e020000, valueTwo: 0, op: "SCMP_CMP_MASKED_EQ" }],
};

describe.skipIf(!hasPodman)("the container", { timeout: 300_000 }, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "toolhost-seccomp-"));
    seccomp = join(folder, "seccomp.json");
    dockerLike = join(folder, "docker-like.json");
    const source = join(root, "deploy/seccomp.json");
    const profile = JSON.parse(await readFile(source, "utf8")) as Profile;
    await copyFile(source, seccomp);
    const others = profile.syscalls.filter(({ names }) => !names.includes("unshare"));
    await writeFile(dockerLike, JSON.stringify({ ...profile, syscalls: [...others, plainClone] }));
    await promisify(execFile)("chmod", ["-R", "a+rX", folder]);
    await buildImage();
  }, 1_800_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await rootful("image", "rm", "--force", image);
  });

  describe.each(["rootful", "rootless"])("started by %s podman", (kind) => {
    let podman: Podman = rootful;
    let removeUser: (() => Promise<void>) | undefined;
    let container: Container;
    let call: Call;
    let tool: string;

    beforeAll(async () => {
      if (kind === "rootless") {
        const rootless = await prepareRootless();
        ({ podman } = rootless);
        removeUser = rootless.remove;
      }
      container = await startContainer(podman, seccomp);
      const firstRun = JSON.parse(await container.exec("cat", "/data/first-run.json")) as {
        apiKey: string;
      };
      call = createCall(
        () => container.baseUrl,
        () => ({ authorization: `Bearer ${firstRun.apiKey}` }),
      );
      const { body } = expectStatus(200, await call("GET", "/tools"));
      const names = (body as { name: string }[]).map(({ name }) => name);
      tool = names.find((name) => name.startsWith("text_statistics")) ?? "";
    }, 600_000);
    afterAll(async () => {
      await container?.remove();
      await removeUser?.();
    });

    test("has the command toolhost", async () => {
      expect(await container.exec("toolhost", "audit:verify")).toContain("valid");
    });

    test("isolates tools with bubblewrap", async () => {
      await until(
        "the service is ready",
        60_000,
        async () => (await container.ready()).status === 200,
      );
      expect((await container.ready()).body).toMatchObject({ sandbox: { layer: "bwrap" } });
    });

    test("runs a tool", async () => {
      const run = expectStatus(200, await call("POST", `/run/${tool}`, { text: "Two words." }));
      expect(run.body).toMatchObject({ status: "completed", output: { words: 2 } });
    });

    test("has no privileges and a read-only root", async () => {
      const status = await container.exec("cat", "/proc/1/status");
      expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
      expect(status).toMatch(/^CapBnd:\t0+$/m);
      expect(status).toMatch(/^CapEff:\t0+$/m);
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      expect(status).toMatch(/^Seccomp:\t2$/m);
      await expect(container.exec("touch", "/app/file")).rejects.toThrow("Read-only file system");
    });

    test("passes its health check", async () => {
      const check = ["node", "deploy/healthcheck.mjs"];
      await container.exec(...check);
      await expect(container.exec("env", "PORT=1", ...check)).rejects.toMatchObject({ code: 1 });
    });

    test("leaves no process behind that was not reaped", async () => {
      const [kill, list] = [
        "for p in /proc/[0-9]*; do grep -qs workerd $p/comm && kill -KILL ${p#/proc/}; done; true",
        "grep -ls '^State:.Z' /proc/[0-9]*/status || true",
      ];
      await container.exec("sh", "-c", kill);
      expectStatus(200, await call("POST", `/run/${tool}`, { text: "Again." }));
      await until(
        "processes are reaped",
        20_000,
        async () => (await container.exec("sh", "-c", list)) === "",
      );
    });

    test("exits with 0 after SIGTERM", async () => {
      expect(await container.stop()).toBe(0);
    });
  });

  test("runs no tool with a seccomp profile that prevents namespaces", async () => {
    const container = await startContainer(rootful, dockerLike);
    try {
      expect(await container.ready()).toMatchObject({
        status: 503,
        body: { sandbox: { ready: false } },
      });
      expect(await container.log()).toContain("Sandbox: NOT READY");
    } finally {
      await container.remove();
    }
  });

  test("withstands hostile tools", { timeout: 900_000 }, async () => {
    const options = [
      "--rm",
      "--no-healthcheck",
      "--network=host",
      "--env=HOME=/tmp",
      "--env=NODE_ENV=test",
      "--env=ESCAPE_ISOLATION=bwrap",
      "--workdir=/repository",
      `--volume=${root}:/repository:ro`,
      ...ulimits,
      ...hardening(seccomp),
    ];
    const vitest = ["node_modules/vitest/vitest.mjs", "run", "--configLoader=native"];
    const tests = ["--project=sandbox", "sandbox/escape"];
    const output = await rootful("run", ...options, image, "node", ...vitest, ...tests);
    expect(output).toMatch(/Test Files.*1 passed/);
  });
});
