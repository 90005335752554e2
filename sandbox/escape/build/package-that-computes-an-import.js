import find from "evil-that-computes-an-import";

export const attempt = {
  tries: "to have the disk searched by an import whose path is a template",
  refusedBecause: "a build sees no disk but its own packages",
  packages: {
    "evil-that-computes-an-import": {
      manifest: { type: "module" },
      files: {
        "index.js":
          "export default (n) => import(`.${`/../../../../../../../../`}${n}${`.json`}`);",
      },
    },
  },
  mayBeSaved: true,
  ends: { code: "tool_error" },
};

export default async () => ({ was: await find("") });
