import { globSync } from "node:fs";
import { basename, extname, join } from "node:path";

/** The folder of the built console. */
export const builtFolder: string = join(import.meta.dirname, "dist");

/** The path of the console's scripts and styles. Their names contain a hash of their content. */
export const assetsPath = "/console";

/** The first path segments of the console's pages. All other paths belong to other interfaces. */
export const pageRoots: readonly string[] = [
  "",
  "tools",
  "catalog",
  "drafts",
  "imports",
  "runs",
  "overview",
  "alerts",
  "credentials",
  "api-keys",
  "install",
  "connected-apps",
  "access",
  "members",
  "settings",
  "webhooks",
  "audit",
  "profile",
  "reference",
];

/** The path at which the service has a font of the built console, or undefined if it is not built. */
export function findFont(file: string): string | undefined {
  const extension = extname(file);
  // A hash has eight characters, so the name of one font does not match another that starts with it.
  const pattern = `assets/${basename(file, extension)}-????????${extension}`;
  const [found] = globSync(pattern, { cwd: builtFolder });
  return found === undefined ? undefined : `${assetsPath}/assets/${basename(found)}`;
}
