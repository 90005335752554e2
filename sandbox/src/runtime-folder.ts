import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from "node:fs";
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
  "tools.js",
  "authorization.js",
];
const POINTER = "sockets-are-in";

/** Creates the folder, or removes what an earlier process left in it. */
export function prepareRuntimeFolder(runtimeDir: string, maxHeapBytes: number): RuntimeFolder {
  const root = resolve(runtimeDir);
  mkdirSync(root, { recursive: true, mode: 0o711 });
  empty(root);
  const appDir = join(root, "app");
  mkdirSync(appDir, { mode: 0o755 });
  const source = join(import.meta.dirname, "worker");
  for (const name of WORKER_FILES) copyFileSync(join(source, name), join(appDir, name));
  const config = readFileSync(join(source, "config.capnp"), "utf8");
  const heapMebibytes = Math.max(16, Math.floor(maxHeapBytes / 1024 / 1024));
  writeFileSync(join(appDir, "config.capnp"), config.replace("@MAX_HEAP_MIB@", `${heapMebibytes}`));
  const filterPath = join(root, "filter.bpf");
  writeFileSync(filterPath, seccompProgram());
  return { appDir, socketRoot: socketRootIn(root), filterPath, remove: () => empty(root) };
}

// If the folder's path is too long for a socket path, the sockets are created below /tmp.
function socketRootIn(root: string): string {
  const inside = join(root, "s");
  if (Buffer.byteLength(inside) + MAX_SUFFIX_LENGTH <= MAX_SOCKET_PATH) {
    mkdirSync(inside, { mode: 0o711 });
    return inside;
  }
  const elsewhere = mkdtempSync(join(tmpdir(), "th-"));
  writeFileSync(join(root, POINTER), elsewhere);
  return elsewhere;
}

function empty(root: string): void {
  const pointer = join(root, POINTER);
  if (existsSync(pointer)) rmSync(readFileSync(pointer, "utf8"), { recursive: true, force: true });
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
}
