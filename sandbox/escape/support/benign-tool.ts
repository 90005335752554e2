import { expect } from "vitest";
import { messages, output, run } from "../../src/test-sandbox.ts";
import type { Sandbox } from "../../src/types.ts";

/** Reports anything that another tool left in its isolate. */
const BENIGN_TOOL = `export default async ({ mark }) => {
  console.log("innocent " + mark);
  const own = [Object, Array, Function, Promise, String, Map, RegExp];
  const web = [Response, Request, Headers, ReadableStream, TextEncoder];
  const kinds = [...own, ...web].flatMap((kind) => [kind, kind.prototype]);
  const left = [
    ...own.flatMap((kind) => [...Object.keys(kind), ...Object.keys(kind.prototype)]),
    ...kinds.filter((kind) => "left" in kind || (kind !== Promise.prototype && "then" in kind)).map(String),
    ...Object.keys(globalThis).filter((name) => name.startsWith("left")),
  ];
  const answer = await new Promise((resolve) => setTimeout(resolve, 1, "answered"));
  return { mark, left, answer, json: JSON.stringify({ a: [1] }) };
};`;

let marks = 0;

/** Checks that a benign tool still works in a workspace. */
export async function expectBenignToolWorks(sandbox: Sandbox, workspaceId: string): Promise<void> {
  marks += 1;
  const mark = `${marks}`;
  const inputJson = JSON.stringify({ mark });
  const result = await run(sandbox, BENIGN_TOOL, { workspaceId, reuseKey: "innocent", inputJson });
  expect(output(result)).toEqual({
    mark,
    left: [],
    answer: "answered",
    json: '{"a":[1]}',
  });
  expect(messages(result)).toEqual([`innocent ${mark}`]);
  expect(result.egress).toEqual([]);
}
