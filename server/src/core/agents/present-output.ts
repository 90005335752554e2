import type { JsonObject } from "@toolhost/contract";
import { toPointer } from "#lib/pointer";
import type { BrokerAnswer } from "./broker-tool.ts";
import { keysOf } from "./measure-json.ts";
import { sliceOf, valueAt } from "./output-part.ts";
import { shorten } from "./shorten-output.ts";
import { wrapUntrusted } from "./wrap-untrusted.ts";

/** Which part of an output to return, and in how many characters. */
export type OutputPart = {
  maxCharacters?: number | undefined;
  /** JSON Pointer (RFC 6901) of a value in the output; the output itself if left out. */
  path?: string | undefined;
  /** Which items, characters or fields of that value. */
  offset?: number | undefined;
  limit?: number | undefined;
};

/** What is known of every run. */
export type CommonFields = { runId: string; status: string; toolName: string; toolUrl: string };

const maxNames = 20;
const maxNameCharacters = 100;

/** The output or the part of it that was requested. What is longer than `maxCharacters` is shortened, with how to read on. */
export function presentOutput(
  common: CommonFields,
  output: JsonObject,
  { maxCharacters, path, ...range }: OutputPart & { maxCharacters: number },
): BrokerAnswer {
  const isWhole = path === undefined && range.offset === undefined && range.limit === undefined;
  if (isWhole) return presentWhole(common, output, maxCharacters);
  const pointer = path ?? "";
  const found = valueAt(output, pointer);
  if (found === undefined) return explainPath(common, output, pointer);
  const part = takePart(found, pointer, { ...range, maxCharacters });
  return { isError: false, structured: { ...common, ...part } };
}

function presentWhole(
  common: CommonFields,
  output: JsonObject,
  maxCharacters: number,
): BrokerAnswer {
  const { value, shortened } = shorten(output, maxCharacters);
  const [first] = shortened;
  if (first === undefined) return { isError: false, structured: { ...common, output } };
  const next = { run_id: common.runId, path: first.path, offset: first.shown };
  const hint = `The output has more than ${maxCharacters} characters, so it is shortened: "shortened" lists what is cut. To read on, call service_check_run, for example with ${JSON.stringify(next)}, or run the tool with arguments that return less.`;
  return {
    isError: false,
    structured: { ...common, output: value as JsonObject, shortened, hint },
  };
}

function explainPath(common: CommonFields, output: JsonObject, path: string): BrokerAnswer {
  const names = keysOf(output).filter(({ length }) => length <= maxNameCharacters);
  const paths = names.slice(0, maxNames).map((name) => toPointer([name]));
  const known = wrapUntrusted(paths.join("\n"));
  return {
    isError: true,
    text: `The output of run ${common.runId} has no value at ${JSON.stringify(path.slice(0, 200))}. Pass a JSON Pointer to a value, such as:\n${known}`,
  };
}

type Range = { offset?: number | undefined; limit?: number | undefined; maxCharacters: number };

/** As many items, characters or fields of a value as fit. */
function takePart(
  value: unknown,
  path: string,
  { offset = 0, limit = Infinity, maxCharacters }: Range,
): JsonObject {
  const slice = sliceOf(value, { offset, limit, maxCharacters });
  if (slice === undefined) return { part: { path, value: value as JsonObject } };
  const { total, unit } = slice;
  const cut = shorten(slice.value, maxCharacters, { path, firstIndex: offset });
  const next = offset + slice.count;
  return {
    part: {
      path,
      offset,
      total,
      unit,
      value: cut.value as JsonObject,
      ...(next < total ? { nextOffset: next } : {}),
    },
    ...(cut.shortened.length === 0 ? {} : { shortened: cut.shortened }),
  };
}
