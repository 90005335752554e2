export const attempt = {
  tries: "to change its context with the array iterator",
  blockedBecause: "the wrapper iterates by index",
  keyHosts: ["http://{witness}"],
  ends: { says: '^\\["KEY"\\]$' },
};

Array.prototype[Symbol.iterator] = function* () {
  yield "got through";
};
export default (_, { credentials }) => Object.keys(credentials);
