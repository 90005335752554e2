import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { expect, test } from "vitest";
import { CpuDemand } from "./cpu-demand.ts";
import { until } from "./test-sandbox.ts";

test.skipIf(process.platform !== "linux")("is saturated while all cores are busy", async () => {
  const demand = new CpuDemand();
  const busy = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
  );
  try {
    await until(() => demand.isSaturated());
  } finally {
    for (const child of busy) child.kill("SIGKILL");
  }
  expect(busy.length).toBeGreaterThan(0);
});

test("is not saturated where the kernel does not show its load", () => {
  expect(new CpuDemand("/proc/no-such-file").isSaturated()).toBe(false);
});
