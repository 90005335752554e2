import find from "evil-that-computes-an-import";

export const attempt = {
  tries: "to search the disk with a template import path",
  blockedBecause: "a build can access only its own packages",
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
