// Runs before tests, checks and packaging. `npm ci` installs only what the service needs, so this adds the development packages.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

if (!existsSync(new URL("../node_modules/oxlint", import.meta.url))) {
  process.stderr.write("Installing the development packages. This happens once.\n");
  execFileSync("npm", ["ci", "--include=dev"], { stdio: "inherit" });
}
