import { basename, dirname, resolve } from "node:path";
import type { Project } from "./project.ts";

/** The folder of a tool that the user typed: its name, or a path to it, such as `tools/hello/` or `.` inside it. */
export function toFolder({ toolsDir }: Project, cwd: string, typed: string): string {
  if (!/[/\\]|^\.\.?$/.test(typed)) return typed;
  const path = resolve(cwd, typed);
  return dirname(path) === toolsDir ? basename(path) : typed;
}
