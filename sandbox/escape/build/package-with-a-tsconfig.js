import value from "evil-with-a-configuration";

export const attempt = {
  tries: "to bundle a file with a package's tsconfig.json",
  blockedBecause: "compiler configurations are not read",
  packages: {
    "evil-with-a-configuration": {
      files: {
        "index.ts": 'import value from "other"; export default value;',
        "package.json": "{}",
        "tsconfig.json":
          '{ "extends": "/etc/passwd", "compilerOptions": { "baseUrl": "/", "paths": { "other": ["/etc/passwd"] } } }',
      },
      manifest: { main: "index.ts" },
    },
  },
  refused: "resolve",
};

export default () => ({ is: "refused", value });
