import { errorCodes, problem } from "@toolhost/contract";
import type { ErrorCode, Problem } from "@toolhost/contract";
import { expect } from "vitest";
import type { Answer } from "./http.ts";

/** Checks that a response is the contract's error with this code, and returns its document. */
export function expectProblem(answer: Answer, code: ErrorCode): Problem {
  const seen = `${answer.status} ${answer.text.slice(0, 500)}`;
  expect(answer.body?.code, seen).toBe(code);
  const document = problem.parse(answer.body);
  expect(answer.status, seen).toBe(errorCodes[code].status);
  expect(document.status, seen).toBe(answer.status);
  expect(document.title, seen).toBe(errorCodes[code].title);
  expect(document.detail, seen).not.toBe("");
  expect(answer.headers.get("content-type"), seen).toMatch(/^application\/problem\+json\b/);
  expect(answer.headers.get("x-request-id"), seen).toBe(document.requestId);
  // No paths of the machine and no stack traces.
  expect(answer.text).not.toMatch(/node_modules\/|\/server\/src\/|\bat .+:\d+:\d+\)/);
  return document;
}
