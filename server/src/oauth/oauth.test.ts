import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService } from "#testing/service";
import type { TestService } from "#testing/service";
import { connectClient } from "#testing/oauth-client";

let test: TestService;
const person = () => test.person;
beforeAll(async () => {
  test = await startTestService();
});
afterAll(() => test.stop());

describe("x", () => {
  it("discovers", async () => {
    const c = await connectClient(test, person());
    console.log(c.tokens, c.code);
  });
});
