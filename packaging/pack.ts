import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { stripPrograms } from "./platform-packages.ts";
import { writeContents } from "./write-contents.ts";
import type { Contents } from "./write-contents.ts";

/** An archive that npm wrote. */
export type Packed = { filename: string; size: number; unpackedSize: number };

/** Writes a package as an archive to an existing folder, as npm publishes it. */
export async function pack(contents: Contents, outDir: string): Promise<Packed> {
  const folder = await mkdtemp(join(outDir, "staging-"));
  try {
    await writeContents(folder, contents);
    await stripPrograms(folder, contents);
    const options = ["--json", "--ignore-scripts", "--pack-destination", outDir];
    const { stdout } = await promisify(execFile)("npm", ["pack", ...options], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    });
    // A list, or an object by package name, depending on the version of npm.
    const [packed] = Object.values(JSON.parse(stdout) as Record<string, Packed>);
    if (packed === undefined) throw new Error("npm packed nothing");
    return packed;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
