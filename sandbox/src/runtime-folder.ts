import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { seccompProgram } from "./seccomp.ts";

/** The files and sockets of one sandbox's processes. */
export type RuntimeFolder = {
  appDir: string;
  socketRoot: string;
  filterPath: string;
  /** Removes everything in the folder, and sockets that are stored elsewhere. */
  remove(): void;
};

// sockaddr_un has room for 108 bytes, including the final zero.
const MAX_SOCKET_PATH = 107;
const MAX_SUFFIX_LENGTH = "/zzzzzz/listen/http.sock".length;
const WORKER_FILES = [
  "dispatcher.js",
  "wrapper.js",
  "console.js",
  "files.js",
  "ask.js",
  "tools.js",
  "authorization.js",
];

/**
 * Creates the folder, or removes what an earlier process left in it. Nothing outside of it is deleted, except for socket
 * folders of this user: a link in place of the folder is removed, not followed.
 */
export function prepareRuntimeFolder(runtimeDir: string, maxHeapBytes: number): RuntimeFolder {
  const root = resolve(runtimeDir);
  remove(root);
  mkdirSync(root, { recursive: true, mode: 0o711 });
  const appDir = join(root, "app");
  mkdirSync(appDir, { mode: 0o755 });
  const source = join(import.meta.dirname, "worker");
  for (const name of WORKER_FILES) {
    writeFileSync(join(appDir, name), readFileSync(join(source, name)), { mode: 0o644 });
  }
  const config = readFileSync(join(source, "config.capnp"), "utf8");
  const heapMebibytes = Math.max(16, Math.floor(maxHeapBytes / 1024 / 1024));
  const text = config.replace("@MAX_HEAP_MIB@", `${heapMebibytes}`);
  writeFileSync(join(appDir, "config.capnp"), text, { mode: 0o644 });
  const filterPath = join(root, "filter.bpf");
  writeFileSync(filterPath, seccompProgram(), { mode: 0o644 });
  return { appDir, socketRoot: socketRootIn(root), filterPath, remove: () => remove(root) };
}

// If the folder's path is too long for a socket path, the sockets are created below /tmp.
function socketRootIn(root: string): string {
  const inside = join(root, "s");
  if (isTooLong(inside)) return mkdtempSync(join(tmpdir(), socketPrefix(root)));
  mkdirSync(inside, { mode: 0o711 });
  return inside;
}

function isTooLong(socketRoot: string): boolean {
  return Buffer.byteLength(socketRoot) + MAX_SUFFIX_LENGTH > MAX_SOCKET_PATH;
}

/** Socket folders are found by their names. A stored path could be replaced by the path of any other folder. */
function socketPrefix(root: string): string {
  return `th-${createHash("sha256").update(root).digest("hex").slice(0, 12)}-`;
}

function remove(root: string): void {
  rmSync(root, { recursive: true, force: true });
  if (!isTooLong(join(root, "s"))) return;
  const prefix = socketPrefix(root);
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(tmpdir(), name);
    if (isOwn(folder)) rmSync(folder, { recursive: true, force: true });
  }
}

function isOwn(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}
