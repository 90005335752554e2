// Builds what is not up to date, in one process, so that a signal to npm ends the build. Plain JavaScript that Node 20
// understands.
import { constants } from "node:os";

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

await import("./check-node.mjs");
if (process.exitCode === undefined) {
  await import("../console/build.ts");
  const { buildServer } = await import("../server/build.ts");
  await buildServer();
}
