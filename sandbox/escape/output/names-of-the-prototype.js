export const attempt = {
  tries: "to pollute the service by keys such as __proto__",
  refusedBecause: "an output is text until it is parsed, and parsing makes own properties",
  ends: { says: '^\\{"__proto__":\\{"polluted":1\\},"constructor"' },
};

export default () =>
  JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
