import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { createLog } from "#lib/log";
import {
  integrityOf,
  manifestEntry,
  packArchive,
  startFakeRegistry,
  tarOf,
} from "#testing/fake-registry";
import type { ArchiveEntry, FakeRegistry } from "#testing/fake-registry";
import { createBuilder } from "./builder.ts";
import type { Builder } from "./builder.ts";

const dataDir = mkdtempSync(join(tmpdir(), "hostile-packages-"));
const requester = { workspaceId: "workspace", userId: "user" };
let registry: FakeRegistry;
let builder: Builder;

beforeAll(async () => {
  registry = await startFakeRegistry();
  writeFileSync(join(dataDir, "secret.js"), 'module.exports = "hunter2"');
  writeFileSync(join(dataDir, "secret.json"), '{ "password": "hunter2" }');
  builder = createBuilder(
    readConfig({
      DATA_DIR: dataDir,
      BUILD_MAX_MB: "20",
      BUILD_MAX_FILES: "2000",
      npm_config_registry: registry.url,
    }),
    createLog("fatal"),
  );
});
afterAll(async () => {
  await builder.stop();
  await registry.close();
  rmSync(dataDir, { recursive: true });
});

let count = 0;
const newName = () => `evil-${(count += 1)}`;

function build(name: string, range = "1.0.0") {
  const code = `import * as value from "${name}"; export default () => value;`;
  const source = { language: "javascript", code, dependencies: { [name]: range } } as const;
  return builder.bundle(requester, source);
}

/** What a package's archive is refused with. */
async function refusalOf(archive: Buffer): Promise<string> {
  const name = newName();
  registry.addVersions(name, { "1.0.0": { archive } });
  return refusal(build(name));
}

/** The message for the author of a rejected tool. */
async function refusal(building: Promise<unknown>): Promise<string> {
  const { said, isBuilt } = await outcome(building);
  expect(isBuilt).toBe(false);
  return said;
}

/** All that its author gets to see. */
async function outcome(building: Promise<unknown>): Promise<{ said: string; isBuilt: boolean }> {
  const [{ status, ...rest }] = await Promise.allSettled([building]);
  if (status === "fulfilled") return { said: JSON.stringify(rest), isBuilt: true };
  const { reason } = rest as PromiseRejectedResult;
  const { code, message, errors } = Object(reason);
  if (code !== "invalid_tool") throw reason;
  return { said: JSON.stringify([message, errors]), isBuilt: false };
}

const withManifest = (...entries: ArchiveEntry[]) =>
  packArchive([manifestEntry({ name: "evil", version: "1.0.0" }), ...entries]);

describe("a package with computed imports", () => {
  const up = "../".repeat(12);
  it.each([
    'module.exports = (n) => require("." + ("/../../" + n))',
    "module.exports = (n) => require(`.${`/../../`}${n}`)",
    'module.exports = (n) => import("." + ("/../../../" + n + ".json"))',
    `module.exports = (n) => require("./${up}" + n)`,
    `module.exports = (n) => require("./${up}etc/" + n)`,
    `module.exports = (n) => require("./${up}lib/" + n + "/" + n)`,
    `module.exports = (n) => require.resolve("./${up}" + n)`,
    `module.exports = (n) => require(\`./${up}\${n}.js\`)`,
  ])("reads no file of the host: %s", async (code) => {
    const name = newName();
    registry.add(name, { "index.js": code });
    const { said } = await outcome(build(name));
    expect(said).not.toMatch(/hunter2|root:x|passwd|hostname|secret\.js/);
    // Nor of what the build itself is made of.
    expect(said).not.toMatch(
      /\.so\b|ld-linux|script\.cjs|\/esbuild|ESBUILD_BINARY|x86_64|\/proc|\/tmp|\/usr/i,
    );
    expect(said).not.toContain(dataDir);
  });

  it.each([
    `exports.x = 1;\n//# sourceMappingURL=${up}script.cjs`,
    `exports.x = 1;\n//# sourceMappingURL=${up}etc/passwd`,
    `/*# sourceMappingURL=${up}script.cjs */ exports.x = 1; /*# sourceMappingURL=${up}script.cjs */`,
    "exports.x = 1;\n//# sourceMappingURL=package.json",
  ])("has its source map ignored: %s", async (code) => {
    const name = newName();
    registry.add(name, { "index.js": code });
    const { said, isBuilt } = await outcome(build(name));
    expect({ said, isBuilt }).toMatchObject({ isBuilt: true });
  });

  it("computes paths of its own files", async () => {
    const name = newName();
    registry.add(name, {
      "index.js": 'module.exports = (n) => require("./words/" + n + ".js")',
      "words/one.js": 'module.exports = "the first word"',
    });
    expect((await build(name)).code).toContain("the first word");
  });
});

describe("an archive", () => {
  it.each([
    ["a symbolic link", { path: "a.js", type: "2", link: "/etc/passwd" }],
    ["a hard link", { path: "a.js", type: "1", link: "/etc/passwd" }],
    ["a device", { path: "a.js", type: "3" }],
    ["a pipe", { path: "a.js", type: "6" }],
  ])("is rejected with %s", async (_, entry) => {
    expect(await refusalOf(withManifest(entry))).toContain("a link or device");
  });

  it.each([
    "./../../a.js",
    "/../../../etc/a.js",
    "a/../../../b.js",
    "a//b.js",
    "a\\b.js",
    "a\u0001.js",
  ])("is rejected with a file at %j", async (path) => {
    expect(await refusalOf(withManifest({ path, content: "1" }))).toContain(
      "a path that is not allowed",
    );
  });

  it("is rejected when it unpacks to more than the limit, regardless of file names", async () => {
    const large = Buffer.alloc(21 * 1024 * 1024);
    for (const path of ["a.js", "README.md"]) {
      expect(await refusalOf(withManifest({ path, content: large }))).toContain(
        "larger than 20 MB",
      );
    }
  });

  it("is rejected when it is compressed twice", async () => {
    const inner = packArchive([{ path: "a.js", content: Buffer.alloc(21 * 1024 * 1024) }]);
    expect(await refusalOf(gzipSync(inner))).toContain("cannot be read");
  });

  it("is rejected when it has too many small files", async () => {
    const files = Array.from({ length: 2_001 }, (_, at) => ({ path: `f/${at}.txt` }));
    expect(await refusalOf(withManifest(...files))).toContain("more than 2000 files");
  });

  it.each([
    ["noise", randomBytes(2_000)],
    ["packed noise", gzipSync(randomBytes(20_000))],
    [
      "half of an archive",
      packArchive([{ path: "a.js", content: randomBytes(9_000) }]).subarray(0, 3_000),
    ],
    ["nothing", Buffer.alloc(0)],
  ])("is rejected as %s", async (_, archive) => {
    expect(await refusalOf(archive)).toMatch(/cannot be read|resolve/);
  });

  it("is rejected when its paths are too deep for the file system", async () => {
    const deep = "d/".repeat(40);
    const entries = Array.from({ length: 60 }, (_, at) => ({
      path: `${deep}${at}.js`,
      content: "1",
    }));
    await expect(refusalOf(withManifest(...entries))).resolves.toMatch(/resolve/);
    const long = Buffer.from(`${"x".repeat(300)}.js`);
    const named = [
      { path: "name", type: "L", content: `package/${long.toString()}\0` },
      { path: "x" },
    ];
    expect(await refusalOf(packArchive(named))).toMatch(/cannot be written/);
  });

  it("is rejected and not cached when its digest does not match", async () => {
    const name = newName();
    const archive = withManifest({ path: "index.js", content: "module.exports = 'good'" });
    const other = withManifest({ path: "index.js", content: "module.exports = 'evil'" });
    registry.addVersions(name, {
      "1.0.0": { archive: other, dist: { integrity: integrityOf(archive) } },
    });
    expect(await refusal(build(name))).toContain("does not match the digest");
    expect(await refusal(build(name))).toContain("does not match the digest");
  });

  it("is rejected without a digest", async () => {
    const name = newName();
    registry.addVersions(name, { "1.0.0": { dist: { integrity: "md5-AAAA" } } });
    expect(await refusal(build(name))).toContain("returned no digest");
  });

  it("is unpacked within the limits", async () => {
    const name = newName();
    registry.add(name, { "index.js": "module.exports = 'it fits'", "a.d.ts": "export {}" });
    expect((await build(name)).code).toContain("it fits");
  });

  it("is rejected when it is not compressed with gzip", async () => {
    expect(await refusalOf(tarOf([{ path: "index.js", content: "1" }]))).toContain(
      "cannot be read",
    );
  });
});

describe("the metadata of a package", () => {
  const answerWith = (body: string | Buffer, headers: Record<string, string> = {}) => {
    const name = newName();
    registry.on(`/${name}`, (_, response) => response.writeHead(200, headers).end(body));
    return refusal(build(name));
  };

  it.each(["", "[]", "null", "{", '{"versions":1}', '{"versions":{"1.0.0":1},"dist-tags":{}}'])(
    "is rejected as %j",
    async (body) => {
      expect(await answerWith(body)).toMatch(/cannot be read|no version/);
    },
  );

  it("is rejected when it unpacks to more than the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(70 * 1024 * 1024, " "));
    expect(await answerWith(bomb, { "content-encoding": "gzip" })).toContain("too large");
  });

  it("is rejected above the size limit", async () => {
    expect(await answerWith(Buffer.alloc(25 * 1024 * 1024, " "))).toMatch(
      /too large|larger than 20 MB/,
    );
  });

  it("is rejected when nested too deeply", async () => {
    expect(await answerWith("[".repeat(2_000_000))).toMatch(/cannot be read|memory/);
  });

  it.each([
    `>=${" ".repeat(90_000)}x`,
    "1.".repeat(60_000),
    `${"1 || ".repeat(20_000)}2`,
    `^1.0.0-${"a.".repeat(50_000)}`,
    `>${"0".repeat(50_000)}1.0.0`,
  ])(
    "is processed in time with an expensive version range (%#)",
    { timeout: 60_000 },
    async (range) => {
      const [name, inner] = [newName(), newName()];
      registry.add(inner, { "index.js": "" });
      registry.addVersions(name, { "1.0.0": { manifest: { dependencies: { [inner]: range } } } });
      await expect(
        build(name).then(
          () => "built",
          () => "refused",
        ),
      ).resolves.toMatch(/built|refused/);
    },
  );

  it.each([
    ["a path", { inner: "file:/etc" }],
    ["a link", { inner: "link:../.." }],
    ["a repository", { inner: "git+http://127.0.0.1:9/a.git" }],
    ["a short name of a repository", { inner: "owner/repository" }],
    ["an address", { inner: "http://127.0.0.1:9/a.tgz" }],
    ["a workspace", { inner: "workspace:*" }],
    ["a name that climbs", { "../../etc": "1.0.0" }],
    ["a name with a path", { "a/b/c": "1.0.0" }],
    ["a hidden name", { ".bin": "1.0.0" }],
    ["an alias that climbs", { inner: "npm:../../etc@1.0.0" }],
    ["an alias of an address", { inner: "npm:a@http://127.0.0.1:9/a.tgz" }],
  ])("is rejected with %s as a dependency", async (_, dependencies) => {
    const name = newName();
    registry.addVersions(name, { "1.0.0": { manifest: { dependencies } } });
    expect(await refusal(build(name))).toContain("is not on the registry");
  });

  it.each([
    ["a version", { ["1".repeat(3_000)]: { dist: { tarball: 1 } } }, /The package evil-\d+ 1{100}/],
    [
      "a platform",
      { ["1".repeat(3_000)]: { manifest: { os: ["none"] } } },
      /The package evil-\d+ 1{100}/,
    ],
    ["an address", { "1.0.0": { dist: { tarball: `/${"a".repeat(3_000)}` } } }, /has no archive/],
    [
      "a digest",
      { "1.0.0": { dist: { integrity: `sha512-${"a".repeat(3_000)}` } } },
      /returned no digest/,
    ],
  ])("is rejected with an overlong value for %s", async (_, versions, said) => {
    const [name, inner] = [newName(), newName()];
    registry.addVersions(name, { "1.0.0": { manifest: { dependencies: { [inner]: "*" } } } });
    registry.addVersions(inner, versions);
    const refused = await refusal(build(name));
    expect(refused).toMatch(said);
    expect(refused.length).toBeLessThan(3_000);
  });

  it("is rejected with thousands of dependencies", async () => {
    const name = newName();
    const many = Array.from({ length: 1_100 }, (_, at) => `many-${at}`);
    for (const one of many) registry.addVersions(one, { "1.0.0": {} });
    const dependencies = Object.fromEntries(many.map((one) => [one, "1.0.0"]));
    registry.addVersions(name, { "1.0.0": { manifest: { dependencies } } });
    expect(await refusal(build(name))).toMatch(/more than 1000/);
  });

  it("is rejected with endless dependencies", async () => {
    const [a, b] = [newName(), newName()];
    const needs = (name: string, version: string) => ({
      manifest: { dependencies: { [name]: version } },
    });
    registry.addVersions(a, { "1.0.0": needs(b, "2.0.0"), "2.0.0": needs(b, "1.0.0") });
    registry.addVersions(b, { "1.0.0": needs(a, "1.0.0"), "2.0.0": needs(a, "2.0.0") });
    expect(await refusal(build(a))).toMatch(/nested too deeply/);
  });
});

describe("a registry", () => {
  it.each(["constructor", "valueof"])("receives a request for a package named %s", async (name) => {
    registry.add(name, { "index.js": "module.exports = 'only a name'" });
    expect((await build(name)).code).toContain("only a name");
  });

  it("is the only host that archives are requested from", async () => {
    const asked: string[] = [];
    const other = createServer((request, response) => {
      asked.push(JSON.stringify([request.url, request.headers]));
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" ? address?.port : 0;
    const elsewhere = `http://127.0.0.1:${port}/a.tgz`;
    const host = new URL(registry.url).host;
    const places = [
      elsewhere,
      `http://user:password@${host}/a.tgz`,
      `http://${host}@127.0.0.1:${port}/`,
      "file:///etc/passwd",
      "gopher://a",
      "",
    ];
    for (const tarball of places) {
      const name = newName();
      registry.addVersions(name, { "1.0.0": { dist: { tarball } } });
      expect(await refusal(build(name))).toContain("outside of the configured registry");
    }
    const name = newName();
    registry.addVersions(name, { "1.0.0": {} });
    for (const path of [`/${name}/-/1.0.0.tgz`, `/${name}`]) {
      registry.on(path, (_, response) => response.writeHead(302, { location: elsewhere }).end());
      expect(await refusal(build(name))).toContain("to another host");
    }
    expect(asked).toEqual([]);
    other.close();
  });

  it("redirects within itself a limited number of times", async () => {
    const name = newName();
    registry.add(name, { "index.js": "module.exports = 'moved'" });
    const old = `/${name}/-/1.0.0.tgz`;
    const moved = newName();
    registry.addVersions(moved, { "1.0.0": { dist: { integrity: await integrityAt(old) } } });
    registry.on(`/${moved}/-/1.0.0.tgz`, (_, response) =>
      response.writeHead(302, { location: old }).end(),
    );
    expect((await build(moved)).code).toContain("moved");
    const endless = newName();
    registry.on(`/${endless}`, (_, response) =>
      response.writeHead(302, { location: `/${endless}` }).end(),
    );
    expect(await refusal(build(endless))).toContain("too often");
  });

  it("does not delay a build with the body of a redirect or an error", async () => {
    const drip = (response: ServerResponse, status: number, headers: Record<string, string>) => {
      response.writeHead(status, headers);
      const timer = setInterval(() => response.write("x"), 100);
      return new Promise<void>((resolve) =>
        response.on("close", () => {
          clearInterval(timer);
          resolve();
        }),
      );
    };
    const closed: Promise<void>[] = [];
    const target = newName();
    registry.add(target, { "index.js": "module.exports = 'moved'" });
    const old = `/${target}/-/1.0.0.tgz`;
    const moved = newName();
    registry.addVersions(moved, { "1.0.0": { dist: { integrity: await integrityAt(old) } } });
    registry.on(`/${moved}/-/1.0.0.tgz`, (_, response) => {
      closed.push(drip(response, 302, { location: old }));
    });
    expect((await build(moved)).code).toContain("moved");
    for (const [status, said] of [
      [404, /has no package/],
      [403, /denies access/],
    ] as const) {
      const name = newName();
      registry.on(`/${name}`, (_, response) => {
        closed.push(drip(response, status, {}));
      });
      expect(await refusal(build(name))).toMatch(said);
    }
    // The drip never ends, so the build has closed each connection.
    await Promise.all(closed);
    expect(closed).toHaveLength(3);
  });

  const integrityAt = async (path: string) =>
    integrityOf(Buffer.from(await (await fetch(`${registry.url}${path}`)).arrayBuffer()));
});
