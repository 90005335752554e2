// `npm run escape [-- --isolation bwrap|namespaces|process]` runs every hostile tool behind one layer, by default behind
// the strongest that works on this machine and the weakest.
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { isolation: { type: "string" } } });
const child = spawn("npx", ["vitest", "run", "--project", "sandbox", "sandbox/escape"], {
  stdio: "inherit",
  env: { ...process.env, TEST_ALL: "1", ESCAPE_ISOLATION: values.isolation },
});
child.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
