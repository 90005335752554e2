import { RE2JS } from "re2js";
import { createLruMap } from "#lib/lru";
import { isMetered, spend, TooCostlyError } from "./meter.ts";
import { planPattern, UnsupportedPatternError } from "./pattern-syntax.ts";
import type { PatternPlan } from "./pattern-syntax.ts";

/** Tests whether a text contains a match. Throws `TooCostlyError` as `spend` does. */
export type Matcher = { test(text: string): boolean };

/** Cost of a step in V8's engine and in RE2, in units of the meter. */
const nativeStep = 1 / 16;
const linearStep = 4;
const linearStart = 20;
const compileStart = 3_000;
const compileStep = 100;

/** RE2 with the states that it found in texts, of which there can be one for each character. `bytes` is their approximate size. */
type Automaton = { compiled: RE2JS | undefined; bytes: number };

/** Those used last, for all schemas of this process, because their states take far more memory than the schemas. */
const automata = createLruMap<string, Automaton>(32);
const maxAutomatonBytes = 1024 * 1024;
const stateBytes = 200;
/** Of each instruction that a state refers to. */
const referenceBytes = 8;

/**
 * Matches like `new RegExp(pattern, "u")`, in time that is known in advance: with V8's engine if it cannot backtrack for
 * long, otherwise with RE2 in linear time. A pattern that RE2 does not support runs only if {@link isMetered} is false.
 * Throws a `SyntaxError` for an invalid pattern.
 */
export function createMatcher(pattern: string): Matcher {
  const native = new RegExp(pattern, "u");
  const plan = planOf(pattern);
  return {
    test(text) {
      const nativeCost = costOf(plan, text.length);
      const linearCost = linearStart + (text.length + 1) * (plan?.size ?? Infinity) * linearStep;
      if (plan === undefined || nativeCost <= linearCost) {
        spend(nativeCost);
        return native.test(text);
      }
      spend(linearCost);
      const linear = automatonOf(plan, text.length);
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

/** Upper bound of the cost in V8's engine for a text of this length. */
function costOf(plan: PatternPlan | undefined, length: number): number {
  if (plan === undefined) return Infinity;
  return plan.size * plan.factor * (length + 1) ** plan.degree * nativeStep;
}

/** The automaton of a pattern, for a text of this length. Undefined if RE2 rejects the pattern. */
function automatonOf(plan: PatternPlan, length: number): RE2JS | undefined {
  let automaton = automata.get(plan.re2);
  if (automaton === undefined || automaton.bytes > maxAutomatonBytes) {
    spend(compileStart + plan.size * compileStep);
    automaton = { compiled: compileLinear(plan), bytes: 0 };
    automata.set(plan.re2, automaton);
  }
  automaton.bytes += (length + 1) * (stateBytes + plan.size * referenceBytes);
  return automaton.compiled;
}

function compileLinear({ re2 }: PatternPlan): RE2JS | undefined {
  try {
    return RE2JS.compile(re2);
  } catch {
    // RE2 rejects a few patterns as too large.
    return undefined;
  }
}

function tryNative(native: RegExp, text: string): boolean {
  if (isMetered()) throw new TooCostlyError("The pattern cannot be matched in linear time");
  return native.test(text);
}
