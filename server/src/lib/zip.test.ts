import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createZip } from "./zip.ts";

/** The files that the directory at the end of an archive lists. */
function readZip(archive: Buffer): Record<string, string> {
  const end = archive.subarray(-22);
  expect(end.readUInt32LE(0)).toBe(0x06054b50);
  const files: Record<string, string> = {};
  let at = end.readUInt32LE(16);
  for (let index = 0; index < end.readUInt16LE(10); index++) {
    const entry = archive.subarray(at);
    expect(entry.readUInt32LE(0)).toBe(0x02014b50);
    const [size, nameLength] = [entry.readUInt32LE(24), entry.readUInt16LE(28)];
    const local = archive.subarray(entry.readUInt32LE(42));
    expect(local.readUInt32LE(0)).toBe(0x04034b50);
    const start = 30 + local.readUInt16LE(26);
    const data = local.subarray(start, start + size);
    expect(entry.readUInt32LE(16)).toBe(crc32(data));
    files[entry.subarray(46, 46 + nameLength).toString()] = data.toString();
    at += 46 + nameLength;
  }
  expect(at).toBe(archive.length - 22);
  return files;
}

describe("createZip", () => {
  it("lists each file with its content", () => {
    const files = { "a.txt": "one", "empty.txt": "", "folder/b.txt": "two" };
    const archive = createZip(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
    );
    expect(readZip(Buffer.from(archive))).toEqual(files);
  });
});
