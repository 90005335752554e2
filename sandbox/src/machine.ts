import { execFile } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { shippedProgram } from "./shipped-program.ts";

/** Full paths of the programs that the layers are built from. Undefined if not installed. */
type Programs = Record<"bwrap" | "prlimit" | "setpriv" | "unshare", string | undefined>;

/** What a sandbox process needs to know about this machine. */
export type Machine = Host & { workerd: string };

/** What any program behind a layer needs to know about this machine. */
export type Host = {
  /** The shared libraries and the loader that the program needs. */
  libraries: string[];
  programs: Programs;
  isRoot: boolean;
  /** File descriptors that the service inherited, and that programs it starts would inherit as well. */
  inheritedDescriptors: number[];
};

const run = promisify(execFile);
const SYSTEM_FOLDERS = [
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
  "/usr/local/sbin",
  "/usr/sbin",
  "/sbin",
];

/** Inspects the machine. Throws with a message for the operator if no layer can work. */
export async function inspectMachine(): Promise<Machine> {
  refuseOtherSystems();
  const workerd = shippedProgram("workerd");
  return { workerd, ...(await inspectHost(workerd)) };
}

function refuseOtherSystems(): void {
  if (process.platform === "linux") return;
  throw new Error(`Tools run only on Linux, but this machine runs ${process.platform}`);
}

/** Finds what a program needs to run behind a layer on this machine. Throws like `inspectMachine`. */
export async function inspectHost(program: string): Promise<Host> {
  refuseOtherSystems();
  return {
    libraries: await librariesOf(program),
    programs: {
      bwrap: findProgram("bwrap"),
      prlimit: findProgram("prlimit"),
      setpriv: findProgram("setpriv"),
      unshare: findProgram("unshare"),
    },
    isRoot: process.getuid?.() === 0,
    inheritedDescriptors: inheritedDescriptors(),
  };
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...SYSTEM_FOLDERS];
  return folders.map((folder) => join(folder, name)).find((path) => isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

// The loader knows the library folders of every distribution and architecture.
async function librariesOf(binary: string): Promise<string[]> {
  const { stdout } = await run("ldd", [binary]).catch((cause: unknown) => {
    throw new Error(`ldd could not list the libraries of ${binary}`, { cause });
  });
  const paths = stdout.matchAll(/(?:=>\s+|^\s+)(\/\S+)\s+\(0x/gm);
  return [...new Set(Array.from(paths, ([, path]) => path ?? ""))].filter((path) => path !== "");
}

const CLOSE_ON_EXEC = 0o2000000;

// Node opens its own descriptors with close-on-exec. Descriptors that a supervisor left open lack it.
function inheritedDescriptors(): number[] {
  const descriptors = readdirSync("/proc/self/fd").map(Number);
  return descriptors.filter((fd) => fd > 2 && staysOpen(fd));
}

function staysOpen(fd: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The descriptor that listed the folder is already closed.
    return false;
  }
}
