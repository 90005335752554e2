import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundledCli } from "../cli/build.ts";
import { collectNotices } from "./notices.ts";
import { readManifest, root } from "./repository.ts";
import type { Contents } from "./write-contents.ts";

const launcher = `#!/usr/bin/env node
import "../dist/main.js";
`;

/** The package `@toolhost/cli`: the command line without the service, in a few files. `cli/build.ts` must have built it. */
export function cliPackage(): Contents {
  const { name, version, description, license } = readManifest("cli");
  const built = dirname(bundledCli);
  const paths = globSync("*.js", { cwd: built }).toSorted();
  return {
    manifest: {
      name,
      version,
      description,
      license,
      type: "module",
      bin: { toolhost: "bin/toolhost.js" },
      exports: { "./package.json": "./package.json" },
      files: ["bin", "dist", "THIRD-PARTY-NOTICES.txt"],
      engines: { node: ">=20.12" },
    },
    files: new Map([
      ...paths.map((path) => [`dist/${path}`, join(built, path)] as const),
      ["LICENSE", join(root, "LICENSE")],
      ["README.md", join(root, "cli/README.md")],
    ]),
    texts: new Map([
      ["bin/toolhost.js", launcher],
      ["THIRD-PARTY-NOTICES.txt", collectNotices(["cli", "contract", "tool-schema"])],
    ]),
  };
}
