import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { shippedProgram } from "@toolhost/sandbox";
import { readManifest, root } from "./repository.ts";
import type { Contents, PackageManifest } from "./write-contents.ts";

const platform = `${process.platform}-${process.arch}`;
const pinnedNode = `node_modules/node-${platform}`;

/** The packages that contain programs for the platform of this machine. */
export function platformPackages(): Contents[] {
  return [runtimePackage(), nodePackage()];
}

/** The programs that the service runs: workerd for tools and esbuild for builds. */
function runtimePackage(): Contents {
  return {
    manifest: {
      ...manifestOf("runtime", "Programs of Toolhost: workerd and esbuild."),
      license: "Apache-2.0 AND MIT",
    },
    files: new Map([
      ["bin/esbuild", shippedProgram("esbuild")],
      ["bin/workerd", shippedProgram("workerd")],
      ["LICENSE.esbuild", join(root, "node_modules/esbuild/LICENSE.md")],
      ["LICENSE.workerd", join(root, "LICENSE")],
    ]),
    texts: new Map([["README.md", readme([versionOf("esbuild"), versionOf("workerd")])]]),
  };
}

/** Node.js, which npm leaves out for users with a recent one, because it skips optional packages for other versions. */
function nodePackage(): Contents {
  return {
    manifest: {
      ...manifestOf("node", "Node.js for Toolhost."),
      license: "MIT",
      engines: { node: "<26" },
    },
    files: new Map([
      ["bin/node", join(root, pinnedNode, "bin/node")],
      ["LICENSE", join(root, pinnedNode, "LICENSE")],
    ]),
    texts: new Map([["README.md", readme([`Node.js ${readManifest(pinnedNode).version}`])]]),
  };
}

/** Removes debug symbols from the programs in a written package, which are a third of their size. */
export async function stripPrograms(folder: string, { files }: Contents): Promise<void> {
  const programs = [...files.keys()].filter((path) => /^bin\/\w+$/.test(path));
  if (programs.length === 0) return;
  try {
    await promisify(execFile)("strip", programs, { cwd: folder });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    process.stderr.write(
      "The packages are larger than necessary, because strip (binutils) is not installed.\n",
    );
  }
}

function manifestOf(kind: "node" | "runtime", description: string): PackageManifest {
  return {
    name: `@toolhost/${kind}-${platform}`,
    version: readManifest().version,
    description,
    files: ["bin", "LICENSE*"],
    os: [process.platform],
    cpu: [process.arch],
    libc: ["glibc"],
  };
}

const versionOf = (name: string) => `${name} ${readManifest(join("node_modules", name)).version}`;

const readme = (programs: readonly string[]) =>
  `Part of the package toolhost: ${programs.join(" and ")}, unchanged except that debug symbols are removed.\n`;
