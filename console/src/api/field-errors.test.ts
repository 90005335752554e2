import { expect, it } from "vitest";
import { errorAt } from "./field-errors.ts";
import { ApiProblem } from "./problem.ts";

const refusal = (path: string, message: string) =>
  new ApiProblem(400, { code: "invalid_request", errors: [{ path, message }] });

it("says at a field what is wrong with it, or with a part of it", () => {
  expect(errorAt(refusal("/hosts/0", "must be a host"), "/hosts")).toBe("It must be a host.");
  expect(errorAt(refusal("/hosts/0", "must be a host"), "/host")).toBeUndefined();
  expect(errorAt(new Error("other"), "/hosts")).toBeUndefined();
});

it("puts what a schema says into people's words", () => {
  const at = (message: string) => errorAt(refusal("/value", message), "/value");
  expect(at("Too small: expected string to have >=4 characters")).toBe(
    "It needs at least 4 characters.",
  );
  expect(at("Too big: expected number to be <=36500")).toBe("It must be at most 36500.");
  expect(at("Something new")).toBe("Something new");
});
