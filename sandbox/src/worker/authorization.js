/* oxlint-disable typescript/unbound-method -- methods are captured unbound on purpose, to be called through `uncurry` */
// `ctx.authorization`: Authorization header values from placeholders. This module captures the globals that it uses
// before the tool's module is evaluated, because the tool may replace any of them.
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const { freeze } = Object;
const text = String;
const TypeErrorOf = TypeError;
const base64 = btoa;
const codeAt = uncurry(String.prototype.charCodeAt);
const indexOf = uncurry(String.prototype.indexOf);
const charOf = String.fromCharCode;
const encodeText = uncurry(TextEncoder.prototype.encode);
const encoder = new TextEncoder();

/** RFC 6750, section 2.1. */
function bearer(token) {
  return `Bearer ${plain(token, "token")}`;
}

/** RFC 7617, in UTF-8. The egress gate decodes the value to substitute placeholders in it. */
function basic(user, password) {
  const name = plain(user, "user");
  if (indexOf(name, ":") !== -1) {
    throw new TypeErrorOf("The user of Basic authorization cannot contain a colon (RFC 7617)");
  }
  const bytes = encodeText(encoder, `${name}:${plain(password, "password")}`);
  let binary = "";
  for (let i = 0; i < bytes.length; i++) binary += charOf(bytes[i]);
  return `Basic ${base64(binary)}`;
}

/** Rejects control characters, which could end the header or the user name in it. */
function plain(value, what) {
  const given = value === undefined || value === null ? "\0" : text(value);
  for (let i = 0; i < given.length; i++) {
    const code = codeAt(given, i);
    if (code < 0x20 || code === 0x7f) {
      throw new TypeErrorOf(`The ${what} must be text without control characters`);
    }
  }
  return given;
}

export const authorization = freeze({ bearer: freeze(bearer), basic: freeze(basic) });
