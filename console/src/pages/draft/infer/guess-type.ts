import type { ReadContext, SyntaxNode, Type } from "./compiler.ts";

/** Methods that only texts, or only lists have. */
const methods: Readonly<Record<string, string>> = Object.fromEntries([
  ..."charAt charCodeAt codePointAt endsWith localeCompare match matchAll normalize padEnd padStart repeat replace replaceAll search split startsWith substring toLowerCase toUpperCase trim trimEnd trimStart"
    .split(" ")
    .map((name) => [name, "string"] as const),
  ..."every filter find findIndex flat flatMap forEach join map pop push reduce reverse shift some sort splice toReversed toSorted unshift"
    .split(" ")
    .map((name) => [name, "array"] as const),
  ["toFixed", "number"],
  ["toPrecision", "number"],
]);

type Guess = { type: string | undefined; isOptional: boolean };

const is = (type: string | undefined): Guess => ({ type, isOptional: false });

/** The type that a value must have for what the code does with it, and whether the code expects that it is missing. */
export function guessFromParent(context: ReadContext, value: SyntaxNode): Guess {
  const { ts, checker } = context;
  const { SyntaxKind } = ts;
  const { parent } = value;
  if (parent === undefined) return { type: undefined, isOptional: false };
  switch (parent.kind) {
    case SyntaxKind.PropertyAccessExpression: {
      const method = parent.name?.text ?? "";
      return is(Object.hasOwn(methods, method) ? methods[method] : undefined);
    }
    case SyntaxKind.TemplateSpan:
      return is("string");
    case SyntaxKind.ForOfStatement:
      return is(parent.expression === value ? "array" : undefined);
    case SyntaxKind.PrefixUnaryExpression:
      return is(parent.operator === SyntaxKind.ExclamationToken ? "boolean" : "number");
    case SyntaxKind.BinaryExpression:
      return guessFromOperator(context, parent, value);
    default: {
      const expected = checker.getContextualType(value);
      return is(expected && jsonTypeOf(context, expected));
    }
  }
}

function guessFromOperator(
  context: ReadContext,
  { left, right, operatorToken }: SyntaxNode,
  value: SyntaxNode,
): Guess {
  const { SyntaxKind } = context.ts;
  const operator = operatorToken?.kind;
  const arithmetic: readonly (number | undefined)[] = [
    SyntaxKind.AsteriskToken,
    SyntaxKind.AsteriskAsteriskToken,
    SyntaxKind.SlashToken,
    SyntaxKind.PercentToken,
    SyntaxKind.MinusToken,
  ];
  if (arithmetic.includes(operator)) return { type: "number", isOptional: false };
  const other = value === left ? right : left;
  const type = other && jsonTypeOf(context, context.checker.getTypeAtLocation(other));
  const isOptional = operator === SyntaxKind.QuestionQuestionToken && value === left;
  return { type, isOptional };
}

/** The JSON type of values of a type; undefined if it leaves that open. */
export function jsonTypeOf({ ts, checker }: ReadContext, type: Type): string | undefined {
  const { TypeFlags } = ts;
  const has = (flags: number) => (type.flags & flags) !== 0;
  if (has(TypeFlags.Any | TypeFlags.Unknown)) return undefined;
  if (has(TypeFlags.StringLike)) return "string";
  if (has(TypeFlags.NumberLike)) return "number";
  if (has(TypeFlags.BooleanLike)) return "boolean";
  if (checker.isArrayType(type)) return "array";
  if (!type.isUnion()) return undefined;
  // A parameter such as `string | URL` or `boolean | undefined`.
  const known = (type.types ?? []).map((one) => jsonTypeOf({ ts, checker } as ReadContext, one));
  const [first, ...others] = known.filter((one) => one !== undefined);
  return others.every((one) => one === first) ? first : undefined;
}
