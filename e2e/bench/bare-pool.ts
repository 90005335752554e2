import { createHash, randomUUID } from "node:crypto";
import { createSandbox } from "@toolhost/sandbox";
import type { ExecuteRequest, Sandbox } from "@toolhost/sandbox";
import { runLoad } from "./load.ts";
import { isolations, runLimits, sandboxOptions, toolCode } from "./settings.ts";
import type { Isolation } from "./settings.ts";

// The sandbox's pool without HTTP or a database. Its parent process requests loads. The loop that generates them counts
// towards its CPU time, but is small.

type Task = { isolation: Isolation; concurrency: number; seconds: number };

const [dataDir] = process.argv.slice(2);
if (dataDir === undefined)
  throw new Error("The folder for the sandbox's files is required as an argument");
const sandbox = await createSandbox({
  ...sandboxOptions(dataDir),
  log: (level, message) => {
    if (level !== "info") process.stderr.write(`bare pool: ${message}\n`);
  },
});
process.on("message", (message) => {
  if (!isTask(message)) throw new Error("Invalid task");
  void runTask(sandbox, message).then((load) => process.send?.(load));
});
process.once("disconnect", () => {
  void sandbox.stop().then(() => process.exit(0));
});
process.send?.(sandbox.status());

function runTask(pool: Sandbox, { isolation, concurrency, seconds }: Task) {
  const request = requestFor(isolation);
  let runs = 0;
  return runLoad(concurrency, seconds, async () => {
    runs += 1;
    const sum = runs + 1;
    const inputJson = JSON.stringify({ a: runs, b: 1 });
    const result = await pool.execute({ ...request, runId: randomUUID(), inputJson });
    if (result.status !== "completed") throw new Error(`A run ended as ${result.status}`);
    const answer = JSON.stringify(result.output);
    if (answer !== JSON.stringify({ sum })) {
      throw new Error(`A run returned ${answer} for ${inputJson}`);
    }
  });
}

function requestFor(isolation: Isolation): Omit<ExecuteRequest, "runId" | "inputJson"> {
  return {
    workspaceId: "bench",
    reuseKey: `bench:${isolation}`,
    code: { id: createHash("sha256").update(toolCode).digest("hex"), module: toolCode },
    isolation,
    limits: runLimits,
    credentials: {},
  };
}

function isTask(value: unknown): value is Task {
  return (
    typeof value === "object" &&
    value !== null &&
    "isolation" in value &&
    isolations.some((isolation) => isolation === value.isolation) &&
    "concurrency" in value &&
    typeof value.concurrency === "number" &&
    "seconds" in value &&
    typeof value.seconds === "number"
  );
}
