import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of this repository. */
export const root: string = join(import.meta.dirname, "..");

type Manifest = {
  name: string;
  version: string;
  description: string;
  license: string;
  [field: string]: unknown;
};

/** Reads the manifest of a package in a folder of this repository. */
export function readManifest(folder = ""): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
}
