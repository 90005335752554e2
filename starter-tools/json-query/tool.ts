import jsonata from "jsonata";

type Input = { data: unknown; expression: string };
type Output = { found: boolean; result: unknown };

const limits = { timeout: 8_000, stack: 500 };

/** Evaluates a JSONata expression on data. An expression that selects nothing is a result, not an error. */
export default async function jsonQuery(input: Input): Promise<Output> {
  const query = compile(input.expression);
  const result = await evaluate(query, input.data);
  if (isFunction(result)) {
    throw new Error('The expression results in a function. Call it, as in "$sum(prices)".');
  }
  return { found: result !== undefined, result: result ?? null };
}

function compile(expression: string): jsonata.Expression {
  try {
    return jsonata(expression, limits);
  } catch (error) {
    throw explained("The expression is not valid JSONata", error);
  }
}

async function evaluate(query: jsonata.Expression, data: unknown): Promise<unknown> {
  try {
    return await query.evaluate(data);
  } catch (error) {
    throw explained("The expression failed on this data", error);
  }
}

function isFunction(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return typeof value === "function";
  return "_jsonata_lambda" in value || "_jsonata_function" in value;
}

/** JSONata throws plain objects, whose message would be lost. */
function explained(summary: string, cause: unknown): Error {
  if (typeof cause !== "object" || cause === null) return new Error(`${summary}.`, { cause });
  const message = "message" in cause ? String(cause.message) : "no reason given";
  const position = "position" in cause ? ` (at character ${String(cause.position)})` : "";
  return new Error(
    `${summary}: ${message}${position}. See https://docs.jsonata.org for the language.`,
    {
      cause,
    },
  );
}
