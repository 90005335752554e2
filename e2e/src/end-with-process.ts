import type { ChildProcess } from "node:child_process";
import process from "node:process";

/** Kills a program when this process exits. Returns a function that kills it now, and waits for its exit. */
export function endWithProcess(child: ChildProcess): () => Promise<void> {
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  return async () => {
    process.off("exit", kill);
    const exited = new Promise((resolve) => child.once("exit", resolve));
    kill();
    await exited;
  };
}
