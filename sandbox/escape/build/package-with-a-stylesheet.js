import value from "evil-with-a-stylesheet";

export const attempt = {
  tries: "to take in a file by an address in a stylesheet",
  refusedBecause: "only code and JSON go into a tool",
  packages: {
    "evil-with-a-stylesheet": {
      manifest: { type: "module" },
      files: {
        "index.js": 'import "./style.css";\nexport default 1;',
        "style.css": '@import "/etc/passwd"; a { background: url(/etc/passwd) }',
      },
    },
  },
  refused: "not allowed",
};

export default () => ({ is: "refused", value });
