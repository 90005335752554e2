import { expect, it } from "vitest";
import { createMeter } from "./meter.ts";

it("counts runs that fail because of the service as lost, not as failures of their tool", async () => {
  const meter = createMeter();
  const run = { workspaceId: "w", toolName: "add", outcome: "failed" } as const;
  for (const code of ["sandbox_lost", "interrupted", "tool_error"]) {
    meter.runEnded({ ...run, code });
  }
  const ends = { completed: 0, failed: 1, cancelled: 0, lost: 2 };
  expect(meter.topTools(1)).toMatchObject([{ ends }]);
  expect(meter.topWorkspaces(1)).toMatchObject([{ ends }]);
  expect(await meter.registry.metrics()).toContain(
    'toolhost_runs_total{outcome="failed",code="sandbox_lost"} 1',
  );
});

it("has a counter for each code of the service before the first run", async () => {
  const text = await createMeter().registry.metrics();
  for (const code of ["sandbox_lost", "interrupted"]) {
    expect(text).toContain(`toolhost_runs_total{outcome="failed",code="${code}"} 0`);
  }
});
