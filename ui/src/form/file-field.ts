import { button, compact, h } from "../dom.ts";
import { formatBytes } from "../result/format.ts";
import { createControlField, createFrame, emptyValue } from "./field.ts";
import type { Json } from "@toolhost/tool-schema/json";
import type { Field, FieldSpec, FormHost, UploadedFile } from "./field.ts";
import * as messages from "./messages.ts";

/** Creates a field for a file: an upload if the host supports it, otherwise a text field for a file ID. */
export function createFileField(spec: FieldSpec): Field {
  const { upload } = spec.form.host;
  return upload === undefined ? createIdField(spec) : createUploadField(spec, upload);
}

function createIdField(spec: FieldSpec): Field {
  const frame = createFrame(spec, messages.fileIdHint);
  const control = h("input", {
    ...frame.control,
    class: "ui-input",
    type: "text",
    autocomplete: "off",
  });
  control.value = typeof spec.initial === "string" ? spec.initial : "";
  return createControlField(frame, control, {
    read: () => (control.value === "" ? emptyValue(spec) : control.value),
  });
}

type Upload = NonNullable<FormHost["upload"]>;

function createUploadField(spec: FieldSpec, upload: Upload): Field {
  const { initial } = spec;
  const frame = createFrame(spec);
  const control = h("input", { ...frame.control, type: "file" });
  const zone = createDropZone(control);
  const status = createUploadStatus(spec.label, () => {
    control.value = "";
    status.setPreview(undefined);
    state.remove();
    control.focus();
  });
  const show = ({ file, isUploading, failure }: UploadState) => {
    const hadFocus = document.activeElement === control;
    status.show(file, isUploading);
    zone.hidden = file !== undefined;
    // The hidden zone would lose the focus.
    if (hadFocus && zone.hidden) status.focus();
    if (failure !== "") field.showProblems([{ path: [], message: failure }]);
  };
  const state = createUploadState(initial, {
    upload,
    onChange: show,
    onProgress: status.showProgress,
  });
  control.addEventListener("change", () => {
    field.showProblems([]);
    const [chosen] = control.files ?? [];
    if (chosen === undefined) return;
    status.setPreview(chosen);
    void state.start(chosen);
  });
  const field = createControlField(frame, control, {
    read: () => state.read().file?.fileId ?? emptyValue(spec),
    findProblems: () => {
      const { isUploading, failure } = state.read();
      if (isUploading) return [{ path: [], message: messages.uploadPending }];
      return failure === "" ? [] : [{ path: [], message: failure }];
    },
    around: h("div", {}, zone, status.element),
  });
  show(state.read());
  return field;
}

type UploadState = { file: UploadedFile | undefined; isUploading: boolean; failure: string };
type UploadEvents = {
  upload: Upload;
  onChange: (state: UploadState) => void;
  onProgress: (fraction: number | undefined) => void;
};

/** Uploads one file at a time. Another file replaces one that is still uploading. */
function createUploadState(initial: Json | undefined, events: UploadEvents) {
  const { upload, onChange, onProgress } = events;
  const isFilled = typeof initial === "string" && initial !== "";
  const file = isFilled ? { fileId: initial, fileName: initial } : undefined;
  let state: UploadState = { file, isUploading: false, failure: "" };
  let uploadCount = 0;
  const change = (next: UploadState) => {
    state = next;
    onChange(next);
  };
  return {
    read: () => state,
    remove: () => change({ file: undefined, isUploading: false, failure: "" }),
    start: async (chosen: File) => {
      uploadCount += 1;
      const current = uploadCount;
      onProgress(undefined);
      change({ file: undefined, isUploading: true, failure: "" });
      try {
        const uploaded = await upload(chosen, (fraction) => {
          if (current === uploadCount) onProgress(fraction);
        });
        if (current === uploadCount) change({ file: uploaded, isUploading: false, failure: "" });
      } catch (error) {
        // Another file has been chosen since.
        if (current !== uploadCount) return;
        const failure = messages.uploadFailed(error instanceof Error ? error.message : "");
        change({ file: undefined, isUploading: false, failure });
      }
    },
  };
}

/** The area around a file input. The input covers it, so that the browser itself takes dropped files. */
function createDropZone(control: HTMLInputElement): HTMLElement {
  const zone = h(
    "div",
    { class: "ui-drop" },
    h("strong", { "aria-hidden": "true" }, messages.chooseFile),
    h("span", { "aria-hidden": "true" }, messages.orDrop),
    control,
  );
  const mark = (isOver: boolean) => zone.classList.toggle("over", isOver);
  control.addEventListener("dragenter", () => mark(true));
  for (const name of ["dragleave", "drop"]) control.addEventListener(name, () => mark(false));
  return zone;
}

const previewedTypes = /^image\/(?:png|jpeg|gif|webp|avif)$/;
const maxPreviewBytes = 10_000_000;

/** Shows the uploaded file with a preview of images, or the progress of the upload. */
function createUploadStatus(label: string, onRemove: () => void) {
  const text = h("div", { role: "status" });
  const bar = h("progress", {
    class: "ui-progress",
    max: 1,
    "aria-label": messages.uploadProgress(label),
    hidden: true,
  });
  let preview: HTMLImageElement | undefined;
  return {
    element: h("div", {}, text, bar),
    /** Shows this file, which the user chose, beside its name. */
    setPreview: (file: File | undefined) => {
      if (preview !== undefined) URL.revokeObjectURL(preview.src);
      const isShown =
        file !== undefined && previewedTypes.test(file.type) && file.size <= maxPreviewBytes;
      preview = isShown ? h("img", { src: URL.createObjectURL(file), alt: "" }) : undefined;
    },
    show: (file: UploadedFile | undefined, isUploading: boolean) => {
      bar.hidden = !isUploading;
      text.className = file === undefined ? "ui-help" : "ui-file";
      text.replaceChildren(isUploading ? messages.uploading : "");
      if (file === undefined || isUploading) return;
      const { fileName, size } = file;
      const details = messages.uploaded(fileName, size === undefined ? "" : formatBytes(size));
      const attributes = { class: "small", "aria-label": messages.removeFile(fileName) };
      text.append(
        ...compact([
          preview,
          h("span", { class: "name" }, details),
          button(messages.remove, onRemove, attributes),
        ]),
      );
    },
    focus: () => text.querySelector("button")?.focus(),
    showProgress: (fraction: number | undefined) => {
      if (fraction === undefined) bar.removeAttribute("value");
      else bar.value = fraction;
    },
  };
}
