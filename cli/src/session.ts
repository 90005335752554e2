import process from "node:process";
import type { Client } from "@toolhost/client";
import type { Project } from "./project/project.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Options that every command takes. */
export type CommonFlags = {
  url?: string | undefined;
  json?: boolean | undefined;
  insecure?: boolean | undefined;
};

/** What a command runs with. The expensive parts are loaded when they are needed. */
export type Session = {
  terminal: Terminal;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  flags: CommonFlags;
  project: () => Promise<Project | undefined>;
  requireProject: () => Promise<Project>;
  connect: () => Promise<Connection>;
};

/** A client of the service with the user's key. */
export type Connection = { client: Client; address: string };

export function createSession(terminal: Terminal, flags: CommonFlags): Session {
  const { env } = process;
  const cwd = process.cwd();
  const session: Session = {
    terminal,
    env,
    cwd,
    flags,
    project: async () => (await import("./project/project.ts")).findProject(cwd),
    requireProject: async () => (await import("./project/project.ts")).requireProject(cwd),
    connect: async () => (await import("./account/connect.ts")).connect(session),
  };
  return session;
}
