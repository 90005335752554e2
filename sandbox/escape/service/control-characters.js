export const attempt = {
  tries: "to have its run never end by what no database can store",
  refusedBecause: "what is stored is JSON, which has escapes for it",
};

export default (_, { progress }) => {
  console.log("a\0b\ud800");
  progress(0.5, "a\0b");
  return { "a\0": "\0\ud800\udfff", is: "refused" };
};
