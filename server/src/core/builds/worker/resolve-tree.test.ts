import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import { resolveTree } from "./resolve-tree.ts";

type Versions = Record<string, object>;

/** Resolves against packages by name and version, and returns the location of each. */
async function resolve(packages: Record<string, Versions>, dependencies: Record<string, string>) {
  const fetchPackument = async (name: string) => {
    const versions = packages[name];
    if (versions === undefined) return undefined;
    const described = Object.entries(versions).map(([version, manifest]) => {
      const dist = {
        tarball: `https://registry.example/${name}-${version}.tgz`,
        integrity: "sha512-",
      };
      return [version, { dist, ...manifest }] as const;
    });
    const latest = Object.keys(versions).at(-1);
    const document = { "dist-tags": { latest }, versions: Object.fromEntries(described) };
    return Buffer.from(JSON.stringify(document));
  };
  const placements = await resolveTree(dependencies, fetchPackument, 100);
  return placements.map(({ folder, manifest }) => `${folder} ${manifest.name}@${manifest.version}`);
}

const needs = (dependencies: Record<string, string>) => ({ dependencies });

describe("resolveTree", () => {
  it("hoists a shared version to the root", async () => {
    const packages = {
      a: { "1.0.0": needs({ shared: "^1.0.0" }) },
      b: { "1.0.0": needs({ shared: "^1.1.0", a: "1" }) },
      shared: { "1.0.0": {}, "1.2.0": {} },
    };
    expect(await resolve(packages, { a: "1.0.0", b: "1.0.0" })).toEqual([
      "node_modules/a/ a@1.0.0",
      "node_modules/b/ b@1.0.0",
      "node_modules/shared/ shared@1.2.0",
    ]);
  });

  it("nests a conflicting version below the package that needs it", async () => {
    const packages = {
      a: { "1.0.0": needs({ shared: "^1.0.0" }) },
      b: { "1.0.0": needs({ shared: "^2.0.0" }) },
      shared: { "1.0.0": {}, "2.0.0": {} },
    };
    expect(await resolve(packages, { a: "1.0.0", b: "1.0.0" })).toEqual([
      "node_modules/a/ a@1.0.0",
      "node_modules/b/ b@1.0.0",
      "node_modules/shared/ shared@1.0.0",
      "node_modules/b/node_modules/shared/ shared@2.0.0",
    ]);
  });

  it("places nothing between a package and the version that it resolves to", async () => {
    const packages = {
      // One of outer's packages uses x from the root, and another needs a different x.
      outer: { "1.0.0": needs({ near: "2.0.0", far: "2.0.0" }) },
      near: { "1.0.0": {}, "2.0.0": needs({ x: "1.0.0" }) },
      far: { "1.0.0": {}, "2.0.0": needs({ x: "2.0.0" }) },
      x: { "1.0.0": {}, "2.0.0": {} },
    };
    const tree = await resolve(packages, {
      outer: "1.0.0",
      near: "1.0.0",
      far: "1.0.0",
      x: "1.0.0",
    });
    expect(tree).toContain("node_modules/outer/node_modules/near/ near@2.0.0");
    // Near uses the root's x only if outer itself gets none.
    const deep = "node_modules/outer/node_modules/far/node_modules/x/ x@2.0.0";
    const between = "node_modules/outer/node_modules/x/ x@2.0.0";
    const own = "node_modules/outer/node_modules/near/node_modules/x/ x@1.0.0";
    expect(tree.includes(deep) || (tree.includes(between) && tree.includes(own))).toBe(true);
  });

  it("terminates for circular dependencies", async () => {
    const packages = { a: { "1.0.0": needs({ b: "*" }) }, b: { "1.0.0": needs({ a: "^1.0.0" }) } };
    expect(await resolve(packages, { a: "^1.0.0" })).toHaveLength(2);
  });

  it("omits development, peer, platform-specific and bundled packages", async () => {
    const manifest = {
      devDependencies: { dev: "1" },
      peerDependencies: { peer: "1" },
      optionalDependencies: { native: "1", missing: "1", good: "1", odd: "git://a/b" },
      dependencies: { bundled: "1", good: "1" },
      bundleDependencies: ["bundled"],
    };
    const packages = {
      a: { "1.0.0": manifest },
      native: { "1.0.0": { os: ["linux"], cpu: ["x64"] } },
      good: { "1.0.0": {} },
    };
    expect(await resolve(packages, { a: "1.0.0" })).toEqual([
      "node_modules/a/ a@1.0.0",
      "node_modules/good/ good@1.0.0",
    ]);
  });

  it("selects the same version as npm", async () => {
    const versions = {
      "1.0.0": {},
      "1.1.0": {},
      "1.2.0": { deprecated: "broken" },
      "2.0.0-beta.1": {},
      "1.0.5": {},
    };
    const picked = async (range: string) =>
      (await resolve({ a: versions }, { a: range }))[0]?.split("@")[1];
    expect(await picked("^1.0.0")).toBe("1.0.5");
    expect(await picked(">=1.0.6 <2")).toBe("1.1.0");
    expect(await picked("~1.2.0")).toBe("1.2.0");
    expect(await picked("2.0.0-beta.1")).toBe("2.0.0-beta.1");
    expect(await picked("latest")).toBe("1.0.5");
    await expect(picked("^2.0.0")).rejects.toThrow('no version of "a" matches "^2.0.0"');
  });

  it("follows an alias to another package", async () => {
    const packages = {
      a: { "1.0.0": needs({ old: "npm:@s/real@^1.0.0" }) },
      "@s/real": { "1.0.0": {} },
    };
    expect(await resolve(packages, { a: "1.0.0" })).toEqual([
      "node_modules/a/ a@1.0.0",
      "node_modules/old/ @s/real@1.0.0",
    ]);
  });

  it("rejects a package for another platform", async () => {
    const packages = { a: { "1.0.0": { os: ["win32"] } } };
    await expect(resolve(packages, { a: "1.0.0" })).rejects.toThrow(
      "does not support this platform",
    );
  });
});
