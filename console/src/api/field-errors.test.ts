import { expect, it } from "vitest";
import { fieldError } from "./field-errors.ts";
import { ApiProblem } from "./problem.ts";

const refusal = (path: string, message: string) =>
  new ApiProblem(400, { code: "invalid_request", errors: [{ path, message }] });

it("says at a field what is wrong with it, or with a part of it", () => {
  expect(fieldError(refusal("/hosts/0", "must be a host"), "/hosts")).toBe("It must be a host.");
  expect(fieldError(refusal("/hosts/0", "must be a host"), "/host")).toBeUndefined();
  expect(fieldError(new Error("other"), "/hosts")).toBeUndefined();
});

it("makes a sentence of what the service says, unless it is one", () => {
  const at = (message: string) => fieldError(refusal("/value", message), "/value");
  expect(at("must have at least 4 characters")).toBe("It must have at least 4 characters.");
  expect(at("Something new")).toBe("Something new");
});
