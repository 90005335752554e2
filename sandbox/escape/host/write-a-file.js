import fs from "node:fs";

export const attempt = {
  tries: "to leave a file on the machine",
  blockedBecause: "written files exist only in the runtime's memory",
  ends: { says: '"in memory"' },
  absent: ["/tmp/escape-left-a-file", "/etc/escape-left-a-file"],
};

export default () => {
  const ends = [];
  for (const path of [
    "/tmp/escape-left-a-file",
    "/etc/escape-left-a-file",
    "/listen/escape",
    "/app/escape",
  ]) {
    try {
      fs.writeFileSync(path, "left");
      ends.push("in memory");
    } catch (error) {
      ends.push(error.code);
    }
  }
  return ends;
};
