import { describe, expect, it } from "vitest";
import { findFields } from "./find-fields.ts";
import { readCurl } from "./read-curl.ts";
import { titleOf } from "./title-of.ts";

describe("titleOf", () => {
  it.each([
    ["-X POST /v1/orders/ord_1001/refund", "Refund order"],
    ["/v1/orders", "List orders"],
    ["/v1/orders/ord_1001", "Get order"],
    ["-X POST /api/v2/customers -d a=1", "Create customer"],
    ["-X PATCH /categories/42 -d a=1", "Update category"],
    ["-X DELETE /users/42/sessions/77", "Delete user session"],
    ["/users/42/posts", "List user posts"],
    ["-X POST /v1/chat/completions -d a=1", "Create chat completion"],
    ["-X POST /sendMessage -d a=1", "Send message"],
    ["-X POST /search -d q=1", "Search"],
    ["/search?q=1", "Get search"],
    ["/v1/forecast?latitude=1", "Get forecast"],
    ["/runs/1001", "Get run"],
    ["/", "Get api.example.com"],
  ])("names %s as %s", (rest, title) => {
    const request = readCurl(`curl ${rest.replace("/", "https://api.example.com/")}`);
    expect(titleOf(request, findFields(request, []))).toBe(title);
  });
});
