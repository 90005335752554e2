import { createPatch } from "rfc6902";

type Input = { before: unknown; after: unknown };
type Change = { op: string; path: string; value?: unknown };
type Output = {
  identical: boolean;
  patch: Change[];
  added: number;
  removed: number;
  replaced: number;
};

/** Computes the patch between two JSON values. The order of keys does not matter. */
export default async function jsonDiff(input: Input): Promise<Output> {
  const patch = createPatch(input.before, input.after);
  const count = (op: string) => patch.filter((change) => change.op === op).length;
  return {
    identical: patch.length === 0,
    patch,
    added: count("add"),
    removed: count("remove"),
    replaced: count("replace"),
  };
}
