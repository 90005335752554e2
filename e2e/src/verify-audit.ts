import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";

const verifier = join(import.meta.dirname, "../../server/src/verify-audit.ts");

/** Runs `npm run audit:verify` with these settings, and returns its exit code and output. */
export function verifyAudit(
  settings: Record<string, string>,
): Promise<{ code: number; printed: string }> {
  const env = { PATH: process.env["PATH"], ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [verifier], { cwd: "/", env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, printed: stdout + stderr });
    });
  });
}
