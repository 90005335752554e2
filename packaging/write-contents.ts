import { cp, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The manifest of a package, with what all of ours have. */
export type PackageManifest = { name: string; version: string; [field: string]: unknown };

/** What a package consists of. */
export type Contents = {
  manifest: PackageManifest;
  /** Paths of files to copy, by their path in the package. */
  files: ReadonlyMap<string, string>;
  /** Texts of generated files, by their path in the package. */
  texts: ReadonlyMap<string, string>;
};

/** Writes a package into a folder, whose other files stay. */
export async function writeContents(folder: string, contents: Contents): Promise<void> {
  const manifest = `${JSON.stringify(contents.manifest, null, 2)}\n`;
  for (const [path, text] of [["package.json", manifest] as const, ...contents.texts]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  for (const [path, source] of contents.files) await cp(source, join(folder, path));
}
