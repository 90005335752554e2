import { describe, expect, it } from "vitest";
import { ResponseReader } from "./response-reader.ts";

const withLength = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\nX-Outcome: completed\r\n\r\n{"a":1}';
const chunked =
  'HTTP/1.1 200 OK\r\nx-outcome: failed\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"ä\r\n4\r\n":1}\r\n0\r\n\r\n';
const empty = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n";

describe("ResponseReader", () => {
  it.each([
    ["a body with a length", withLength, { status: 200, outcome: "completed", body: '{"a":1}' }],
    [
      "a chunked body",
      chunked.replace("3\r\n", "4\r\n"),
      { status: 200, outcome: "failed", body: '{"ä":1}' },
    ],
    ["no body", empty, { status: 204, outcome: undefined, body: "" }],
  ])("reads %s in one chunk and byte by byte", (_, text, expected) => {
    const bytes = Buffer.from(text);
    const whole = new ResponseReader(100);
    whole.feed(bytes);
    const parts = new ResponseReader(100);
    for (const byte of bytes) {
      expect(parts.isDone).toBe(false);
      parts.feed(Buffer.from([byte]));
    }
    for (const reader of [whole, parts]) {
      expect(reader.isDone).toBe(true);
      expect({ status: reader.status, outcome: reader.outcome, body: reader.body }).toEqual(
        expected,
      );
      expect(reader.isKeptAlive).toBe(text !== empty);
    }
  });

  it("stops at a body that is too large", () => {
    const reader = new ResponseReader(6);
    reader.feed(Buffer.from(withLength));
    expect(reader.isTooLarge).toBe(true);
  });

  it.each([
    ["another protocol", "SSH-2.0-OpenSSH\r\n\r\n"],
    ["no length", "HTTP/1.1 200 OK\r\n\r\nabc"],
    ["an invalid length", "HTTP/1.1 200 OK\r\ncontent-length: 1e3\r\n\r\n"],
    ["an invalid length of a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n"],
    [
      "a chunk longer than declared",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nabc\r\n",
    ],
    ["bytes after the end", `${withLength}HTTP/1.1 200 OK\r\n`],
    ["endless headers", `HTTP/1.1 200 OK\r\n${"a".repeat(70_000)}`],
  ])("throws for %s", (_, text) => {
    const reader = new ResponseReader(1_000_000);
    expect(() => reader.feed(Buffer.from(text))).toThrow(/response|status line/);
  });
});
