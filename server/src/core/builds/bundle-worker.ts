import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { shippedProgram } from "@toolhost/sandbox";

const maxWorkerBytes = 16 * 1024 * 1024;

/** Bundles the code of the build process into one file, so that a jail needs no modules folder. */
export async function bundleWorker(): Promise<string> {
  const entry = join(import.meta.dirname, "worker/main.ts");
  const flags = ["--bundle", "--platform=node", "--format=cjs", "--minify", "--log-level=error"];
  // A separate process, because the service of esbuild's client would stay running, and may be in use.
  const { stdout } = await promisify(execFile)(shippedProgram("esbuild"), [entry, ...flags], {
    maxBuffer: maxWorkerBytes,
  });
  return stdout;
}
