import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const { arch, platform } = process;

/** The package of each program for this platform, and the package that depends on it. */
const packages = {
  esbuild: { name: `@esbuild/${platform}-${arch}`, parent: "esbuild" },
  workerd: {
    name: `@cloudflare/workerd-${platform}-${arch === "x64" ? "64" : arch}`,
    parent: "workerd/package.json",
  },
};

/**
 * The path of a program that is installed with the service. A packed service brings its programs in one package of its own;
 * in a checkout, each is in the package of its publisher. Throws if neither is installed.
 */
export function shippedProgram(name: keyof typeof packages): string {
  const own = `@toolhost/runtime-${platform}-${arch}`;
  const publisher = packages[name];
  const { resolve } = createRequire(import.meta.url);
  const folders = [
    () => resolve(`${own}/package.json`),
    // It may be installed where only its parent can resolve it.
    () => createRequire(resolve(publisher.parent)).resolve(`${publisher.name}/package.json`),
  ];
  for (const find of folders) {
    try {
      return join(dirname(find()), "bin", name);
    } catch {
      // The other package is installed.
    }
  }
  throw new Error(`Neither the package ${own} nor ${publisher.name} is installed`);
}
