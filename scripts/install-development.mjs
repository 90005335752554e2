// Runs before the tests. `npm ci` installs only what the service needs, so this adds the packages that tests need.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

if (!existsSync(new URL("../node_modules/oxlint", import.meta.url))) {
  process.stderr.write("Installing the packages of the tests. This happens once.\n");
  execFileSync("npm", ["ci", "--include=dev"], { stdio: "inherit" });
}
