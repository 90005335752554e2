/** An error at a position in the code; lines and columns count from 1. */
export type CodeMarker = { line: number; column?: number | undefined; message: string };
