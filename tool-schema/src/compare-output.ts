import { isObject, isSame, own } from "./json.ts";
import type { Json, JsonObject } from "./json.ts";

/** A place where an output is not as expected. Undefined stands for no value. */
export type Difference = { path: string; expected: Json | undefined; received: Json | undefined };

type Options = {
  /** Whether objects may have members that are not expected. */
  isPartial: boolean;
};

/**
 * The differences, with their JSON Pointers (RFC 6901). A saved file has a new ID in each run, so files are the same if
 * everything else about them is.
 */
export function findDifferences(
  expected: Json | undefined,
  received: Json | undefined,
  options: Options,
  path = "",
): Difference[] {
  if (isObject(expected) && isObject(received)) {
    const areFiles = isFile(expected) && isFile(received);
    const names = Object.keys(options.isPartial ? expected : { ...expected, ...received });
    return names
      .filter((name) => !(areFiles && newInEachRun.has(name)))
      .flatMap((name) =>
        findDifferences(
          own(expected, name),
          own(received, name),
          options,
          `${path}/${token(name)}`,
        ),
      );
  }
  if (Array.isArray(expected) && Array.isArray(received) && expected.length === received.length) {
    return expected.flatMap((item, at) =>
      findDifferences(item, received[at], options, `${path}/${at}`),
    );
  }
  const isEqual =
    expected === undefined || received === undefined
      ? expected === received
      : isSame(expected, received);
  return isEqual ? [] : [{ path, expected, received }];
}

const newInEachRun: ReadonlySet<string> = new Set(["fileId", "url"]);

const isFile = (value: JsonObject) => typeof value["fileId"] === "string";

const token = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");

const maxShown = 20;
const maxValueLength = 200;

/** The differences as lines: the path, and both values. */
export function describeDifferences(differences: readonly Difference[]): string {
  const lines = differences
    .slice(0, maxShown)
    .map(
      ({ path, expected, received }) =>
        `${path === "" ? "the output" : path}: expected ${shorten(expected)}, received ${shorten(received)}`,
    );
  const more = differences.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}

function shorten(value: Json | undefined): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength - 1)}…` : text;
}
