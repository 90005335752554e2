import { expect, it } from "vitest";
import { isPlainTitle } from "./find-titles.ts";

it.each(["returns 409", "is sent once", "has no limit", "runs in a sandbox", "passes"])(
  'accepts "%s"',
  (title) => expect(isPlainTitle(title)).toBe(true),
);

it.each([
  "Returns 409",
  "this is sent",
  "runs of a workspace are listed",
  "a run",
  "access",
  "can",
])('rejects "%s"', (title) => expect(isPlainTitle(title)).toBe(false));
