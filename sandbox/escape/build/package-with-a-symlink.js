import value from "evil-with-a-link";

export const attempt = {
  tries: "to bundle a file with a symbolic link in a package",
  blockedBecause: "links are not unpacked, and paths are checked after links are resolved",
  packages: {
    "evil-with-a-link": {
      manifest: { type: "module" },
      files: { "index.js": 'export { default } from "./link.js";', "link.js": "-> /etc/passwd" },
    },
  },
  refused: "not allowed|resolve",
};

export default () => ({ is: "refused", value });
