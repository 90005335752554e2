import { RE2JS } from "re2js";
import { isMetered, spend, TooCostlyError } from "./meter.ts";
import { planPattern, UnsupportedPatternError } from "./pattern-syntax.ts";
import type { PatternPlan } from "./pattern-syntax.ts";

/** Tests whether a text contains a match. Throws `TooCostlyError` as `spend` does. */
export type Matcher = { test(text: string): boolean };

/** Cost of a step in V8's engine and in RE2, in units of the meter. */
const nativeStep = 1 / 16;
const linearStep = 4;
const linearStart = 20;

/**
 * Matches like `new RegExp(pattern, "u")`, in time that is known in advance: with V8's engine if it cannot backtrack for
 * long, otherwise with RE2 in linear time. While {@link isMetered}, it throws `TooCostlyError` instead of using RE2, whose automata
 * retain megabytes of what they find in texts. Throws a `SyntaxError` for an invalid pattern.
 */
export function createMatcher(pattern: string): Matcher {
  const native = new RegExp(pattern, "u");
  const plan = planOf(pattern);
  let linear: Matcher | undefined;
  return {
    test(text) {
      const nativeCost = costOf(plan, text.length);
      const linearCost = linearStart + (text.length + 1) * (plan?.size ?? Infinity) * linearStep;
      spend(nativeCost);
      if (plan === undefined || nativeCost <= linearCost) return native.test(text);
      if (isMetered()) throw new TooCostlyError("The pattern needs RE2 for this text");
      linear ??= compileLinear(plan) ?? native;
      return linear.test(text);
    },
  };
}

function planOf(pattern: string): PatternPlan | undefined {
  try {
    return planPattern(pattern);
  } catch (error) {
    if (error instanceof UnsupportedPatternError) return undefined;
    throw error;
  }
}

/** Upper bound of the cost in V8's engine for a text of this length. */
function costOf(plan: PatternPlan | undefined, length: number): number {
  if (plan === undefined) return Infinity;
  return plan.size * plan.factor * (length + 1) ** plan.degree * nativeStep;
}

function compileLinear({ re2 }: PatternPlan): RE2JS | undefined {
  try {
    return RE2JS.compile(re2);
  } catch {
    // RE2 rejects a few patterns as too large.
    return undefined;
  }
}
