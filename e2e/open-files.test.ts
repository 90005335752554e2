import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { dialect } from "./src/database.ts";
import { descendantsOf, isSandboxProcess } from "./src/processes.ts";
import { proves } from "./src/proves.ts";
import { startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";
import { spawnService } from "./src/service-process.ts";

const canLimit = existsSync("/usr/bin/prlimit") && existsSync("/proc/self/fd");

describe.skipIf(dialect !== "sqlite" || !canLimit)("with a low limit of open files", () => {
  let server: Server;
  const sockets: Socket[] = [];
  const upstream = createServer(
    (_request, response) => void setTimeout(() => response.end("ok"), 200),
  );
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server?.stop();
    upstream.closeAllConnections();
    upstream.close();
  });

  const limitTo = (count: number) => ["prlimit", `--nofile=${count}:${count}`];
  const countOpen = () => readdirSync(`/proc/${server.process.pid}/fd`).length;

  test("runs tools within a hard limit of 1,024", proves("start.open_files"), async () => {
    await new Promise<void>((resolve) => {
      upstream.listen(0, "127.0.0.1", resolve);
    });
    const { port } = upstream.address() as AddressInfo;
    const host = `http://127.0.0.1:${port}`;
    server = await startServer(
      { EGRESS_PRIVATE_HOSTS: `127.0.0.1:${port}` },
      { launcher: limitTo(1_024) },
    );
    expect(server.process.printed().stdout).not.toContain("NOT READY");
    expect(server.process.printed().stderr).toContain("may open only 1024 files");
    const code = `export default async ({ url }) => {
      const all = Array.from({ length: 20 }, () => fetch(url).then((response) => response.text()));
      return { answers: (await Promise.all(all)).filter((text) => text === "ok").length };
    }`;
    const tool = await server.makeTool(code, { allowedHosts: [host] });
    const limits = descendantsOf(server.process.pid)
      .filter(isSandboxProcess)
      .map(
        ({ pid }) =>
          /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, "utf8"))?.[1],
      );
    expect(new Set(limits)).toEqual(new Set(["1024"]));

    // Nearly as many connections as clients may have, and runs that fill every sandbox process.
    const { hostname, port: ownPort } = new URL(server.baseUrl);
    for (let count = 0; count < 200; count++) {
      sockets.push(connect(Number(ownPort), hostname).on("error", () => undefined));
    }
    let maxOpen = 0;
    const timer = setInterval(() => (maxOpen = Math.max(maxOpen, countOpen())), 20);
    const runs = Array.from({ length: 40 }, () => server.run(tool, { url: host }));
    const answers = await Promise.all(runs).finally(() => clearInterval(timer));
    for (const { body } of answers) {
      expect(body).toMatchObject({ status: "completed", output: { answers: 20 } });
    }
    expect(maxOpen).toBeGreaterThan(300);
    expect(maxOpen).toBeLessThan(1_000);
  });

  test(
    "refuses to start below the minimum, and says what to do",
    proves("start.open_files"),
    async () => {
      server = await startServer();
      await server.end("SIGTERM");
      const service = spawnService(server.workDir, server.settings, limitTo(256));
      const { code, stderr } = await service.exited;
      expect(code).toBe(1);
      expect(stderr).toMatch(/^The service may open only 256 files, but needs 768\. Raise .*\n$/);
    },
  );
});
