import { describe, expect, it } from "vitest";
import { fieldError } from "./field-errors.ts";
import { ApiProblem } from "./problem.ts";

const problem = (path: string, message: string) =>
  new ApiProblem(400, { code: "invalid_request", errors: [{ path, message }] });

describe("fieldError", () => {
  it("returns the error of a field or of a value below it", () => {
    expect(fieldError(problem("/hosts/0", "must be a host"), "/hosts")).toBe("It must be a host.");
    expect(fieldError(problem("/hosts/0", "must be a host"), "/host")).toBeUndefined();
    expect(fieldError(new Error("other"), "/hosts")).toBeUndefined();
  });

  it("makes a sentence of the message, unless it is one", () => {
    const errorOf = (message: string) => fieldError(problem("/value", message), "/value");
    expect(errorOf("must have at least 4 characters")).toBe("It must have at least 4 characters.");
    expect(errorOf("Something new")).toBe("Something new");
  });
});
