import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { openPostgres, openSqlite } from "#db";
import type { Database } from "#db";

const program = fileURLToPath(new URL("killed-writer.ts", import.meta.url));

/** Opens the database with this URL, or in this file. */
export function openAt(location: string): Database {
  return location.startsWith("postgres")
    ? openPostgres({ url: location, poolSize: 2, onError: () => undefined })
    : openSqlite(location);
}

/** Does the work of `killed-writer.ts` in another process, and returns the signal that has killed it after so many statements. */
export async function killAfter(
  statements: number,
  work: "merge" | "migrate" | "seal",
  location: string,
): Promise<string | null> {
  const args = [program, work, location, String(statements)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  if (code !== null && code !== 0) throw new Error(`The process failed with ${code}`);
  return signal;
}
