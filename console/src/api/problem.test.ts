import { expect, test } from "vitest";
import { isUnreachable, readProblem } from "./problem.ts";

const page = (status: number) =>
  readProblem(
    new Response("<h1>Bad gateway</h1>", { status, headers: { "content-type": "text/html" } }),
  );

test("a proxy's page says that the service cannot be reached, its own refusal does not", async () => {
  expect(isUnreachable(await page(502))).toBe(true);
  expect(isUnreachable(await page(504))).toBe(true);
  expect(isUnreachable(await page(404))).toBe(false);
  const own = Response.json({ code: "unavailable", detail: "No place is free." }, { status: 503 });
  expect(isUnreachable(await readProblem(own))).toBe(false);
  expect(isUnreachable(new Error("other"))).toBe(false);
});
