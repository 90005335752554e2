/** How the editor checks the code of tools. The sandbox has the globals of a web worker, without a page. */
export const compilerOptions = {
  // ES next.
  target: 99,
  module: 99,
  // "Bundler", which reads the exports of packages.
  moduleResolution: 100,
  lib: [
    "lib.esnext.d.ts",
    "lib.webworker.d.ts",
    "lib.webworker.iterable.d.ts",
    "lib.webworker.asynciterable.d.ts",
  ],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  allowJs: true,
  checkJs: true,
  isolatedModules: true,
  moduleDetection: 3,
  allowNonTsExtensions: true,
  noEmit: true,
  esModuleInterop: true,
};
