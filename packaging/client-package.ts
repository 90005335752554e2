import { globSync } from "node:fs";
import { join } from "node:path";
import { builtFolder, readEntries } from "../sdk/build.ts";
import { readManifest, root } from "./repository.ts";
import type { Contents } from "./write-contents.ts";

/** The package `@toolhost/client`: JavaScript and its types. `sdk/build.ts` must have built it. */
export function clientPackage(): Contents {
  const { name, version, description, license, peerDependencies, peerDependenciesMeta } =
    readManifest("sdk");
  const paths = globSync("**/*.{js,d.ts}", { cwd: builtFolder }).toSorted();
  const manifest = {
    name,
    version,
    description,
    license,
    type: "module",
    sideEffects: false,
    types: "./dist/index.d.ts",
    exports: {
      ...Object.fromEntries(
        Object.entries(readEntries()).map(([entry, source]) => [entry, builtEntry(source)]),
      ),
      "./package.json": "./package.json",
    },
    files: ["dist"],
    engines: { node: ">=20" },
    peerDependencies,
    peerDependenciesMeta,
  };
  return {
    manifest,
    files: new Map([
      ...paths.map((path) => [`dist/${path}`, join(builtFolder, path)] as const),
      ["LICENSE", join(root, "LICENSE")],
      ["README.md", join(root, "sdk/README.md")],
    ]),
    texts: new Map(),
  };
}

function builtEntry(source: string): { types: string; default: string } {
  const built = source.replace("./src/", "./dist/").replace(/\.ts$/, "");
  return { types: `${built}.d.ts`, default: `${built}.js` };
}
