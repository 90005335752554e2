import process from "node:process";

export { createDatabase } from "../../server/testing/template.ts";

/** The database of this test run. */
export const dialect = process.env["TEST_DIALECT"] === "postgres" ? "postgres" : "sqlite";
