import { encode } from "uqr";

type Input = {
  text: string;
  errorCorrection?: "L" | "M" | "Q" | "H";
  size?: number;
  margin?: number;
  darkColor?: string;
  lightColor?: string;
};

type Output = { svg: string; version: number; modules: number };

/** Draws a QR code as one SVG path, which stays sharp at any size and is small to send. */
export default async function qrCode(input: Input): Promise<Output> {
  const { size = 256, margin = 4, errorCorrection = "M" } = input;
  const dark = checkedColor(input.darkColor ?? "#000000");
  const light = checkedColor(input.lightColor ?? "#ffffff");
  const code = encodeText(input.text, errorCorrection);
  const width = code.size + 2 * margin;

  return {
    svg:
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${width}" width="${size}" ` +
      `height="${size}" shape-rendering="crispEdges"><path fill="${light}" d="M0 0h${width}v${width}H0z"/>` +
      `<path fill="${dark}" d="${drawModules(code.data, margin)}"/></svg>`,
    version: code.version,
    modules: code.size,
  };
}

function encodeText(text: string, errorCorrection: "L" | "M" | "Q" | "H") {
  try {
    return encode(text, { ecc: errorCorrection, boostEcc: false, border: 0 });
  } catch (error) {
    throw new Error(
      'The text is too long for a QR code. Shorten it, or use errorCorrection "L" (at most 2,953 bytes).',
      { cause: error },
    );
  }
}

/** Draws each run of dark modules in a row as one rectangle. */
function drawModules(rows: boolean[][], margin: number): string {
  let path = "";
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x += 1) {
      if (row[x] !== true) continue;
      const start = x;
      while (row[x + 1] === true) x += 1;
      path += `M${start + margin} ${y + margin}h${x - start + 1}v1h-${x - start + 1}z`;
    }
  }
  return path;
}

/** Colors are inserted into markup, so only plain colors are allowed. */
function checkedColor(color: string): string {
  if (/^#[0-9a-f]{6}$/i.test(color)) return color;
  throw new Error(`"${color}" is not a color. Use six hexadecimal digits, such as "#1a73e8".`);
}
