import { describe, expect, it } from "vitest";
import { hasBrowser, openStage } from "../testing/stage.ts";
import type { JsonObject } from "@toolhost/tool-schema/json";

const tool: JsonObject = {
  name: "plan_trip_abcd",
  title: "Plan a trip",
  description:
    "Finds the days on which a trip costs least, with the weather that is to be expected.",
  inputSchema: {
    type: "object",
    properties: {
      city: { type: "string", description: "Where to go" },
      from: { type: "string", format: "date", title: "First day" },
      people: { type: "integer", minimum: 1, maximum: 9, default: 2 },
      class: { enum: ["economy", "business"], description: "How to fly" },
      flexible: { type: "boolean", default: true, description: "Other days will do" },
      notes: { type: "string", maxLength: 2_000 },
      stops: {
        type: "array",
        items: {
          type: "object",
          properties: { city: { type: "string" }, nights: { type: "integer" } },
          required: ["city"],
        },
      },
      passport: { type: "string", description: "A scan of it" },
    },
    required: ["city", "class"],
  },
  outputSchema: {
    properties: [
      { name: "total", type: "number", description: "Price", unit: "EUR" },
      { name: "summary", type: "string", description: "In words" },
    ],
  },
  fileFields: ["passport"],
};

const output: JsonObject = {
  total: 1_234.5,
  summary:
    "## Best days\n\n- **3 May**: sunny\n- 9 May: rain, see [the forecast](https://example.com)\n",
  days: Array.from({ length: 12 }, (_, index) => ({
    day: `2026-05-${String(index + 1).padStart(2, "0")}`,
    price: 400 + index * 37.25,
    weather: index % 2 === 0 ? "sunny" : "rain",
    direct: index % 3 === 0,
  })),
  ticket: {
    fileId: "f1",
    fileName: "ticket.pdf",
    mimeType: "application/pdf",
    size: 48_213,
    url: "https://host.example/api/v1/files/f1",
  },
};

describe.skipIf(!hasBrowser)("createToolView", () => {
  for (const [name, options] of [
    ["light", {}],
    ["dark", { isDark: true }],
    ["narrow", { width: 320 }],
  ] as const) {
    it(`fits its container with sufficient contrast: ${name}`, async () => {
      const stage = await openStage(options);
      try {
        await stage.mount(tool, { city: "Rome", stops: [{ city: "Pisa", nights: 2 }] });
        expect(await stage.submit()).toBeUndefined();
        await stage.screenshot(`form-${name}`);
        await stage.page.getByRole("radio", { name: "economy" }).check();
        expect(await stage.submit()).toMatchObject({ city: "Rome", class: "economy", people: 2 });
        await stage.show({
          status: "running",
          progress: { fraction: 0.4, message: "Asking airlines" },
        });
        await stage.screenshot(`running-${name}`);
        await stage.show({ status: "completed", output, durationMs: 2_345 });
        await stage.screenshot(`result-${name}`);
        const width = await stage.page.evaluate("document.documentElement.scrollWidth");
        expect(width).toBeLessThanOrEqual("width" in options ? options.width : 720);
        expect(await findLowContrast(stage.page)).toEqual([]);
      } finally {
        await stage.close();
      }
    });
  }

  /** Returns texts with a contrast below 4.5 to 1. */
  function findLowContrast(page: { evaluate(source: string): Promise<unknown> }): Promise<unknown> {
    return page.evaluate(`(() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgb = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return canvas.getImageData(0, 0, 1, 1).data;
    };
    const light = (color) => {
      const [r, g, b] = [...rgb(color)].map((part) => {
        const share = part / 255;
        return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element) => {
      for (let one = element; one !== null; one = one.parentElement) {
        const { backgroundColor } = getComputedStyle(one);
        if (rgb(backgroundColor)[3] === 255) return backgroundColor;
      }
      return "white";
    };
    return [...document.querySelectorAll(".toolhost *")].flatMap((element) => {
      const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("").trim();
      if (text === "" || element.closest("[aria-disabled=true], .visually-hidden, option") || !element.checkVisibility()) return [];
      const [one, other] = [light(getComputedStyle(element).color), light(behind(element))].sort();
      const contrast = (other + 0.05) / (one + 0.05);
      return contrast >= 4.5 ? [] : [text.slice(0, 40) + " " + contrast.toFixed(2)];
    });
  })()`);
  }

  it("shows whole lines of the end of the log", async () => {
    const stage = await openStage();
    try {
      await stage.mount(tool);
      const log = Array.from({ length: 30 }, (_, index) => ({
        at: "2026-03-01T12:00:00.000Z",
        level: "info",
        message: `read page ${index}`,
      }));
      await stage.show({ status: "running", log });
      const lines = await stage.page.evaluate(`(() => {
        const log = document.querySelector(".log");
        const range = document.createRange();
        range.selectNodeContents(log);
        const top = log.getBoundingClientRect().top + log.clientTop;
        const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
        const cut = rects.filter((line) => line.top < top - 1 && line.bottom > top + 1);
        return { all: rects.length, cut: cut.length, scrolled: log.scrollTop > 0 };
      })()`);
      expect(lines).toEqual({ all: 30, cut: 0, scrolled: true });
    } finally {
      await stage.close();
    }
  });

  it("shows logs and errors without escape sequences and invisible characters", async () => {
    const stage = await openStage();
    try {
      await stage.mount(tool);
      const shown = () => stage.page.locator(".run").textContent();
      const at = "2026-03-01T12:00:00.000Z";
      const red = "\u001B[31m";
      const log = [{ at, level: "warn", message: `${red}page\u001B[0m \u202E2` }];
      const progress = { fraction: 0.5, message: `${red}step` };
      await stage.show({ status: "running", log, progress });
      expect(await shown()).toContain("step[warn] page \\u{202e}2");
      const [message, stack] = [`${red}gone`, `Error: ${red}gone\r\n at tool.ts:1`];
      await stage.show({ status: "failed", message, stack, log });
      for (const text of ["Stack trace", "Log (1 line)"])
        await stage.page.getByText(text).first().click();
      // The details are filled after they open.
      await expect.poll(shown).toContain("Error: gone\n at tool.ts:1");
      await expect.poll(shown).toContain("warn page \\u{202e}2");
      const text = await shown();
      for (const hidden of ["[31m", "\u001B", "\u202E"]) expect(text).not.toContain(hidden);
    } finally {
      await stage.close();
    }
  });

  it("runs once while a run is in progress, and never submits the form element", async () => {
    const stage = await openStage();
    try {
      await stage.mount(tool, { city: "Rome", class: "economy" });
      await stage.show({ status: "running" });
      await stage.page.getByLabel("city *").first().press("Enter");
      expect(await stage.calls()).toEqual([]);
      await stage.show({ status: "completed", output });
      expect(await stage.submit()).toMatchObject({ city: "Rome" });
      await stage.page.getByLabel("notes").press("Control+Enter");
      expect((await stage.calls()).filter(([name]) => name === "run")).toHaveLength(2);
    } finally {
      await stage.close();
    }
  });
});
