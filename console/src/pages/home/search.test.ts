import { describe, expect, it } from "vitest";
import { filtersOf, queryOf, validateHomeSearch } from "./search.ts";

describe("the filters of the list of tools", () => {
  it("reads them from the address without values that are not valid", () => {
    const search = validateHomeSearch({ tag: "orders", sort: "color", state: "failing", q: "x" });
    expect(filtersOf(search)).toEqual({ tag: "orders", state: "failing" });
    expect(queryOf(search)).toEqual({ tag: "orders", state: "failing" });
    expect(queryOf(validateHomeSearch({ show: "favorites" }))).toEqual({ origin: "favorites" });
  });
});
