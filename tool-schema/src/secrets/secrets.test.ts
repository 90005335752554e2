import { describe, expect, it } from "vitest";
import {
  asksForSecret,
  isSecretLabel,
  isSecretName,
  isSecretValue,
  withoutSecrets,
} from "./index.ts";

const secretNames = [
  ..."password password1 passwords1 PassWord pass_word passwordConfirmation pwd passwort p.a.s.s.w.o.r.d".split(
    " ",
  ),
  ..."user[password] login.password new-password-2 api_key APIKey accessKey AWS_SECRET_ACCESS_KEY".split(
    " ",
  ),
  ..."client_secret_value githubToken token_prod bearerToken sessionId cookie mfaCode 2fa otp_code".split(
    " ",
  ),
  ..."passkey apitoken db_pwd appsecret seedPhrase recovery_key cardnumber card_number CVV ssn pin bank_pin credentials".split(
    " ",
  ),
  "p\u0430ssword",
  "раssword",
  "pässword",
  "ｐassword",
  "p\u200Bassword",
  "пароль",
  "パスワード",
];

const plainNames = [
  ..."max_tokens maxTokens token_count total_tokens prompt_tokens tokenType token_symbol tokenize".split(
    " ",
  ),
  ..."page_token next_page_token sort_key issueKey idempotency_key public_key key keyword keyboard".split(
    " ",
  ),
  ..."passing pinned pinterest pin_color passenger compass passport bypass author authority monkey".split(
    " ",
  ),
  ..."secretary hasPassword password_length password_reset_url code country_code phone_number id".split(
    " ",
  ),
];

describe("isSecretName", () => {
  it.each(secretNames)("accepts %s, also as a label", (name) => {
    expect([isSecretName(name), isSecretLabel(name)]).toEqual([true, true]);
  });

  it.each(plainNames)("refuses %s, also as a label", (name) => {
    expect([isSecretName(name), isSecretLabel(name)]).toEqual([false, false]);
  });

  it.each("auth x-auth X-Key session signature sig user_pass".split(" "))(
    "accepts %s as the name of a value, but not as a label",
    (name) => expect([isSecretName(name), isSecretLabel(name)]).toEqual([true, false]),
  );

  it.each(["passw0rd", "pa55word", "p@ssword"])("accepts %s as a label", (name) => {
    expect(isSecretLabel(name)).toBe(true);
  });

  it("refuses a number of tokens", () => {
    expect([isSecretName("tokens", 5), isSecretName("tokens", ["a"])]).toEqual([false, true]);
  });
});

function timeOf(run: () => unknown): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

describe("asksForSecret", () => {
  it.each([
    "Enter your password / API key here",
    "Please enter your AWS secret key and your password",
    "Your password?",
    "API key:",
    "Type the MFA code from your phone",
    "What is your PIN?",
    "Give me your GitHub token",
    "Enter your p\u0430ssword",
    "Bitte geben Sie Ihr Passwort ein",
    "Email, password",
    "Reply with your API key",
    "Saisissez votre mot de passe",
    "Your one time code",
    `${"x".repeat(8_000)}. Enter your password`,
  ])("accepts %s", (text) => expect(asksForSecret(text)).toBe(true));

  it.each([
    "Reset the password of ada@example.com?",
    "The password was changed. Continue?",
    "Never share your API key.",
    "Do not enter your password here.",
    "Your favorite number (do not give us your phone number, pin, or other sensitive info)",
    "Enter the token count",
    "Enter the maximum number of tokens per reply",
    "Enter the reason for the password change",
    "What is the token for?",
    'Delete the API key "ci"?',
    "Which environment?",
    "What is the password policy for?",
  ])("refuses %s", (text) => expect(asksForSecret(text)).toBe(false));

  it.each([",", "a,", "password ", "please ", "\uFDFA"])(
    "reads a text of 8,000 times %j in linear time",
    (part) => expect(timeOf(() => asksForSecret(part.repeat(8_000)))).toBeLessThan(400),
  );
});

describe("isSecretValue", () => {
  it("reads a long address in linear time", () => {
    expect(timeOf(() => isSecretValue(`://${"a".repeat(100_000)}`))).toBeLessThan(1_000);
  });

  it.each([
    "Bearer S3cr3tV4lue",
    "Basic dTpTM2NyM3Q=",
    "Use ghp_123456789012345678901234567890123456, please",
    "https://u:hunter2@example.com/x",
    "https://example.com/?token=hunter2",
    "password: hunter2",
    "user: a\n  password: hunter2",
    "password=hunter2\nuser=b",
    '{"password":"hunter2"',
    '{"user[password]": "hunter2"',
    "{'password': 'hunter2'}",
    "<login><password><![CDATA[hunter2]]></password></login>",
    'note="password=hunter2"',
    "export DB_PASSWORD=hunter2",
    "next=%252Fa%253Ftoken%253Dhunter2",
    "-----BEGIN RSA PRIVATE KEY-----",
    "Use whsec_abcdefghijabcdefghij1234",
  ])("accepts %s", (text) => expect(isSecretValue(text)).toBe(true));

  it("accepts a long secret in an element", () => {
    expect(isSecretValue(`<password>${"a1".repeat(5_000)}</password>`)).toBe(true);
  });

  it.each([
    "Basic plan",
    "Token ring",
    "Bearer $TOKEN",
    "https://example.com/a@b",
    "ssh://git@example.com/x",
    "https://example.com/?page=2&max_tokens=5",
    "token: $TOKEN",
    "mutation($password: String!) { login(password: $password) { id } }",
    "input Login {\n password: String\n}",
    "Send it to a@example.com: it is urgent",
  ])("refuses %s", (text) => expect(isSecretValue(text)).toBe(false));
});

describe("withoutSecrets", () => {
  it("empties every text and number below a name of a secret, and keeps the types", () => {
    const value = {
      password: ["a", { value: "b", other: 1 }],
      user: { pin: 1234, name: "Ada", age: 36, hasPassword: true },
      max_tokens: 100,
      headers: [
        { name: "x-api-key", value: "c" },
        { name: "x-color", value: "blue" },
      ],
    };
    expect(withoutSecrets(value)).toEqual({
      password: ["", { value: "", other: 0 }],
      user: { pin: 0, name: "Ada", age: 36, hasPassword: true },
      max_tokens: 100,
      headers: [
        { name: "x-api-key", value: "" },
        { name: "x-color", value: "blue" },
      ],
    });
  });
});
