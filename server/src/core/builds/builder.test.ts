import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readConfig } from "#config";
import { createLog } from "#lib/log";
import { createBuilder } from "./builder.ts";

const dataDir = mkdtempSync(join(tmpdir(), "build-test-"));
const builder = createBuilder(readConfig({ DATA_DIR: dataDir }), createLog("fatal"));
afterAll(async () => {
  await builder.stop();
  rmSync(dataDir, { recursive: true });
});

const requester = { workspaceId: "workspace", userId: "user" };
const build = (code: string) => builder.bundle(requester, { language: "javascript", code });

describe("createBuilder", () => {
  it("ignores files in source map comments", async () => {
    const path = join(dataDir, "secret.txt");
    writeFileSync(path, "hunter2 is the password");
    for (const name of [path, `file://${path}`, "../../secret.txt", "/dev/zero"]) {
      for (const comment of [`//# sourceMappingURL=${name}`, `/*# sourceMappingURL=${name} */`]) {
        const bundle = await build(`${comment}\nexport default () => 1 ${comment}`);
        expect(bundle.code + bundle.sourceMap).not.toContain("hunter2");
      }
    }
  });

  it("returns a source map to the author's file", async () => {
    const { sourceMap } = await build("export default () => { throw new Error('no'); }");
    expect(JSON.parse(sourceMap)).toMatchObject({ sources: ["tool.js"] });
  });

  it("builds other tools while one crashes its build", async () => {
    const depth = 400_000;
    const deep = `export default ${"(".repeat(depth)}1${")".repeat(depth)}`;
    const builds = [deep, "export default () => 1", "export default () => 2"].map(build);
    const [refused, ...built] = await Promise.allSettled(builds);
    expect(refused).toMatchObject({
      status: "rejected",
      reason: {
        code: "invalid_tool",
        message: expect.stringContaining("nested too deeply"),
      },
    });
    for (const { status } of built) expect(status).toBe("fulfilled");
    expect((await build("export default () => 3")).code).toContain("3");
  });

  it.each([
    [
      "imports",
      Array.from({ length: 4_000 }, (_, at) => `import "m${at}"`).join(";"),
      /not allowed/,
    ],
    ["exports", "export default 1;".repeat(3_000), /memory|too large|same name/],
  ])(
    "rejects thousands of invalid %s in one line",
    { timeout: 60_000 },
    async (_, code, message) => {
      await expect(build(code)).rejects.toMatchObject({
        code: "invalid_tool",
        message: expect.stringMatching(message),
      });
    },
  );

  it("limits the memory of a build", async () => {
    const doubling = (members: number) => {
      const rest = Array.from({ length: members }, (_, i) => `v${i + 1} = \`\${v${i}}\${v${i}}\``);
      const code = `enum A { v0 = "0123456789abcdef", ${rest.join(", ")} }; export default () => A.v1`;
      return builder.bundle(requester, { language: "typescript", code });
    };
    expect((await doubling(3)).code).toContain("0123456789abcdef0123456789abcdef");
    for (const members of [24, 40]) {
      await expect(doubling(members)).rejects.toMatchObject({ code: "invalid_tool" });
    }
    expect((await build("export default () => 4")).code).toContain("4");
  });
});
