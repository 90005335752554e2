export const attempt = {
  tries: "to write a credential into output, log, progress and error",
  refusedBecause: "it has the placeholder alone",
  ends: { code: "tool_error", message: "^th_" },
  allowedHosts: ["http://{witness}", "http://{other}"],
  keyHosts: ["http://{witness}"],
};

export default (_, { credentials, progress }) => {
  console.log(credentials.KEY, [credentials]);
  progress(0.5, credentials.KEY);
  throw new Error(credentials.KEY);
};
