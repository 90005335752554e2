import { convertIndexedToRgb, decode as decodePng, encode as encodePng } from "fast-png";
import jpeg from "jpeg-js";

type Format = "png" | "jpeg";
type Fit = "inside" | "cover" | "fill";

type Input = {
  image: string;
  width?: number;
  height?: number;
  fit?: Fit;
  format?: Format | "same";
  quality?: number;
};

type Size = { width: number; height: number };
type Output = Size & {
  file: Awaited<ReturnType<ToolContext["files"]["save"]>>;
  format: Format;
  original: Size & { format: Format; size: number };
};

/** Four bytes a pixel: red, green, blue, alpha. */
type Picture = Size & { data: Uint8Array };
/** A part of a picture, in its own pixels. */
type Area = Size & { left: number; top: number };

const maxBytes = 30 * 1024 * 1024;
// Decoded pixels take far more memory than in the file, and the run has 256 MB in total.
const maxRead = 6_000_000;
const maxMade = 3_000_000;
const maxJpegMegabytes = 72;

/** Resizes and converts PNG and JPEG images. Removes camera metadata, such as the location. */
export default async function convertImage(input: Input, ctx: ToolContext): Promise<Output> {
  const file = await ctx.files.open(input.image);
  if (file.size > maxBytes) throw new Error("The image is larger than 30 MB. Use a smaller one.");
  const bytes = await file.bytes();
  const from = formatOf(bytes);
  const picture = decode(bytes, from);
  // Rotated last, when it is small, to save memory.
  const orientation = from === "jpeg" ? orientationOf(bytes) : 1;
  const isLying = orientation >= 5;
  const shown = isLying ? { width: picture.height, height: picture.width } : picture;
  ctx.progress(0.5, `${shown.width} × ${shown.height}`);

  const format = input.format === "png" || input.format === "jpeg" ? input.format : from;
  const { fit = "inside" } = input;
  const [across, down] = isLying ? [input.height, input.width] : [input.width, input.height];
  const { area, size } = plan(picture, fit, across, down);
  const resized = turn(resize(picture, area, size), orientation);
  const body = encode(resized, format, input.quality);
  const name = file.fileName.replace(/\.[^.]*$/, "") + (format === "png" ? ".png" : ".jpg");
  const saved = await ctx.files.save({ name, mimeType: `image/${format}`, body });
  const original = { width: shown.width, height: shown.height, format: from, size: file.size };
  return { file: saved, width: resized.width, height: resized.height, format, original };
}

function formatOf(bytes: Uint8Array): Format {
  const starts = (...first: number[]) => first.every((byte, at) => bytes[at] === byte);
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "png";
  if (starts(0xff, 0xd8, 0xff)) return "jpeg";
  throw new Error("The file is neither a PNG nor a JPEG image. Convert it to one of them first.");
}

function decode(bytes: Uint8Array, format: Format): Picture {
  try {
    return format === "png" ? fromPng(bytes) : fromJpeg(bytes);
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (/^The image|maxResolution|maxMemory/.test(message)) throw tooManyPixels(error);
    throw new Error(`The image cannot be read: ${message}. Is the file complete?`, {
      cause: error,
    });
  }
}

function tooManyPixels(cause?: unknown): Error {
  return new Error("The image has too many pixels. Use a smaller one.", {
    cause,
  });
}

function fromPng(bytes: Uint8Array): Picture {
  // Checked before decoding, because a small file may contain a very large picture.
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (header.getUint32(16) * header.getUint32(20) > maxRead) throw tooManyPixels();
  const png = decodePng(bytes);
  const { width, height, depth, channels } = png;
  const isPacked = channels === 1 && depth <= 8;
  const palette = png.palette ?? greys(depth);
  const source = isPacked ? convertIndexedToRgb({ ...png, palette }) : png.data;
  const step = isPacked ? source.length / (width * height) : channels;
  const shift = !isPacked && depth === 16 ? 8 : 0;
  const data = new Uint8Array(width * height * 4);
  const at = (index: number) => (source[index] ?? 0) >> shift;
  for (let pixel = 0, from = 0; pixel < data.length; pixel += 4, from += step) {
    const isGray = step < 3;
    data[pixel] = at(from);
    data[pixel + 1] = at(isGray ? from : from + 1);
    data[pixel + 2] = at(isGray ? from : from + 2);
    data[pixel + 3] = step % 2 === 0 ? at(from + step - 1) : 255;
  }
  return { width, height, data };
}

function greys(depth: number): [number, number, number][] {
  const most = 2 ** depth - 1;
  return Array.from({ length: most + 1 }, (_, value) => {
    const gray = Math.round((value * 255) / most);
    return [gray, gray, gray];
  });
}

function fromJpeg(bytes: Uint8Array): Picture {
  const { width, height, data } = jpeg.decode(bytes, {
    useTArray: true,
    maxResolutionInMP: maxRead / 1e6,
    maxMemoryUsageInMB: maxJpegMegabytes,
  });
  return { width, height, data };
}

/** The Exif orientation, 1 to 8. 1 is upright. */
function orientationOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    for (let at = 2; view.getUint8(at) === 0xff && view.getUint8(at + 1) !== 0xda;) {
      const isExif = view.getUint8(at + 1) === 0xe1 && view.getUint32(at + 4) === 0x45786966;
      if (isExif) return orientationInTiff(view, at + 10);
      at += 2 + view.getUint16(at + 2);
    }
  } catch {
    // Invalid metadata is ignored.
  }
  return 1;
}

function orientationInTiff(view: DataView, start: number): number {
  const isLittle = view.getUint16(start) === 0x4949;
  const directory = start + view.getUint32(start + 4, isLittle);
  const entries = view.getUint16(directory, isLittle);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (view.getUint16(at, isLittle) === 0x0112) return view.getUint16(at + 8, isLittle);
  }
  return 1;
}

function turn(picture: Picture, orientation: number): Picture {
  if (orientation < 2 || orientation > 8) return picture;
  const isLying = orientation >= 5;
  const [width, height] = isLying
    ? [picture.height, picture.width]
    : [picture.width, picture.height];
  const isFromRight = [2, 3, 7, 8].includes(orientation);
  const isFromBottom = [3, 4, 6, 7].includes(orientation);
  const data = new Uint8Array(picture.data.length);
  for (let y = 0, to = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, to += 4) {
      const [across, down] = isLying ? [y, x] : [x, y];
      const column = isFromRight ? picture.width - 1 - across : across;
      const row = isFromBottom ? picture.height - 1 - down : down;
      const from = (row * picture.width + column) * 4;
      for (let at = 0; at < 4; at += 1) data[to + at] = picture.data[from + at] ?? 0;
    }
  }
  return { width, height, data };
}

/** The visible part of the picture and its new size. Missing dimensions follow from its aspect ratio. */
function plan(picture: Picture, fit: Fit, across: number | undefined, down: number | undefined) {
  const ratio = picture.width / picture.height;
  const width = across ?? (down === undefined ? picture.width : down * ratio);
  const height = down ?? (across === undefined ? picture.height : across / ratio);
  const area = { left: 0, top: 0, width: picture.width, height: picture.height };
  const scale = Math.min(1, width / picture.width, height / picture.height);
  const isInside = fit === "inside";
  const size = {
    width: pixels(isInside ? area.width * scale : width),
    height: pixels(isInside ? area.height * scale : height),
  };
  if (size.width * size.height > maxMade) {
    throw new Error("The new image would have over 3 million pixels. Use a smaller width.");
  }
  if (fit !== "cover") return { area, size };
  // The largest centered part with that aspect ratio.
  const shape = size.width / size.height;
  area.width = Math.min(picture.width, picture.height * shape);
  area.height = Math.min(picture.height, picture.width / shape);
  area.left = (picture.width - area.width) / 2;
  area.top = (picture.height - area.height) / 2;
  return { area, size };
}

const pixels = (size: number) => Math.max(1, Math.round(size));

/** The sources of a pixel: the first source pixel, and the weights of it and those after it. */
type Share = { first: number; weights: number[] };

/** Shrinks by averaging the covered pixels, and enlarges by interpolating between neighbors. */
function shares(start: number, length: number, count: number, most: number): Share[] {
  const step = length / count;
  return Array.from({ length: count }, (_, index) => {
    const reach = Math.max(step, 1);
    const middle = start + (index + 0.5) * step;
    const first = Math.max(0, Math.floor(middle - reach / 2));
    const last = Math.min(most - 1, Math.ceil(middle + reach / 2) - 1);
    const weights = Array.from({ length: last - first + 1 }, (_unused, offset) => {
      const from = Math.max(first + offset, middle - reach / 2);
      return Math.max(0, Math.min(first + offset + 1, middle + reach / 2) - from);
    });
    const sum = weights.reduce((total, weight) => total + weight, 0);
    return { first, weights: weights.map((weight) => weight / sum) };
  });
}

function resize(picture: Picture, area: Area, size: Size): Picture {
  const { width, height } = size;
  if (width === picture.width && height === picture.height && area.width === width) return picture;
  const columns = shares(area.left, area.width, width, picture.width);
  const rows = shares(area.top, area.height, height, picture.height);
  const data = new Uint8Array(width * height * 4);
  const sums = new Float32Array(width * 4);
  const done = new Map<number, Float32Array>();
  // Rows are reused, because garbage counts as memory, too.
  const spare: Float32Array[] = [];
  for (const [y, { first, weights }] of rows.entries()) {
    for (const [number, row] of done) if (number < first && done.delete(number)) spare.push(row);
    sums.fill(0);
    for (const [offset, weight] of weights.entries()) {
      const row = done.get(first + offset) ?? spare.pop() ?? new Float32Array(width * 4);
      if (!done.has(first + offset)) resizeRow(picture, first + offset, columns, row);
      done.set(first + offset, row);
      for (let at = 0; at < sums.length; at += 1)
        sums[at] = (sums[at] ?? 0) + (row[at] ?? 0) * weight;
    }
    writeRow(sums, data, y * width * 4);
  }
  return { width, height, data };
}

/** Resizes a row. Colors are weighted by their opacity, so that transparent pixels do not contribute. */
function resizeRow(
  { width, data }: Picture,
  y: number,
  columns: readonly Share[],
  row: Float32Array,
): void {
  let to = 0;
  for (const { first, weights } of columns) {
    let [red, green, blue, alpha] = [0, 0, 0, 0];
    let from = (y * width + first) * 4;
    for (const weight of weights) {
      const opacity = (data[from + 3] ?? 0) * weight;
      red += (data[from] ?? 0) * opacity;
      green += (data[from + 1] ?? 0) * opacity;
      blue += (data[from + 2] ?? 0) * opacity;
      alpha += opacity;
      from += 4;
    }
    row[to] = red;
    row[to + 1] = green;
    row[to + 2] = blue;
    row[to + 3] = alpha;
    to += 4;
  }
}

function writeRow(sums: Float32Array, data: Uint8Array, start: number): void {
  for (let at = 0; at < sums.length; at += 4) {
    const alpha = sums[at + 3] ?? 0;
    for (let channel = 0; channel < 3; channel += 1) {
      data[start + at + channel] = alpha === 0 ? 0 : Math.round((sums[at + channel] ?? 0) / alpha);
    }
    data[start + at + 3] = Math.round(alpha);
  }
}

function encode(picture: Picture, format: Format, quality = 85): Uint8Array<ArrayBuffer> {
  const encoded = format === "png" ? toPng(picture) : jpeg.encode(onWhite(picture), quality).data;
  return new Uint8Array(encoded);
}

function toPng({ width, height, data }: Picture): Uint8Array {
  const isOpaque = data.every((value, at) => at % 4 !== 3 || value === 255);
  if (!isOpaque) return encodePng({ width, height, data, channels: 4 });
  const opaque = new Uint8Array(width * height * 3);
  for (let at = 0; at < opaque.length; at += 1) opaque[at] = data[at + Math.floor(at / 3)] ?? 0;
  return encodePng({ width, height, data: opaque, channels: 3 });
}

/** Adds a white background, because JPEGs have no transparency. */
function onWhite({ width, height, data: source }: Picture): Picture {
  const data = source.map((value, at) => {
    const alpha = (source[at - (at % 4) + 3] ?? 0) / 255;
    return Math.round(value * alpha + 255 * (1 - alpha));
  });
  return { width, height, data };
}
