import type { RequestField } from "@toolhost/tool-schema/curl";
import { describe, expect, it } from "vitest";
import { groupFields } from "./field-groups.ts";

const field = (place: RequestField["place"], name: string, sample?: string | number) =>
  ({ id: `${place}:${name}`, place, name, sample, isInput: true, isAlwaysInput: false }) as const;

describe("groupFields", () => {
  it("makes one input of a value that is in the path and the body", () => {
    const groups = groupFields([
      field("path", "orderId", "ord_1"),
      field("body", "amount", 5),
      field("body", "orderId", "ord_1"),
    ]);
    expect(groups).toMatchObject([
      { ids: ["path:orderId", "body:orderId"], places: ["path", "body"] },
      { ids: ["body:amount"] },
    ]);
  });

  it.each([
    [field("path", "id", "1"), field("body", "id", 1)],
    [field("path", "id", "1"), field("header", "id", "1")],
    [field("query", "page", 1), field("body", "page", 1)],
    [field("body", "file"), field("query", "file")],
  ])("keeps %j and %j apart", (one, other) => expect(groupFields([one, other])).toHaveLength(2));
});
