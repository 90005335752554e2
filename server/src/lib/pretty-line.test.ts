import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { prettyLine } from "./pretty-line.ts";

const time = new Date(2026, 0, 2, 3, 4, 5).getTime();
const line = (fields: object) =>
  JSON.stringify({ level: 30, time, pid: 1, hostname: "h", ...fields });
const plain = (fields: object) => prettyLine(line(fields), { hasColors: false });

describe("prettyLine", () => {
  it("shows time, level, message and fields, without the process and the host", () => {
    expect(plain({ status: 200, route: "/api/v1/me", reason: "a b", msg: "request" })).toBe(
      '03:04:05 INFO  request status=200 route=/api/v1/me reason="a b"\n',
    );
  });

  it("shows the stack of an error on indented lines", () => {
    const err = { type: "Error", message: "boom", stack: "Error: boom\n    at main.ts:1:1" };
    expect(plain({ level: 50, err, msg: "failed" })).toBe(
      "03:04:05 ERROR failed\n    Error: boom\n        at main.ts:1:1\n",
    );
  });

  it("shows an error without a stack as JSON", () => {
    expect(plain({ err: "gone", msg: "failed" })).toBe('03:04:05 INFO  failed\n    "gone"\n');
  });

  it("escapes characters that control a terminal or hide text, in every part", () => {
    const evil = "\u001B[2J\u009B1m\r\n\u202Eend\u2028";
    const text = plain({ [evil]: evil, err: { stack: evil }, msg: evil });
    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
    expect(text).toContain("INFO  \\u001b[2J\\u009b1m\\u000d\\u000a\\u202eend\\u2028 ");
  });

  it("adds nothing but colors if the terminal has them", () => {
    const fields = { level: 40, msg: "slow", durationMs: 5, err: { stack: "Error: x\n  at y" } };
    const colored = prettyLine(line(fields), { hasColors: true });
    expect(colored).toContain("\u001B[33mWARN \u001B[39m");
    expect(stripVTControlCharacters(colored)).toBe(plain(fields));
  });
});
