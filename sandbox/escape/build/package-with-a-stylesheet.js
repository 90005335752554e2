import value from "evil-with-a-stylesheet";

export const attempt = {
  tries: "to bundle a file with a URL in a stylesheet",
  blockedBecause: "only code and JSON can be bundled",
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
