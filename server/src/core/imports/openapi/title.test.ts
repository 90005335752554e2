import { describe, expect, it } from "vitest";
import { qualifyTitle } from "./title.ts";

describe("qualifyTitle", () => {
  it.each(["List", "Get one", "Create", "Get by ID", "Update existing item"])(
    "adds the subject to %j",
    (title) => {
      expect(qualifyTitle(title, "Customers")).toBe(`${title} (Customers)`);
    },
  );

  it.each(["List customers", "Search", "Get repository details"])(
    "keeps %j if it or the subject says enough",
    (title) => {
      expect(qualifyTitle(title, title === "Search" ? "" : "Customers")).toBe(title);
    },
  );

  it("stays within the length of titles", () => {
    expect(qualifyTitle("List", "x".repeat(200))).toHaveLength(80);
  });
});
