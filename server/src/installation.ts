import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { parseEnv } from "node:util";
import { checkAccess, explaining, openDataFolder } from "./check-data-folder.ts";

// Otherwise, files that are created without a mode could be changed by others where the umask of the shell allows it.
process.umask(process.umask() | 0o022);

/** The file with settings. In a checkout, it is in the working folder. */
let settingsFile = ".env";
let isCommand = false;
let isInHome = false;

/**
 * Lets the settings be those of the command `toolhost`, which may run in any folder: data is stored in `.toolhost` of the
 * user's home unless `DATA_DIR` is set, and `.env` is read from the data folder, since one in the working folder may belong
 * to another program.
 */
export function useUserFolder(): void {
  const given = process.env["DATA_DIR"]?.trim() ?? "";
  isInHome = given === "";
  const folder = isInHome ? join(homedir(), ".toolhost") : given;
  process.env["DATA_DIR"] = folder;
  settingsFile = join(folder, ".env");
  isCommand = true;
}

/** The environment, with the settings of the file that it does not contain. Throws `ConfigError` if others can write to the file, or if it cannot be read. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  const folder = dirname(settingsFile);
  if (isInHome) openDataFolder(folder, 0o700);
  else if (isCommand) checkAccess("data folder", folder);
  return Object.assign(process.env, { ...readSettings(), ...process.env });
}

function readSettings(): NodeJS.Dict<string> {
  if (!checkAccess("settings file", settingsFile)) return {};
  const text = explaining(`The settings file ${settingsFile} cannot be read`, () =>
    readFileSync(settingsFile, "utf8"),
  );
  return parseEnv(text);
}

/** What an operator types to run a command of this installation. */
export function commandLine(command: string, ...rest: readonly string[]): string {
  if (isCommand) return ["toolhost", command, ...rest].join(" ");
  return ["npm run", command, ...(rest.length > 0 ? ["--", ...rest] : [])].join(" ");
}
