import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { controls, pickers, surfaces, tokens } from "../src/design/index.ts";

const root = join(import.meta.dirname, "../..");
const sources = globSync(
  ["{console,ui}/src/**/*.{ts,tsx,css}", "server/src/oauth/**/*.ts", "console/gallery/*.{ts,tsx}"],
  { cwd: root },
).filter((path) => !path.endsWith(".test.ts") && path !== "ui/src/design/tokens.ts");

/** What matches in the sources, as "file: text". */
function findAll(pattern: RegExp): string[] {
  return sources.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(pattern)].map(
      ([text]) => `${path}: ${text}`,
    ),
  );
}

describe("design", () => {
  it("has all colors in the tokens", () => {
    const color =
      /(?<=[^&\w/])#(?:[0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})\b(?!-)|\b(?:rgb|hsl)a?\(\d[^)]*\)/gi;
    // The example of a color field is a value, not a look.
    expect(findAll(color)).toEqual(["ui/src/form/messages.ts: #3366cc"]);
  });

  it("has no sizes of its own in classes of the console", () => {
    expect(findAll(/\b(?:text|rounded|min-h|h|shadow)-\[\d+(?:\.\d+)?(?:px|rem|em)\]/g)).toEqual(
      [],
    );
  });

  it("has one formatter of times", () => {
    const own = /toLocale(?:Date|Time)String|new Date\([^)]*\)\.toLocaleString|\bat\.slice\(/g;
    expect(findAll(own)).toEqual([]);
  });

  it("dims the gutter of the scrollbar as the backdrop dims the page", () => {
    const valuesOf = (name: string) => {
      const [, ...values] =
        new RegExp(`--${name}:light-dark\\(#(\\w+),#(\\w+)\\)`).exec(tokens) ?? [];
      return values.map((hex) => (hex.match(/../g) ?? []).map((part) => Number.parseInt(part, 16)));
    };
    const backs = valuesOf("back");
    const seen = valuesOf("backdrop").map(([red = 0, green = 0, blue = 0, alpha = 0], at) =>
      [red, green, blue].map((part, channel) => {
        const share = alpha / 255;
        return part * share + (backs[at]?.[channel] ?? 0) * (1 - share);
      }),
    );
    const dimmed = valuesOf("back-dimmed");
    expect(seen).toHaveLength(2);
    const off = seen.flatMap((color, at) =>
      color.filter((part, channel) => Math.abs(part - (dimmed[at]?.[channel] ?? 0)) > 1),
    );
    expect(off).toEqual([]);
  });

  it("declares each variable that it uses", () => {
    const text = `${tokens}${controls}${pickers}${surfaces}`;
    const declared = new Set([...text.matchAll(/(--[\w-]+):/g)].map(([, name]) => name));
    // Hosts of the widget set these.
    const fromHosts = /^--(?:color|font|border)-/;
    const used = [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name ?? "");
    expect(used.filter((name) => !declared.has(name) && !fromHosts.test(name))).toEqual([]);
  });
});
