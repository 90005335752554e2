import { hash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";

const root = join(import.meta.dirname, "..");
const stampName = "built-from.txt";

type Target = {
  /** What is built, for the message on the terminal. */
  name: string;
  /** The folder of the result. */
  folder: string;
  /** Patterns of the sources. The versions of libraries always count as sources. */
  sources: readonly string[];
  /** Writes the result into an empty folder beside `folder`. */
  build: (folder: string) => Promise<void>;
};

/**
 * Builds a folder, unless it was built from the same sources. The build happens in a temporary folder that is renamed at the
 * end, so an interrupted or concurrent build leaves no incomplete one.
 */
export async function buildOnce({ name, folder, sources, build }: Target): Promise<void> {
  const stamp = stampOf(sources);
  const isBuilt = () => readStamp(folder) === stamp;
  if (isBuilt()) return;
  process.stderr.write(`Building ${name}. This takes some seconds and happens once.\n`);
  const temporary = mkdtempSync(`${folder}-`);
  const remove = () => rmSync(temporary, { recursive: true, force: true });
  // A signal ends the process during the build.
  process.once("exit", remove);
  try {
    await build(temporary);
    // Another process may have built it meanwhile, and may already run it.
    if (isBuilt()) return;
    writeFileSync(join(temporary, stampName), stamp);
    rmSync(folder, { recursive: true, force: true });
    // The server may run as another user than the build.
    chmodSync(temporary, 0o755);
    renameSync(temporary, folder);
  } finally {
    process.off("exit", remove);
    remove();
  }
}

function readStamp(folder: string): string | undefined {
  const file = join(folder, stampName);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** A hash of all sources and of the versions of all libraries. */
function stampOf(sources: readonly string[]): string {
  const files = ["package-lock.json", "scripts/build-once.ts", ...globSync(sources, { cwd: root })];
  const parts = files.toSorted().map((file) => [file, readFileSync(join(root, file), "base64")]);
  return hash("sha256", JSON.stringify(parts));
}
