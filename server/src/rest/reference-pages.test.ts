import { describe, expect, it } from "vitest";
import { routes } from "./index.ts";
import { describeApi } from "./openapi.ts";
import { describePages } from "./reference-pages.ts";

describe("describePages", () => {
  const pages = describePages(describeApi(routes, "http://localhost"));

  it("has a section for each route on the page of its tag", () => {
    const missing = routes.filter(({ method, path, tag }) => {
      const heading = `\n${method.toUpperCase()} /api/v1${path}\n`;
      return pages.get(`${tag.toLowerCase()}.md`)?.includes(heading) !== true;
    });
    expect(missing).toEqual([]);
  });

  it("has a heading for each schema that a page links to", () => {
    const schemas = pages.get("schemas.md") ?? "";
    const anchors = new Set(
      [...schemas.matchAll(/^## (\w+)$/gm)].map(([, name = ""]) => name.toLowerCase()),
    );
    const links = [...pages.values()].flatMap((page) =>
      [...page.matchAll(/\]\((?:schemas\.md)?#(\w+)\)/g)].map(([, anchor = ""]) => anchor),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });

  it("describes bounds, alternatives and nested fields", () => {
    const field = { type: "string", maxLength: 5 };
    const item = { type: "object", properties: { name: field }, required: ["name"] };
    const schemas = {
      Thing: {
        type: "object",
        properties: {
          items: { type: "array", items: item },
          count: { anyOf: [{ type: "integer", minimum: 1, maximum: 9 }, { type: "null" }] },
          kind: { enum: ["a|b"], description: "One\ntwo" },
        },
      },
    };
    expect(describePages({ paths: {}, components: { schemas } }).get("schemas.md")).toContain(
      [
        "| `items` | array of object | no |  |",
        "| `items[].name` | string, up to 5 characters | yes |  |",
        "| `count` | integer, 1 to 9 or null | no |  |",
        String.raw`| ${"`"}kind${"`"} | ${"`"}a\|b${"`"} | no | One two |`,
      ].join("\n"),
    );
  });
});
