import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { startService } from "./start.ts";

describe("a data folder", () => {
  let test: TestService;
  beforeAll(async () => {
    test = await startTestService();
  });
  afterAll(() => test.stop());

  it("is refused to a second process, and the sandbox of the first one still works", async () => {
    const config = { ...test.service.context.config, PORT: 0 };
    await expect(startService(config)).rejects.toThrow(
      /^Another Toolhost is running on the data folder/,
    );
    const tool = await test.makeTool("export default () => ({ works: true })");
    const { body } = await test.call("POST", `/run/${tool}`, {});
    expect(body).toMatchObject({ status: "completed", output: { works: true } });
  });

  it("is free after a graceful shutdown", async () => {
    await test.restart();
    expect((await test.call("GET", "/tools")).status).toBe(200);
  });
});
