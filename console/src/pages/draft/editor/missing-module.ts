import { missingNodeModules, nodeModules } from "./node-modules.ts";

/** The problem that an imported module does not exist: of the compiler by its codes, and of a failed build, which has none. */
const texts: Readonly<Record<number, RegExp>> = {
  0: /^import "([^"]{1,250})" is not allowed: add it to the tool's dependencies$/,
  2307: /^Cannot find module '([^']{1,250})'/,
  2792: /^Cannot find module '([^']{1,250})'/,
};
const packagePath = /^((?:@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*)(?:\/|$)/;

/** What an import lacks: an npm package, or a module of Node.js that the sandbox does not have. */
export type MissingModule = { packageName: string } | { nodeModule: string };

/** Finds the module that the code imports and that does not exist; undefined for other problems, and for files and URLs. */
export function missingModule(code: number, message: string): MissingModule | undefined {
  const path = texts[code]?.exec(message)?.[1] ?? "";
  const name = packagePath.exec(path)?.[1];
  if (name === undefined || name.length > 214 || nodeModules.has(name)) return undefined;
  return missingNodeModules.has(name) ? { nodeModule: path } : { packageName: name };
}
