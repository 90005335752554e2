import { readFileSync } from "node:fs";
import process from "node:process";

const msPerTick = 10;

/** CPU time and peak memory of the processes that this process has started and that still run. Linux only. */
export function childUsage(): { cpuMs: number; peakMb: number } {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, "latin1");
  const used = children
    .split(" ")
    .filter((id) => id !== "")
    .map((id) => ({ cpuMs: cpuMsOf(id), peakMb: peakMbOf(id) }));
  return {
    cpuMs: used.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    peakMb: Math.max(0, ...used.map(({ peakMb }) => peakMb)),
  };
}

function cpuMsOf(id: string): number {
  const text = readFileSync(`/proc/${id}/stat`, "latin1");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

function peakMbOf(id: string): number {
  const kilobytes = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${id}/status`, "latin1"))?.[1];
  return Number(kilobytes ?? 0) / 1024;
}
