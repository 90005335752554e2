/** What the compiler reads of npm packages only where something imports it; the types of Node are there at once. */
const ofPackages = /^file:\/\/\/node_modules\/(?!@types\/node\/)/;

/** Whether the compiler begins from a file, whatever imports it. */
export function isRootFile(name: string): boolean {
  return !ofPackages.test(name);
}

/** Whether a file is TypeScript although its name does not end in `.ts`. */
export function isModuleTypeScript(name: string): boolean {
  return /\.[cm]ts$/.test(name);
}
