import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hostileTools } from "@toolhost/sandbox/escape";
import { startFakeRegistry } from "./src/fake-registry.ts";
import type { FakeRegistry, PackageFiles } from "./src/fake-registry.ts";
import { proves } from "./src/proves.ts";
import { draftOf, expectStatus, startServer } from "./src/server.ts";
import type { Server } from "./src/server.ts";

/** The declaration of a tool that attacks the build or the service. */
type Declared = {
  tries: string;
  blockedBecause: string;
  /** Packages for the registry: manifest and files by name. */
  packages?: Record<string, { manifest?: object; files: PackageFiles }>;
  /** The error that saving it returns. Without one, saving succeeds. */
  refused?: string;
  /** Whether saving may also succeed; its run then ends as declared. */
  mayBeSaved?: boolean;
  /** How its run ends; texts are regular expressions. */
  ends?: { says: string } | { code: string; message?: string };
  /** Whether it has the credential `KEY`. */
  hasKey?: boolean;
  absent?: string[];
};

/** Must not occur in any response: the content of files of this machine, and the credential. */
const SECRETS = /hunter2|root:x:/;
/** Must not occur in an error of a build: paths of this machine or of the jail. */
const PLACES = /\.so\b|ld-linux|script\.cjs|x86_64|\/(?:etc|usr|proc|tmp|home|root)\/(?!passwd)/;
/** Placeholders in the code of tools for texts that are too long or not allowed there. */
const IN_CODE: Record<string, () => string> = {
  DEEPLY_NESTED: () => `${"!".repeat(500_000)}1`,
  FULL_OF_IMPORTS: () => "import(/*".repeat(50_000),
};
const IN_PACKAGES: Record<string, () => string> = {
  IMPORTS_IN_TEXT: () => "import(//".repeat(1_000_000),
  DEEPLY_NESTED: () => `${"(".repeat(500_000)}1${")".repeat(500_000)}`,
  VERY_LONG: () => "x".repeat(2_000_000),
  LOAD: () => "import",
  SEARCHES: () => {
    const up = Array.from({ length: 60 }, (_, at) => "../".repeat(at + 1));
    const patterns = up.map((path) => `require("./${path}" + n + "/" + n + ".js")`);
    return `module.exports = (n) => [${patterns.join(", ")}];`;
  },
};

const KEY = "hunter2-is-the-key";

let server: Server;
let registry: FakeRegistry;
let host: { address: string; close(): void };
beforeAll(async () => {
  [registry, host] = await Promise.all([startFakeRegistry(), startEcho()]);
  server = await startServer({
    npm_config_registry: registry.url,
    EGRESS_PRIVATE_HOSTS: host.address,
    BUNDLE_MAX_BYTES: "1000000",
  });
  // Files that a tool could try to read, next to the service and its data.
  for (const folder of [server.workDir, server.dataDir]) {
    writeFileSync(join(folder, "secret.json"), '{ "password": "hunter2" }');
    writeFileSync(join(folder, "secret.js"), 'export default "hunter2"');
  }
  const key = { name: "KEY", value: KEY, owner: "user", hosts: [`http://${host.address}`] };
  expectStatus(201, await server.call("POST", "/credentials", key));
});
afterAll(async () => {
  await server?.stop();
  registry?.close();
  host?.close();
});

async function startEcho(): Promise<{ address: string; close(): void }> {
  const http = createServer((request, response) => {
    response.end(JSON.stringify(request.headers));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const address = http.address();
  if (typeof address !== "object" || address === null) throw new Error("It does not listen");
  return { address: `127.0.0.1:${address.port}`, close: () => http.close() };
}

function written(text: string, words: Record<string, () => string>): string {
  return Object.entries(words).reduce((all, [word, long]) => all.replace(word, long), text);
}

/** Saves a tool unchanged, with the packages that it declares. */
async function save(code: string, { packages = {}, hasKey }: Declared) {
  for (const [name, { manifest = {}, files }] of Object.entries(packages)) {
    const text = JSON.stringify(manifest).replaceAll("{registry}", registry.url);
    const long = Object.entries(files).map(([path, content]) => [
      path,
      written(content, IN_PACKAGES),
    ]);
    registry.add(name, JSON.parse(text) as object, Object.fromEntries(long) as PackageFiles);
  }
  const [first] = Object.keys(packages);
  const dependencies = first === undefined ? {} : { dependencies: { [first]: "1.0.0" } };
  const hosts = [`http://${host.address}`];
  return server.call("POST", "/tools", {
    ...draftOf(code),
    source: { language: "javascript", code: written(code, IN_CODE), ...dependencies },
    allowedHosts: hosts,
    ...(hasKey === true ? { credentials: [{ name: "KEY", description: "A key.", hosts }] } : {}),
  });
}

/** Checks that the attacked service still saves and runs a harmless tool. */
async function expectHealth(): Promise<void> {
  const tool = await server.makeTool('export default () => ({ is: "well" })');
  const { body } = expectStatus(200, await server.run(tool));
  expect(body).toMatchObject({ status: "completed", output: { is: "well" } });
}

/** All texts that the service returns for a run. */
async function shownOf(runId: string): Promise<string> {
  const paths = [
    `/runs/${runId}`,
    `/runs/${runId}/logs`,
    `/runs?limit=5`,
    `/audit-events?target=${runId}`,
  ];
  const answers = await Promise.all(paths.map((path) => server.call("GET", path)));
  return answers.map((answer) => expectStatus(200, answer).text).join("\n");
}

async function expectRun(name: string, ends: NonNullable<Declared["ends"]>): Promise<void> {
  const input = { host: host.address };
  const { body } = expectStatus(200, await server.run(name, input));
  const shown = (await shownOf(body.runId)) + JSON.stringify(body);
  expect(shown).not.toMatch(SECRETS);
  expect(shown).not.toContain("got through");
  const said =
    "says" in ends ? JSON.stringify(body.output) : `${body.error?.code}: ${body.error?.message}`;
  const wanted = "says" in ends ? ends.says : `^${ends.code}: .*${ends.message ?? ""}`;
  expect(`${said} (${shown.slice(0, 500)})`).toMatch(new RegExp(wanted, "s"));
}

describe("hostile code and packages", () => {
  test.each(hostileTools<Declared>(["build"]))(
    "blocks $name, which tries $attempt.tries",
    proves("tool.confined_build", "error.no_internals"),
    async ({ code, attempt }) => {
      const answer = await save(code, attempt);
      expect(answer.text).not.toMatch(SECRETS);
      const isSaved = answer.status === 201 && attempt.mayBeSaved === true;
      if (attempt.refused !== undefined || (attempt.mayBeSaved === true && !isSaved)) {
        expect(answer.body).toMatchObject({ code: "invalid_tool" });
        expect(answer.text).toMatch(new RegExp(attempt.refused ?? ""));
        expect(answer.text).not.toContain(server.workDir);
        if (attempt.packages !== undefined) expect(answer.text).not.toMatch(PLACES);
      } else {
        await expectRun(expectStatus(201, answer).body.name, attempt.ends ?? { says: "refused" });
      }
      expect((attempt.absent ?? []).filter((path) => existsSync(path))).toEqual([]);
      expect(registry.strays).toEqual([]);
      await expectHealth();
    },
  );
});

describe("hostile outputs and errors", () => {
  test.each(hostileTools<Declared>(["service"]))(
    "blocks $name, which tries $attempt.tries",
    proves("error.no_internals", "credentials.never_shown"),
    async ({ code, attempt }) => {
      const { body } = expectStatus(201, await save(code, attempt));
      await expectRun(body.name, attempt.ends ?? { says: "refused" });
      await expectHealth();
    },
  );
});
