import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { checkAccess } from "./check-data-folder.ts";

// Otherwise, files that are created without a mode could be changed by others where the umask of the shell allows it.
process.umask(process.umask() | 0o022);

/** The file with settings. In a checkout, it is in the working folder. */
let settingsFile = ".env";
let isCommand = false;

/**
 * Lets the settings be those of the command `toolhost`, which may run in any folder: data is stored in `.toolhost` of the
 * user's home unless `DATA_DIR` is set, and `.env` is read from the data folder, since one in the working folder may belong
 * to another program.
 */
export function useUserFolder(): void {
  const given = process.env["DATA_DIR"]?.trim() ?? "";
  const folder = given === "" ? join(homedir(), ".toolhost") : given;
  if (given === "") mkdirSync(folder, { recursive: true, mode: 0o700 });
  process.env["DATA_DIR"] = folder;
  settingsFile = join(folder, ".env");
  isCommand = true;
}

/** The environment, with the settings of the file that it does not contain. Throws `ConfigError` if others can write to the file. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  if (isCommand) checkAccess("data folder", dirname(settingsFile));
  checkAccess("settings file", settingsFile);
  if (existsSync(settingsFile)) process.loadEnvFile(settingsFile);
  return process.env;
}

/** What an operator types to run a command of this installation. */
export function commandLine(command: string, ...rest: readonly string[]): string {
  if (isCommand) return ["toolhost", command, ...rest].join(" ");
  return ["npm run", command, ...(rest.length > 0 ? ["--", ...rest] : [])].join(" ");
}
