import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { childEnvironment } from "#config";
import type { AuthoringContext } from "#core/context";
import { ServiceError } from "#core/errors";

/** What npm says when a package or a version is not there, which is the author's to mend. */
const authorsFault = /\b(E404|ETARGET|EINVALIDPACKAGENAME|EBADPLATFORM|ERESOLVE|EALLOW[A-Z]+)\b/;

/**
 * Installs a tool's packages into a folder of their own, without running any script of theirs, hands the
 * folder to `use` and deletes it. Throws `invalid_tool` when there are no such packages or they are too
 * large, `unavailable` when the registry does not answer in time.
 */
export async function withDependencies<T>(
  context: AuthoringContext,
  dependencies: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const builds = join(context.config.dataDir, "builds");
  await mkdir(builds, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(builds, "build-"));
  try {
    const manifest = { name: "tool", version: "0.0.0", private: true, dependencies };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    await install(context, folder);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function install(context: AuthoringContext, folder: string): Promise<void> {
  const { BUILD_TIMEOUT_MS: timeoutMs, BUILD_MAX_MB: maxMegabytes, dataDir } = context.config;
  const limitBytes = maxMegabytes * 1024 * 1024;
  const npm = spawn("npm", ["install", ...installFlags], {
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
    // A process group of its own, so that the whole of it can be ended.
    detached: true,
    env: {
      ...childEnvironment(),
      HOME: folder,
      npm_config_cache: join(dataDir, "npm-cache"),
      // Packages may name others by an address, of this machine too, or by a path of it.
      npm_config_allow_git: "none",
      npm_config_allow_remote: "none",
      npm_config_allow_file: "none",
      npm_config_allow_directory: "none",
    },
  });
  let output = "";
  npm.stderr.on("data", (data: Buffer) => (output = (output + data.toString()).slice(-8_000)));
  let stopped: ServiceError | undefined;
  const stop = (reason: ServiceError) => {
    stopped ??= reason;
    if (npm.pid !== undefined) kill(npm.pid);
  };
  const timer = setTimeout(() => {
    stop(
      new ServiceError("unavailable", `The packages were not installed within ${timeoutMs} ms.`, {
        retryAfterSeconds: 30,
      }),
    );
  }, timeoutMs);
  const gauge = setInterval(() => {
    void folderSize(folder, limitBytes).then((size) => {
      if (size > limitBytes) stop(tooLarge(maxMegabytes));
    });
  }, 500);
  const code = await new Promise<number | null>((resolve) => {
    npm.once("error", () => resolve(-1));
    npm.once("close", resolve);
  });
  clearTimeout(timer);
  clearInterval(gauge);
  if (stopped !== undefined) throw stopped;
  if (code !== 0) throw installError(output);
  if ((await folderSize(folder, limitBytes)) > limitBytes) throw tooLarge(maxMegabytes);
}

const installFlags = [
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-update-notifier",
  "--no-bin-links",
  "--no-package-lock",
  "--omit=dev",
  "--omit=peer",
  "--loglevel=error",
  "--install-strategy=hoisted",
];

function kill(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}

function tooLarge(maxMegabytes: number): ServiceError {
  const message = `The packages take more than ${maxMegabytes} MB. Use smaller ones.`;
  return new ServiceError("invalid_tool", message, {
    errors: [{ path: "/source/dependencies", message }],
  });
}

function installError(output: string): ServiceError {
  if (!authorsFault.test(output)) {
    return new ServiceError(
      "unavailable",
      "The package registry could not be reached. Try again.",
      {
        retryAfterSeconds: 30,
        cause: new Error(output),
      },
    );
  }
  // The first line after the code names the package; what follows is npm's own housekeeping.
  const said = output
    .split("\n")
    .filter(
      (text) => /^npm (?:error|ERR!)/.test(text) && !/\bcode\b|log of this run|\/\S+\//.test(text),
    )
    .map((text) => text.replace(/^npm (?:error|ERR!)\s*(?:404)?\s*/, "").trim())
    .find((text) => text !== "");
  const message = said ?? "A package or version does not exist.";
  return new ServiceError("invalid_tool", `The packages cannot be installed: ${message}`, {
    errors: [{ path: "/source/dependencies", message, file: "package.json", line: 1, column: 1 }],
  });
}

/** Bytes of all files below a folder; stops counting once past `limit`. */
async function folderSize(folder: string, limit: number): Promise<number> {
  let total = 0;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (total > limit) break;
    if (!entry.isFile()) continue;
    const found = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    total += found?.size ?? 0;
  }
  return total;
}
