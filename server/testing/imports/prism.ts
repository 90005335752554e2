import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout } from "node:timers/promises";
import { isObject, objectsAt, textAt } from "@toolhost/tool-schema/json";
import type { JsonObject } from "@toolhost/tool-schema/json";
import { load } from "js-yaml";

/** A document, and a function that reduces it to some operations on another server. */
export function mockOf(file: string) {
  const text = readFileSync(file, "utf8");
  const root = (text.trimStart().startsWith("{") ? JSON.parse(text) : load(text)) as JsonObject;
  for (const item of pathsOf(root)) simplify(item, file.includes("slack"));
  return {
    text: JSON.stringify(root),
    find(keys: readonly string[], serverUrl: string): string {
      const paths = isObject(root["paths"]) ? root["paths"] : {};
      const used = new Set(keys.map((key) => key.slice(key.indexOf(" ") + 1)));
      const kept = Object.entries(paths).filter(([path]) => used.has(path));
      const place =
        root["swagger"] === undefined
          ? { servers: [{ url: serverUrl }] }
          : { host: new URL(serverUrl).host, schemes: ["http"], basePath: "/" };
      return JSON.stringify({ ...root, ...place, paths: Object.fromEntries(kept) });
    },
  };
}

function pathsOf(root: JsonObject): JsonObject[] {
  return Object.values(isObject(root["paths"]) ? root["paths"] : {}).filter(isObject);
}

/**
 * Removes servers of single operations, since all are on one. Slack's document declares the token a second time as a
 * parameter, which Prism would require.
 */
function simplify(item: JsonObject, hasToken: boolean): void {
  delete item["servers"];
  for (const operation of Object.values(item).filter(isObject)) {
    delete operation["servers"];
    if (!hasToken || !Array.isArray(operation["parameters"])) continue;
    operation["parameters"] = objectsAt(operation, "parameters").filter(
      (parameter) => textAt(parameter, "name") !== "token",
    );
  }
}

type Mock = { prism: string; folder: string; port: number; document: string };

/** Starts Prism with a document, and waits until it answers. */
export async function startPrism({ prism, folder, port, document }: Mock) {
  const file = join(folder, `${port}.json`);
  writeFileSync(file, document);
  const child = spawn(process.execPath, [prism, "mock", "-p", String(port), "-v", "error", file], {
    stdio: "ignore",
  });
  const address = `http://127.0.0.1:${port}/`;
  for (let attempt = 0; attempt < 300 && child.exitCode === null; attempt += 1) {
    const isUp = await fetch(address).then(
      () => true,
      () => false,
    );
    if (isUp) return { stop: () => child.kill("SIGKILL") };
    await setTimeout(200);
  }
  child.kill("SIGKILL");
  throw new Error(`Prism does not start with ${file}`);
}
