import { Transform } from "node:stream";

/** Passes a body through and counts its bytes. If `count` throws, the body ends with that error. */
export function meter(count: (bytes: number) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        count(chunk.length);
      } catch (error) {
        done(error instanceof Error ? error : new Error("The body was cut"));
        return;
      }
      done(null, chunk);
    },
  });
}
