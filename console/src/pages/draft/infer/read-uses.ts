import type { JsonObject } from "@toolhost/contract";
import type { ReadContext, Symbol, SyntaxNode } from "./compiler.ts";
import { guessFromParent, jsonTypeOf } from "./guess-type.ts";

/** Large enough for any tool; hostile code must not occupy the worker for long. */
const maxNodes = 100_000;

/** A member of the input that the code reads. */
type Use = { type: string | undefined; isOptional: boolean };

/**
 * The members of a parameter that the code reads: `input.orderId`, `input["orderId"]`, and destructuring. Their types are guessed
 * from what the code does with them; text otherwise, which `guessed` lists.
 */
export function readUses(
  context: ReadContext,
  parameter: Symbol,
): { schema: JsonObject; guessed: string[] } {
  const uses = new Map<string, Use>();
  const add = (name: string, { type, isOptional }: Use) => {
    const known = uses.get(name);
    uses.set(name, {
      type: known?.type ?? type,
      isOptional: known?.isOptional === true || isOptional,
    });
  };
  const declaration = parameter.declarations?.[0];
  if (declaration !== undefined) {
    const nodes = collect(context, declaration.parent ?? declaration);
    if (declaration.name !== undefined) readTarget(declaration.name, nodes);
  }
  const members = [...uses];
  const required = members.filter(([, { isOptional }]) => !isOptional).map(([name]) => name);
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(
        members.map(([name, { type = "string" }]) => [name, { type }]),
      ),
      ...(required.length === 0 ? {} : { required }),
    },
    guessed: members.filter(([, { type }]) => type === undefined).map(([name]) => name),
  };

  /** Reads what a variable with the input is used for, or what is destructured from it. */
  function readTarget(target: SyntaxNode, nodes: readonly SyntaxNode[]): void {
    if (target.kind === context.ts.SyntaxKind.ObjectBindingPattern) readPattern(target, nodes);
    else for (const node of referencesTo(context, target, nodes)) readReference(node, nodes);
  }

  function readReference(node: SyntaxNode, nodes: readonly SyntaxNode[]): void {
    const { SyntaxKind } = context.ts;
    const { parent } = node;
    if (parent === undefined) return;
    if (parent.kind === SyntaxKind.VariableDeclaration && parent.initializer === node) {
      if (parent.name?.kind === SyntaxKind.ObjectBindingPattern) readPattern(parent.name, nodes);
      return;
    }
    if (parent.expression !== node) return;
    const name =
      parent.kind === SyntaxKind.PropertyAccessExpression
        ? parent.name?.text
        : parent.kind === SyntaxKind.ElementAccessExpression &&
            parent.argumentExpression?.kind === SyntaxKind.StringLiteral
          ? parent.argumentExpression.text
          : undefined;
    if (name !== undefined) add(name, guessFromParent(context, parent));
  }

  function readPattern(pattern: SyntaxNode, nodes: readonly SyntaxNode[]): void {
    for (const element of pattern.elements ?? []) {
      const name = (element.propertyName ?? element.name)?.text;
      if (name === undefined || element.dotDotDotToken !== undefined) continue;
      const { initializer } = element;
      const type =
        initializer && jsonTypeOf(context, context.checker.getTypeAtLocation(initializer));
      add(name, { type, isOptional: initializer !== undefined });
      if (element.name?.kind !== context.ts.SyntaxKind.Identifier) continue;
      for (const node of referencesTo(context, element.name, nodes)) {
        add(name, guessFromParent(context, node));
      }
    }
  }
}

/** All nodes below one in the order of the text, up to a limit. */
function collect({ ts }: ReadContext, root: SyntaxNode): SyntaxNode[] {
  const nodes: SyntaxNode[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined && nodes.length < maxNodes; node = open.pop()) {
    nodes.push(node);
    const children: SyntaxNode[] = [];
    ts.forEachChild(node, (child) => void children.push(child));
    open.push(...children.toReversed());
  }
  return nodes;
}

/** The identifiers that refer to the variable that a name declares. */
function referencesTo(
  { ts, checker }: ReadContext,
  name: SyntaxNode,
  nodes: readonly SyntaxNode[],
): SyntaxNode[] {
  const symbol = checker.getSymbolAtLocation(name);
  return nodes.filter(
    (node) =>
      node !== name &&
      node.kind === ts.SyntaxKind.Identifier &&
      node.text === name.text &&
      checker.getSymbolAtLocation(node) === symbol,
  );
}
