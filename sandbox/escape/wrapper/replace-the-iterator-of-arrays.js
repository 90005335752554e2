export const attempt = {
  tries: "to change what it is given by the iterator of arrays",
  refusedBecause: "the wrapper goes through lists by their numbers",
  keyHosts: ["http://{witness}"],
  ends: { says: '^\\["KEY"\\]$' },
};

Array.prototype[Symbol.iterator] = function* () {
  yield "got through";
};
export default (_, { credentials }) => Object.keys(credentials);
