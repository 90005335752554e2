import { gzipSync } from "node:zlib";

/** Creates a package archive like those in a registry. */
export function pack(name: string, files: Readonly<Record<string, string>>): Buffer {
  const manifest = JSON.stringify({ name, version: "1.0.0" });
  const entries = Object.entries({ "package.json": manifest, ...files });
  const blocks = entries.flatMap(([path, text]) => entry(`package/${path}`, Buffer.from(text)));
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1_024)]));
}

function entry(path: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(512);
  header.write(path, 0, 100);
  header.write("0000644\0", 100);
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        0ustar\x0000", 148, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return [header, content, Buffer.alloc(-content.length & 511)];
}
