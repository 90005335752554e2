import { describe, expect, it } from "vitest";
import { toCsv } from "./to-csv.ts";

describe("toCsv", () => {
  it("writes a column for each name and values of any type", () => {
    const rows = [
      { id: 1, name: 'Ada "the" first, really', note: "two\nlines" },
      { id: -2.5, more: { a: [1, null] }, yes: true, nothing: null },
    ];
    expect(toCsv(rows).split("\r\n")).toEqual([
      "\uFEFFid,name,note,more,yes,nothing",
      '1,"Ada ""the"" first, really","two\nlines",,,',
      '-2.5,,,"{""a"":[1,null]}",true,',
      "",
    ]);
  });

  it("escapes cells that spreadsheets would run as formulas", () => {
    const rows = [{ "=name": '=HYPERLINK("http://evil")', b: "@SUM(A1)", c: "-1+2", d: "\tx" }];
    expect(toCsv(rows)).toBe(
      `\uFEFF'=name,b,c,d\r\n"'=HYPERLINK(""http://evil"")",'@SUM(A1),'-1+2,'\tx\r\n`,
    );
  });
});
