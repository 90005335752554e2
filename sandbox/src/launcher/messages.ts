/** What a descriptor of a new process is: nothing, a file opened for reading, or a stream to the service with its token. */
export type Descriptor = "ignore" | { file: string } | { token: string };

/** A program, and what it inherits. */
export type LaunchOptions = {
  program: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Whether it gets its own process group, which is killed as a whole. */
  isGroup: boolean;
  /** 0 for the priority of the service; higher values yield to it. */
  niceness: number;
  /** File descriptors that the service inherited and that the program must not inherit. */
  inheritedDescriptors: readonly number[];
  stdio: Descriptor[];
};

/** From the service to the launcher. `address` is the abstract Unix socket that streams connect to. */
export type Request =
  | { kind: "start"; id: number; address: string; options: LaunchOptions }
  | { kind: "kill"; id: number };

/** How a process exited. */
export type ExitStatus = { code: number | null; signal: NodeJS.Signals | null };

/** From the launcher to the service. */
export type Report =
  | { kind: "started"; id: number; pid: number }
  | { kind: "failed"; id: number; problem: string }
  | ({ kind: "exited"; id: number } & ExitStatus);

/** Characters of the token that a stream sends first. */
export const TOKEN_LENGTH = 32;
