import { execFile } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

/** Programs that the layers are built from, by their full path where they exist. */
type Programs = Record<"bwrap" | "prlimit" | "setpriv" | "unshare", string | undefined>;

/** What this machine offers a sandbox. */
export type Machine = Host & { workerd: string };

/** What this machine offers a program behind a layer. */
export type Host = {
  /** Shared libraries and the loader that the program needs, and nothing else. */
  libraries: string[];
  programs: Programs;
  isRoot: boolean;
  /** Descriptors that this service inherited and that every program it starts would inherit too. */
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

/** Looks at the machine; throws with words for the operator where no layer at all can work. */
export async function inspectMachine(): Promise<Machine> {
  refuseOtherSystems();
  const workerd = findWorkerd();
  return { workerd, ...(await inspectHost(workerd)) };
}

function refuseOtherSystems(): void {
  if (process.platform === "linux") return;
  throw new Error(`Tools run on Linux only, and this machine runs ${process.platform}`);
}

/** Looks at what a program needs of this machine to run behind a layer. Throws as `inspectMachine` does. */
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

function findWorkerd(): string {
  const name = `@cloudflare/workerd-linux-${process.arch === "x64" ? "64" : process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    // The binary is a dependency of the workerd package, which may keep it to itself.
    const workerd = createRequire(require.resolve("workerd/package.json"));
    return join(dirname(workerd.resolve(`${name}/package.json`)), "bin/workerd");
  } catch (cause) {
    throw new Error(`The package ${name} is not installed`, { cause });
  }
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

// Asks the loader itself, which knows the folders of every distribution and architecture.
async function librariesOf(binary: string): Promise<string[]> {
  const { stdout } = await run("ldd", [binary]).catch((cause: unknown) => {
    throw new Error(`ldd cannot say which libraries ${binary} needs`, { cause });
  });
  const paths = stdout.matchAll(/(?:=>\s+|^\s+)(\/\S+)\s+\(0x/gm);
  return [...new Set(Array.from(paths, ([, path]) => path ?? ""))].filter((path) => path !== "");
}

const CLOSE_ON_EXEC = 0o2000000;

// What Node opens itself closes on exec; what a supervisor left open does not.
function inheritedDescriptors(): number[] {
  const descriptors = readdirSync("/proc/self/fd").map(Number);
  return descriptors.filter((fd) => fd > 2 && staysOpen(fd));
}

function staysOpen(fd: number): boolean {
  try {
    const flags = /^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The one that listed the folder is gone by now.
    return false;
  }
}
