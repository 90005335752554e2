import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import process from "node:process";

/** Makes the starts of processes fail on demand, for tests. */
export type BreakableStarts = { break(): void; repair(): void; remove(): void };

/**
 * Puts a `prlimit` first in PATH, through which sandboxes that are created from now on start all of their processes behind any
 * layer.
 */
export function makeStartsBreakable(): BreakableStarts {
  const folder = mkdtempSync(join(tmpdir(), "breakable-"));
  const flag = join(folder, "broken");
  const path = process.env["PATH"] ?? "";
  const script = `#!/bin/sh
if [ -e '${flag}' ]; then echo 'starts are broken' >&2; exit 1; fi
PATH='${path}' exec prlimit "$@"
`;
  writeFileSync(join(folder, "prlimit"), script, { mode: 0o755 });
  // The sandbox may start processes as another user.
  chmodSync(folder, 0o755);
  process.env["PATH"] = `${folder}${delimiter}${path}`;
  return {
    break: () => writeFileSync(flag, ""),
    repair: () => rmSync(flag, { force: true }),
    remove: () => {
      process.env["PATH"] = path;
      rmSync(folder, { recursive: true });
    },
  };
}
