/** Files of npm packages, which the compiler reads only when they are imported. The types of Node.js are always loaded. */
const packageFile = /^file:\/\/\/node_modules\/(?!@types\/node\/)/;

/** Whether a file is a root file of the compiler. */
export function isRootFile(name: string): boolean {
  return !packageFile.test(name);
}

/** Whether a file is `.cts` or `.mts`. */
export function isModuleTypeScript(name: string): boolean {
  return /\.[cm]ts$/.test(name);
}
