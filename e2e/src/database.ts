import process from "node:process";

export { createDatabase } from "../../server/testing/template.ts";

/** The database that this test run is for. */
export const dialect = process.env["TEST_DIALECT"] === "postgres" ? "postgres" : "sqlite";
