export const attempt = {
  tries: "to prevent its run from ending with output that databases cannot store",
  blockedBecause: "errors and outputs are stored as JSON, which escapes it",
};

export default (_, { progress }) => {
  console.log("a\0b\ud800");
  progress(0.5, "a\0b");
  return { "a\0": "\0\ud800\udfff", is: "refused" };
};
