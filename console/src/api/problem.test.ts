import { describe, expect, it } from "vitest";
import { isUnreachable, readProblem } from "./problem.ts";

const proxyError = (status: number) =>
  readProblem(
    new Response("<h1>Bad gateway</h1>", { status, headers: { "content-type": "text/html" } }),
  );

describe("isUnreachable", () => {
  it("is true for a proxy's 5xx page and false for the service's own errors", async () => {
    expect(isUnreachable(await proxyError(502))).toBe(true);
    expect(isUnreachable(await proxyError(504))).toBe(true);
    expect(isUnreachable(await proxyError(404))).toBe(false);
    const problem = { code: "unavailable", detail: "No slot is free." };
    const own = Response.json(problem, { status: 503 });
    expect(isUnreachable(await readProblem(own))).toBe(false);
    expect(isUnreachable(new Error("other"))).toBe(false);
  });
});
