import { crc32 } from "node:zlib";
import { decode as decodePng, encode as encodePng } from "fast-png";
import jpeg from "jpeg-js";
import { afterAll, describe, expect, test } from "vitest";
import { context, forgetTools, run } from "./run-tool.ts";

afterAll(forgetTools);

type Pixel = [number, number, number, number];

const red: Pixel = [255, 0, 0, 255];
const green: Pixel = [0, 255, 0, 255];
const blue: Pixel = [0, 0, 255, 255];
const clear: Pixel = [0, 0, 0, 0];

const png = (width: number, pixels: Pixel[]) =>
  encodePng({
    width,
    height: pixels.length / width,
    data: new Uint8Array(pixels.flat()),
    channels: 4,
  });

async function convert(body: Uint8Array, input: object, name = "a.b.png") {
  const ctx = context(undefined, { name, mimeType: "image/png", body });
  const output = Object(await run("image-converter", { image: "id", ...input }, ctx));
  const [saved] = ctx.saved;
  if (saved === undefined) throw new Error("nothing was saved");
  return { output, saved };
}

const pixelsOf = (body: Uint8Array): number[][] => {
  const { data, channels } = decodePng(body);
  return Array.from({ length: data.length / channels }, (_, at) => [
    ...data.subarray(at * channels, (at + 1) * channels),
  ]);
};

describe("image converter", () => {
  test("shrinks a PNG by averaging pixels, and returns the new size", async () => {
    const { output, saved } = await convert(png(4, [red, red, blue, blue, red, red, blue, blue]), {
      width: 2,
    });
    expect(output).toMatchObject({
      file: { fileName: "a.b.png", mimeType: "image/png" },
      width: 2,
      height: 1,
      format: "png",
      original: { width: 4, height: 2, format: "png" },
    });
    expect(pixelsOf(saved.body)).toEqual([
      [255, 0, 0],
      [0, 0, 255],
    ]);
    const { saved: mixed } = await convert(png(2, [red, blue]), { width: 1 });
    expect(pixelsOf(mixed.body)).toEqual([[128, 0, 128]]);
  });

  test("ignores the color of transparent pixels", async () => {
    const { saved } = await convert(png(2, [red, clear]), { width: 1 });
    expect(pixelsOf(saved.body)).toEqual([[255, 0, 0, 128]]);
    const { saved: onWhite } = await convert(png(2, [clear, clear]), { format: "jpeg" });
    expect([...jpeg.decode(onWhite.body).data]).toEqual([255, 255, 255, 255, 255, 255, 255, 255]);
  });

  test("keeps the aspect ratio, crops, or stretches", async () => {
    const wide = png(4, [red, green, green, blue, red, green, green, blue]);
    const shapeOf = async (input: object) => {
      const { output, saved } = await convert(wide, input);
      const { width, height } = decodePng(saved.body);
      expect([output.width, output.height]).toEqual([width, height]);
      return [width, height];
    };
    expect(await shapeOf({})).toEqual([4, 2]);
    expect(await shapeOf({ width: 100 })).toEqual([4, 2]);
    expect(await shapeOf({ width: 3, height: 1 })).toEqual([2, 1]);
    expect(await shapeOf({ width: 6, height: 6, fit: "fill" })).toEqual([6, 6]);
    expect(await shapeOf({ height: 4, fit: "cover" })).toEqual([8, 4]);
    const { saved } = await convert(wide, { width: 2, height: 2, fit: "cover" });
    expect(pixelsOf(saved.body)).toEqual(Array.from({ length: 4 }, () => [0, 255, 0]));
  });

  test("rejects output sizes over the limit", async () => {
    const input = { width: 8000, height: 8000, fit: "fill" };
    await expect(convert(png(1, [red]), input)).rejects.toThrow(/over 3 million pixels/);
  });

  test("converts between formats", async () => {
    const { saved, output } = await convert(png(2, [red, red]), { format: "jpeg", quality: 95 });
    expect(saved).toMatchObject({ name: "a.b.jpg", mimeType: "image/jpeg" });
    expect(output.format).toBe("jpeg");
    const back = await convert(saved.body, { format: "png" }, "photo.JPG");
    expect(back.saved).toMatchObject({ name: "photo.png", mimeType: "image/png" });
    const [[r = 0, g = 255, b = 255] = []] = pixelsOf(back.saved.body);
    expect(r).toBeGreaterThan(240);
    expect(Math.max(g, b)).toBeLessThan(15);
  });

  test.each([1, 2, 4, 8] as const)("reads a grayscale PNG with %i bits", async (depth) => {
    const data =
      depth === 8
        ? new Uint8Array([0, 255])
        : new Uint8Array([((1 << depth) - 1) << (8 - 2 * depth)]);
    const body =
      depth === 8 ? encodePng({ width: 2, height: 1, data, channels: 1 }) : packedGray(depth, data);
    const { saved } = await convert(body, {});
    expect(pixelsOf(saved.body)).toEqual([
      [0, 0, 0],
      [255, 255, 255],
    ]);
  });

  test("reads 16-bit, grayscale with alpha, and palette PNGs", async () => {
    const deep = encodePng({
      width: 1,
      height: 1,
      data: new Uint16Array([65535, 256, 0]),
      channels: 3,
      depth: 16,
    });
    expect(pixelsOf((await convert(deep, {})).saved.body)).toEqual([[255, 1, 0]]);
    const gray = encodePng({ width: 1, height: 1, data: new Uint8Array([100, 50]), channels: 2 });
    expect(pixelsOf((await convert(gray, {})).saved.body)).toEqual([[100, 100, 100, 50]]);
    const palette = [
      [255, 0, 0],
      [0, 0, 255],
    ] as [number, number, number][];
    const indexed = encodePng({
      width: 2,
      height: 1,
      data: new Uint8Array([1, 0]),
      channels: 1,
      palette,
    });
    expect(pixelsOf((await convert(indexed, {})).saved.body)).toEqual([
      [0, 0, 255],
      [255, 0, 0],
    ]);
  });

  test.each([
    [1, ["r", "b"]],
    [2, ["b", "r"]],
    [3, ["b", "r"]],
    [4, ["r", "b"]],
    [5, ["r", "b"]],
    [6, ["r", "b"]],
    [7, ["b", "r"]],
    [8, ["b", "r"]],
  ])(
    "rotates a photo with orientation %i upright and removes its location",
    async (orientation, order) => {
      const size = 16;
      const data = new Uint8Array(2 * size * size * 4);
      for (let pixel = 0; pixel < 2 * size * size; pixel++) {
        data.set(pixel % (2 * size) < size ? red : blue, pixel * 4);
      }
      const plain = jpeg.encode({ width: 2 * size, height: size, data }, 95).data;
      const { saved, output } = await convert(withExif(plain, orientation), {});
      const isUpright = orientation < 5;
      expect([output.width, output.height]).toEqual(
        isUpright ? [2 * size, size] : [size, 2 * size],
      );
      const { data: turned, width } = jpeg.decode(saved.body);
      const colorAt = (x: number, y: number) =>
        (turned[(y * width + x) * 4] ?? 0) > 128 ? "r" : "b";
      const far = 2 * size - 4;
      expect([colorAt(4, 4), isUpright ? colorAt(far, 4) : colorAt(4, far)]).toEqual(order);
      expect(Buffer.from(saved.body).includes("SECRET PLACE")).toBe(false);
    },
  );

  test.each([
    [new TextEncoder().encode("GIF89a"), /neither a PNG nor a JPEG/],
    [png(1, [red]).subarray(0, 20), /cannot be read/],
    [png(2, [red, blue]).subarray(0, 50), /cannot be read: .*complete\?/],
    [new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 4]), /cannot be read/],
    [bomb(), /too many pixels/],
  ])("rejects unreadable files %#", async (body, message) => {
    await expect(convert(body, {})).rejects.toThrow(message);
  });
});

/** A PNG whose header says that it is very large. */
function bomb(): Uint8Array {
  const body = png(1, [red]).slice();
  new DataView(body.buffer).setUint32(16, 60_000);
  new DataView(body.buffer).setUint32(20, 60_000);
  return body;
}

/** A JPEG as a camera writes it: with how it was held, and more. */
function withExif(plain: Uint8Array, orientation: number): Uint8Array {
  const tiff = Buffer.from([
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    1,
    1,
    0x12,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    orientation,
    0,
    0,
    0,
    0,
    0,
    0,
  ]);
  const content = Buffer.concat([Buffer.from("Exif\0\0"), tiff, Buffer.from("SECRET PLACE")]);
  const head = Buffer.from([0xff, 0xe1, 0, content.length + 2]);
  return Buffer.concat([plain.subarray(0, 2), head, content, plain.subarray(2)]);
}

/** The library writes no depth below 8 without a palette: takes the palette's picture and calls it gray. */
function packedGray(depth: 1 | 2 | 4, data: Uint8Array): Uint8Array {
  const palette = Array.from({ length: 2 ** depth }, () => [0, 0, 0]) as [number, number, number][];
  const body = Buffer.from(encodePng({ width: 2, height: 1, data, depth, channels: 1, palette }));
  const start = body.indexOf("PLTE") - 4;
  const without = Buffer.concat([
    body.subarray(0, start),
    body.subarray(start + 12 + palette.length * 3),
  ]);
  without[25] = 0;
  without.writeUInt32BE(crc32(without.subarray(12, 29)), 29);
  return without;
}
