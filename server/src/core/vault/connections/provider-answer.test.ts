import { describe, expect, it } from "vitest";
import { tidyAnswer } from "./provider-answer.ts";

const tidy = async (body: unknown, status = 200, headers: Record<string, string> = {}) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await tidyAnswer(new Response(text, { status, headers }));
  const said = await answer.text();
  return {
    status: answer.status,
    body: said === "" ? undefined : (JSON.parse(said) as unknown),
    headers: [...answer.headers.keys()],
  };
};

describe("tidyAnswer", () => {
  it("returns only the members that RFC 6749 defines", async () => {
    const given = {
      access_token: "a",
      token_type: "Bearer",
      id_token: "x",
      email: "y",
      scope: null,
    };
    expect((await tidy(given)).body).toEqual({ access_token: "a", token_type: "Bearer" });
  });

  it("returns an error for status 200 with an error code", async () => {
    const github = await tidy({ error: "bad_verification_code", error_description: "d" });
    expect(github).toMatchObject({ status: 400, body: { error: "bad_verification_code" } });
    const slack = await tidy({ ok: false, error: "invalid_code" });
    expect(slack).toMatchObject({ status: 400, body: { error: "invalid_code" } });
  });

  it("uses the error of the body instead of the header", async () => {
    const headers = { "www-authenticate": 'Basic realm="x"' };
    const answer = await tidy({ error: "invalid_client" }, 401, headers);
    expect(answer).toEqual({
      status: 400,
      body: { error: "invalid_client" },
      headers: ["content-type"],
    });
  });

  it("returns an empty response for anything but a JSON object, for other statuses, and for an error with a token", async () => {
    for (const body of ["", "[]", "null", '"text"', "access_token=a&token_type=bearer", "{"]) {
      expect(await tidy(body)).toMatchObject({ status: 502, body: undefined });
    }
    expect((await tidy({ access_token: "a" }, 201)).status).toBe(201);
    expect((await tidy({ access_token: "a", error: "b" }, 400)).status).toBe(502);
    expect((await tidy({ access_token: "a", token_type: "bearer" }, 500)).body).toBeUndefined();
  });
});
