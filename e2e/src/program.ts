import { buildServer, bundledProgram } from "../../server/build.ts";

// Also while a single test file runs, so that no test uses outdated code.
await buildServer();

/** The path of a program of the server, as `npm start` runs it. */
export const programPath: typeof bundledProgram = bundledProgram;
