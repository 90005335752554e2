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
  const names = [live, archived, "sum_free"];
  expect(await unusedToolName(db, "Sum", () => names.shift() ?? "none_left")).toBe("sum_free");
});
