// Runs before the npm scripts on whichever Node they found: `node_modules/.bin/node`, which is a package of this
// platform, or else the one on the PATH. Plain JavaScript that Node 20 understands.
const REQUIRED_MAJOR = 26;

if (Number(process.versions.node.split(".")[0]) < REQUIRED_MAJOR) {
  process.stderr.write(
    `Toolhost needs Node ${REQUIRED_MAJOR} or newer, and this is ${process.versions.node}. ` +
      `npm installs it as an optional package on Linux, macOS and Windows (x64; arm64 except on Windows). ` +
      `Run \`npm ci\` without \`--omit=optional\`, or install Node ${REQUIRED_MAJOR} yourself.\n`,
  );
  process.exitCode = 1;
}
