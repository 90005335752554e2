export const attempt = {
  tries: "to pollute prototypes in the redaction of its output",
  blockedBecause: "redaction creates own properties",
  hasKey: true,
};

export default () =>
  JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"is":"refused"}',
  );
