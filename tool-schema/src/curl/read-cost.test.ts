// The test measures processor time, which a busy machine does not change, and only runs on Node.js.
// oxlint-disable-next-line no-restricted-imports -- see above
import { threadCpuUsage } from "node:process";
import { describe, expect, it } from "vitest";
import {
  CurlError,
  findFields,
  findSecrets,
  maxCommandLength,
  readCurl,
  titleOf,
} from "./index.ts";

/** The console reads commands while a user types, so that none may take long. Shared machines are slower. */
const maxMs = 400;

/** A command of the accepted length, in which a part repeats. */
function fill(before: string, part: string | ((at: number) => string), after = "'"): string {
  const room = maxCommandLength - before.length - after.length;
  const parts: string[] = [];
  for (let length = 0, at = 0; ; at += 1) {
    const next = typeof part === "string" ? part : part(at);
    length += next.length;
    if (length > room) break;
    parts.push(next);
  }
  return before + parts.join("") + after;
}

function read(command: string): string {
  try {
    const request = readCurl(command);
    const found = findFields(request, findSecrets(request));
    return titleOf(request, found);
  } catch (error) {
    if (error instanceof CurlError) return error.message;
    throw error;
  }
}

const start = "curl https://a.example";
const text = `${start} -H 'content-type: text/plain' --data-raw '`;

describe("readCurl of the longest command", () => {
  it.each([
    ["path", fill(`${start}/`, "1/", "")],
    ["words of a path", fill(`${start}/`, "A_", "")],
    ["spaces in a cookie", fill(`${start} -b 'a=`, " ", "x'")],
    ["cookies", fill(`${start} -b '`, "a=b;")],
    ["equal parameters", fill(`curl 'https://a.example/?`, "a=b&")],
    ["parameters", fill(`curl 'https://a.example/?`, (at) => `k${at}=v&`)],
    ["equal secrets", fill(`${start} -d '`, "token=b&")],
    ["headers", fill(start, (at) => ` -H 'h${at}: v'`, "")],
    ["secret headers", fill(start, (at) => ` -H 'x-${at}-token: v'`, "")],
    ["form fields", fill(start, (at) => ` -F f${at}=x`, "")],
    ["options", fill(`${start} -`, "s", "")],
    ["secret members", fill(`${start} --json '{`, (at) => `"token${at}":"v",`, `"a":1}'`)],
    ["nested members", fill(`${start} --json '{"a":{`, (at) => `"id${at}":"v",`, `"a":1}}'`)],
    ["elements", fill(text, "<a>x")],
    ["lines", fill(text, "id=b\n")],
    ["quotes", fill(text, 'id="')],
    ["encoded percent signs", fill(`${text}%`, "25")],
    ["addresses", fill(text, "://a:b:")],
    ["dotted names", fill(text, "a.a.a-")],
  ])("takes linear time: %s", (_, command) => {
    read(command.slice(0, 2_000));
    const before = threadCpuUsage().user;
    const result = read(command);
    const ms = (threadCpuUsage().user - before) / 1_000;
    expect(result).not.toBe("");
    expect(ms).toBeLessThan(maxMs);
  });

  it.each([
    ["segments", `${start}/${"1/".repeat(200)}`, "more than 100 segments"],
    ["values", fill(`curl 'https://a.example/?`, (at) => `k${at}=v&`), "more than 200 values"],
    ["options", fill(start, " -s", ""), "more than 2000 options"],
  ])("refuses too many %s", (_, command, message) => {
    expect(() => readCurl(command)).toThrow(message);
  });
});
