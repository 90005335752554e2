import { globSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundledCli } from "../cli/build.ts";
import { collectNotices } from "./notices.ts";
import { readManifest, root } from "./repository.ts";
import type { Contents } from "./write-contents.ts";

const launcher = `#!/usr/bin/env node
// The package with the service has a command of the same name, and npm links only one if both are installed. Its command also has
// those of this package.
import { existsSync } from "node:fs";

const full = new URL("../../../toolhost/bin/toolhost.mjs", import.meta.url);
await import(existsSync(full) ? full.href : new URL("../dist/main.js", import.meta.url).href);
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
