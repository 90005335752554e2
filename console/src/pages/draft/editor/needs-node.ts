import { nodeModules } from "./node-modules.ts";

const modules = [...nodeModules].join("|");
const imported = new RegExp(
  String.raw`\b(?:from|import|require)\s*\(?\s*["'](?:node:\w|(?:${modules})["'/])`,
);
const named = /\b(?:Buffer|setImmediate)\b|\bprocess\.\w/;

/** Whether code may use Node.js modules or globals that the sandbox has. Returns true when in doubt. */
export function needsNode(code: string): boolean {
  return imported.test(code) || named.test(code);
}
