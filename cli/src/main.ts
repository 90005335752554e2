import { mkdirSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";

const args = process.argv.slice(2);
useCompileCache();
const { runCli } = await import("./run-cli.ts");
if (args.length === 0) {
  process.stderr.write(
    "This is the command line of Toolhost, without the service. To start the service: npx toolhost\n\n",
  );
}
await runCli(args.length === 0 ? ["--help"] : args);

/** Node.js stores the compiled code of this program in a folder of the user, which makes later starts faster. */
function useCompileCache(): void {
  // Since Node.js 22. The default folder is shared by all users of the machine.
  if (typeof module.enableCompileCache !== "function") return;
  try {
    const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
    const folder = join(cache, "toolhost");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    module.enableCompileCache(folder);
  } catch {
    // Without a home folder, every start compiles.
  }
}
