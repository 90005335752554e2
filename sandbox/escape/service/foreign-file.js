export const attempt = {
  tries: "to open a file of the workspace that its input does not name",
  blockedBecause: "a run can access only files in its input and those that it saved",
};

export default async (_, { files }) => {
  const ends = [];
  for (const id of [
    "../../../etc/passwd",
    "..%2f..",
    "0198c0de-0000-7000-8000-000000000000",
    "*",
    "",
  ]) {
    try {
      await files.open(id);
      ends.push("got through");
    } catch (error) {
      ends.push(error.message.slice(0, 60));
    }
  }
  return { ends, is: "refused" };
};
