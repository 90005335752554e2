import value from "evil-with-a-link";

export const attempt = {
  tries: "to take in a file by a link within a package",
  refusedBecause: "links are not unpacked, and are followed before they are looked at",
  packages: {
    "evil-with-a-link": {
      manifest: { type: "module" },
      files: { "index.js": 'export { default } from "./link.js";', "link.js": "-> /etc/passwd" },
    },
  },
  refused: "not allowed|resolve",
};

export default () => ({ is: "refused", value });
