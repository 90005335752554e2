import { execFile } from "node:child_process";
import process from "node:process";
import { programPath } from "./program.ts";

const verifier = programPath("verify-audit");

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
