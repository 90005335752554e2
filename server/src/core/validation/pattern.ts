import { RE2JS } from "re2js";
import { isMetered, spend, TooCostlyError } from "./meter.ts";
import { planPattern, UnsupportedPatternError } from "./pattern-syntax.ts";
import type { PatternPlan } from "./pattern-syntax.ts";

/** Tells whether a text holds a match of a pattern. Throws `TooCostlyError` as `spend` does. */
export type Matcher = { test(text: string): boolean };

/** What a step of V8's engine and one of RE2's cost, in units of the meter. */
const nativeStep = 1 / 16;
const linearStep = 4;
const linearStart = 20;

/**
 * Matches as `new RegExp(pattern, "u")` does, in time that is known beforehand: with V8's engine where it cannot
 * backtrack for long, else in linear time, and else only where {@link isMetered} is false. Throws a `SyntaxError`
 * for what is no pattern.
 */
export function createMatcher(pattern: string): Matcher {
  const native = new RegExp(pattern, "u");
  const plan = planOf(pattern);
  let linear: RE2JS | undefined;
  return {
    test(text) {
      const nativeCost = costOf(plan, text.length);
      const linearCost = linearStart + (text.length + 1) * (plan?.size ?? Infinity) * linearStep;
      if (plan === undefined || nativeCost <= linearCost) {
        spend(nativeCost);
        return native.test(text);
      }
      spend(linearCost);
      linear ??= compileLinear(plan);
      return linear === undefined ? tryNative(native, text) : linear.test(text);
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

/** The longest that V8's engine can take for a text of this length. */
function costOf(plan: PatternPlan | undefined, length: number): number {
  if (plan === undefined) return Infinity;
  return plan.size * plan.factor * (length + 1) ** plan.degree * nativeStep;
}

function compileLinear({ re2 }: PatternPlan): RE2JS | undefined {
  try {
    return RE2JS.compile(re2);
  } catch {
    // It is one of few that RE2 finds too large.
    return undefined;
  }
}

function tryNative(native: RegExp, text: string): boolean {
  if (isMetered()) throw new TooCostlyError("The pattern cannot be matched in linear time");
  return native.test(text);
}
