export const attempt = {
  tries: "to pollute prototypes in the service with keys such as __proto__",
  blockedBecause: "the output is parsed from JSON text, which creates own properties",
  ends: { says: '^\\{"__proto__":\\{"polluted":1\\},"constructor"' },
};

export default () =>
  JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
