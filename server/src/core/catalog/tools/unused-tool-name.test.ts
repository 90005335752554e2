import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { unusedToolName } from "./tool-name.ts";

let test: TestService;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

it("makes another name while a tool has the first, also after it was archived", async () => {
  const { db } = test.service.context;
  const live = await test.makeTool("export default () => ({})", { title: "Sum" });
  const archived = await test.makeTool("export default () => ({})", { title: "Sum" });
  await test.call("DELETE", `/tools/${archived}`);
  // This process remembers the names that it has made, but not these.
  const rename = (name: string, to: string) =>
    db.kysely.updateTable("tools").set({ name: to }).where("name", "=", name).execute();
  await rename(live, "sum_live");
  await rename(archived, "sum_kept");
  const names = ["sum_live", "sum_kept", "sum_free"];
  expect(await unusedToolName(db, "Sum", () => names.shift() ?? "none_left")).toBe("sum_free");
});

it("makes another name while a tool that is not saved yet has the first", async () => {
  const { db } = test.service.context;
  const makeNames =
    (...names: string[]) =>
    () =>
      names.shift() ?? "none_left";
  const chosen = await Promise.all([
    unusedToolName(db, "Sum", makeNames("sum_same", "sum_one")),
    unusedToolName(db, "Sum", makeNames("sum_same", "sum_two")),
  ]);
  const later = await unusedToolName(db, "Sum", makeNames("sum_same", "sum_three"));
  expect(new Set([...chosen, later]).size).toBe(3);
  expect(chosen).toContain("sum_same");
});
