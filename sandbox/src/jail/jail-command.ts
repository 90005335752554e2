import { join } from "node:path";
import { libraryPath, requireProgram, NOBODY, dropRootArgs } from "../layers.ts";
import type { Command } from "../layers.ts";
import type { Machine } from "../machine.ts";
import type { IsolationLayer } from "../types.ts";

// File descriptors of a jail beyond standard input, output and error.
const SECCOMP_FD = 3;
export const STATUS_FD = 4;

/** Bounds that the kernel holds for each process of a jail. */
export type JailLimits = {
  /** Private memory of one process. */
  memoryBytes: number;
  /** CPU time of one process. */
  cpuSeconds: number;
  /** What the jail's folder may hold. */
  folderBytes: number;
  /** Processes and threads of the whole jail; not held behind `process`. */
  maxProcesses: number;
};

/** What runs in a jail: a script, by this very Node. */
export type JailProgram = {
  node: string;
  scriptPath: string;
  /** Programs that the script starts, as environment variables with their paths. */
  programs: Readonly<Record<string, string>>;
  nodeFlags: readonly string[];
  environment: Readonly<Record<string, string>>;
};

export type JailLaunch = {
  layer: IsolationLayer;
  machine: Omit<Machine, "workerd">;
  program: JailProgram;
  limits: JailLimits;
  /** Whether to give up root for an unprivileged user before anything else. */
  dropRoot: boolean;
  /** An empty folder: what the new root is mounted on, or behind `process` the script's working folder. */
  folder: string;
};

/** The command line that starts a script behind a layer. Throws when a program for it is missing. */
export function jailCommand(launch: JailLaunch): Command & { env: Record<string, string> } {
  const [program, ...args] = commandLines[launch.layer](launch);
  if (program === undefined) throw new Error("No program to start");
  return { program, args, env: launch.layer === "bwrap" ? {} : environmentOf(launch) };
}

const commandLines: Record<IsolationLayer, (launch: JailLaunch) => string[]> = {
  bwrap: (launch) => [
    ...user(launch),
    ...limits(launch),
    ...bubblewrap(launch),
    ...nodeLine(launch),
  ],
  namespaces: (launch) => [...dieWithParentArgs(launch), ...limits(launch), ...mounted(launch)],
  process: (launch) => [...dieWithParentArgs(launch), ...limits(launch), ...nodeLine(launch)],
};

function user({ machine, dropRoot }: JailLaunch): string[] {
  return dropRoot ? dropRootArgs(machine) : [];
}

// The kernel kills the process when its parent dies, whatever the parent died of.
function dieWithParentArgs({ machine, dropRoot }: JailLaunch): string[] {
  const setpriv = dropRoot ? dropRootArgs(machine) : [requireProgram(machine, "setpriv")];
  return [...setpriv, "--no-new-privs", "--pdeathsig=KILL"];
}

function limits({ machine, limits: { memoryBytes, cpuSeconds, folderBytes } }: JailLaunch) {
  return [
    requireProgram(machine, "prlimit"),
    `--data=${memoryBytes}`,
    `--cpu=${cpuSeconds}`,
    `--fsize=${folderBytes}`,
    "--nofile=1024",
    "--core=0",
  ];
}

function bubblewrap(launch: JailLaunch): string[] {
  const {
    machine,
    limits: { folderBytes },
  } = launch;
  return [
    [requireProgram(machine, "bwrap"), "--unshare-all", "--unshare-user", "--disable-userns"],
    ["--cap-drop", "ALL", "--die-with-parent", "--new-session", "--as-pid-1"],
    ["--hostname", "jail", "--uid", `${NOBODY}`, "--gid", `${NOBODY}`, "--clearenv"],
    ...Object.entries(environmentOf(launch)).map(([name, value]) => ["--setenv", name, value]),
    ...filesOf(launch).map(([from, to]) => ["--ro-bind", from, to]),
    ["--size", `${folderBytes}`, "--tmpfs", "/work", "--remount-ro", "/", "--chdir", "/work"],
    ["--seccomp", `${SECCOMP_FD}`, "--json-status-fd", `${STATUS_FD}`, "--"],
  ].flat();
}

/**
 * Makes the same root with a user namespace's own mounts. The second namespace maps the user to one without any
 * capability, so nothing in the new root can mount, or leave it. Each mount names both of its ends: without, mount
 * looks for the other one in the /proc of another process namespace.
 */
const mountScript = `set -e
root=$1 size=$2 processes=$3; shift 3
mount -t tmpfs -o size=1m,mode=0755 tmpfs "$root"
while [ "$1" != -- ]; do
  mkdir -p "$root\${2%/*}"
  : > "$root$2"
  mount -o bind,ro "$1" "$root$2"
  shift 2
done
shift
mkdir "$root/work"
mount -t tmpfs -o "size=$size,mode=0700" tmpfs "$root/work"
mount -o remount,bind,ro tmpfs "$root"
exec prlimit --nproc="$processes" unshare --user --map-user=${NOBODY} --map-group=${NOBODY} \\
  --root="$root" --wd=/work "$@"`;

function mounted(launch: JailLaunch): string[] {
  const {
    machine,
    folder,
    limits: { folderBytes, maxProcesses },
  } = launch;
  const spaces = ["--user", "--map-root-user", "--net", "--pid", "--ipc", "--uts", "--mount"];
  return [
    requireProgram(machine, "unshare"),
    ...spaces,
    "--fork",
    "--kill-child=KILL",
    "/bin/sh",
    "-c",
    mountScript,
    "jail",
    folder,
    `${folderBytes}`,
    `${maxProcesses}`,
    ...filesOf(launch).flat(),
    "--",
    ...nodeLine(launch),
  ];
}

function filesOf({ machine, program }: JailLaunch): (readonly [from: string, to: string])[] {
  return [
    ...machine.libraries.map((path) => [path, path] as const),
    [program.node, "/node"],
    [program.scriptPath, "/script.cjs"],
    ...Object.entries(program.programs).map(([name, path]) => [path, `/${name}`] as const),
  ];
}

function nodeLine({ layer, program }: JailLaunch): string[] {
  const isInside = layer !== "process";
  const [node, script] = isInside ? ["/node", "/script.cjs"] : [program.node, program.scriptPath];
  return [node, ...program.nodeFlags, script];
}

function environmentOf({ layer, machine, program }: JailLaunch): Record<string, string> {
  const isInside = layer !== "process";
  const programs = Object.entries(program.programs).map(([name, path]) => {
    return [name, isInside ? join("/", name) : path] as const;
  });
  return {
    ...program.environment,
    ...Object.fromEntries(programs),
    ...(isInside ? { LD_LIBRARY_PATH: libraryPath(machine) } : {}),
    ...(layer === "namespaces" ? { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } : {}),
  };
}
