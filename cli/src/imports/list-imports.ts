import type { ImportResource } from "@toolhost/contract";
import type { Session } from "../session.ts";
import { styled, toLine, toTable } from "../terminal/text.ts";

const maxTitle = 40;

/** Lists the imports of the workspace, newest first. */
export async function listImports({ terminal, connect }: Session): Promise<void> {
  const { client } = await connect();
  const imports: ImportResource[] = [];
  for await (const one of client.list("/imports", { query: { limit: 200 } })) imports.push(one);
  terminal.result(imports, () =>
    imports.length === 0
      ? "No imports. Create one: toolhost import FILE|URL"
      : toTable(imports.map((one) => rowOf(one))),
  );
}

function rowOf({ id, kind, title, toolCount, changeCount, holdCount, status }: ImportResource) {
  const waiting = [
    ...(changeCount === 0 ? [] : [`${changeCount} changed`]),
    ...(holdCount === 0 ? [] : [`${holdCount} on hold`]),
  ];
  return [
    id,
    kind,
    toLine(title, maxTitle),
    toolCount === 1 ? "1 tool" : `${toolCount} tools`,
    styled("yellow", waiting.join(", ")),
    status === "failing" ? styled("red", "cannot be checked") : "",
  ];
}
