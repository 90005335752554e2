import type { JsonObject, ToolDetail } from "@toolhost/contract";
import { definitionDefaults, definitionOf } from "#lib/definition";
import { isObject, isSameJson } from "#lib/json";

/** Members that `toolhost pull` leaves out because they have their default. */
const defaults: JsonObject = { ...definitionDefaults, visibility: "workspace" };

type TextFile = { path: string; text: string };

/** The files of a tool as `toolhost pull` writes them. */
export function toFolder(tool: ToolDetail, folder: string): TextFile[] {
  const { source, ...rest } = definitionOf(tool);
  if (!isObject(source)) return [];
  const { code, ...aboutCode } = source;
  const settings = Object.entries(rest).filter(
    ([name, value]) => !isSameJson(value, defaults[name]),
  );
  const content = {
    $schema: "../../.toolhost/tool.schema.json",
    ...Object.fromEntries(settings),
    source: aboutCode,
  };
  const codeFile = source["language"] === "javascript" ? "tool.js" : "tool.ts";
  return [
    { path: `tools/${folder}/tool.json`, text: `${JSON.stringify(content, null, 2)}\n` },
    { path: `tools/${folder}/${codeFile}`, text: typeof code === "string" ? code : "" },
  ];
}

const short = (name: string) => name.replace(/_[a-z0-9]{4}$/, "");

/** A unique folder per tool: its name without the random suffix, unless another tool has that. */
export function folderNames(names: readonly string[]): Map<string, string> {
  const count = Map.groupBy(names, short);
  return new Map(
    names.map((name) => [name, (count.get(short(name)) ?? []).length > 1 ? name : short(name)]),
  );
}

/** The folders of tools as a compressed archive. */
export async function toArchive(tools: readonly ToolDetail[]): Promise<Blob> {
  const folders = folderNames(tools.map(({ name }) => name));
  const files = tools.flatMap((tool) => toFolder(tool, folders.get(tool.name) ?? tool.name));
  const tar = new Blob(toTar(files)).stream().pipeThrough(new CompressionStream("gzip"));
  return new Response(tar).blob();
}

const block = 512;

/** A tar archive (POSIX ustar). */
function toTar(files: readonly TextFile[]): Uint8Array<ArrayBuffer>[] {
  const encoder = new TextEncoder();
  const parts = files.flatMap(({ path, text }) => {
    const body = encoder.encode(text);
    const padding = new Uint8Array((block - (body.length % block)) % block);
    return [headerOf(path, body.length), body, padding];
  });
  return [...parts, new Uint8Array(2 * block)];
}

function headerOf(path: string, size: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(block);
  const write = (text: string, at: number) => header.set(new TextEncoder().encode(text), at);
  write(path, 0);
  write("0000644\0", 100);
  write("0000000\0", 108);
  write("0000000\0", 116);
  write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  write("00000000000\0", 136);
  // The checksum counts its own field as spaces.
  write("        ", 148);
  write("0", 156);
  write("ustar\u000000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}
