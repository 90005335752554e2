// `npm run escape [-- --isolation bwrap|namespaces|process]`: every hostile tool, behind one layer or, without
// a name, behind the strongest that works here and the weakest.
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { isolation: { type: "string" } } });
const child = spawn("npx", ["vitest", "run", "--project", "sandbox", "sandbox/escape"], {
  stdio: "inherit",
  env: { ...process.env, ESCAPE_ISOLATION: values.isolation },
});
child.once("exit", (code) => {
  process.exitCode = code ?? 1;
});
