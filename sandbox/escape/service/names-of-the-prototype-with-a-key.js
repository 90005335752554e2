export const attempt = {
  tries: "to pollute what takes credentials out of an output by the names in it",
  refusedBecause: "what is made anew has own properties",
  hasKey: true,
};

export default () =>
  JSON.parse(
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"is":"refused"}',
  );
