import { button, h } from "../dom.ts";
import { createControlField, createFrame, emptyValue } from "./field.ts";
import type { Field, FieldSpec, FormHost, UploadedFile } from "./field.ts";
import * as messages from "./messages.ts";

/** Creates a field for a file: an upload if the host supports it, otherwise a text field for a file ID. */
export function createFileField(spec: FieldSpec): Field {
  const { upload } = spec.form.host;
  return upload === undefined ? createIdField(spec) : createUploadField(spec, upload);
}

function createIdField(spec: FieldSpec): Field {
  const frame = createFrame(spec, messages.fileIdHint);
  const control = h("input", { ...frame.control, type: "text", autocomplete: "off" });
  control.value = typeof spec.initial === "string" ? spec.initial : "";
  return createControlField(frame, control, {
    read: () => (control.value === "" ? emptyValue(spec) : control.value),
  });
}

type Upload = NonNullable<FormHost["upload"]>;

function createUploadField(spec: FieldSpec, upload: Upload): Field {
  const { initial } = spec;
  let file: UploadedFile | undefined =
    typeof initial === "string" && initial !== ""
      ? { fileId: initial, fileName: initial }
      : undefined;
  let isUploading = false;
  let failure = "";
  let uploadCount = 0;
  const frame = createFrame(spec);
  const control = h("input", { ...frame.control, type: "file" });
  const status = createUploadStatus(spec.label, () => remove());
  const show = () => status.show(file, isUploading);
  const remove = () => {
    file = undefined;
    failure = "";
    control.value = "";
    show();
    control.focus();
  };
  const start = async (chosen: File) => {
    uploadCount += 1;
    const current = uploadCount;
    isUploading = true;
    file = undefined;
    failure = "";
    status.showProgress(undefined);
    show();
    try {
      const uploaded = await upload(chosen, (fraction) => {
        if (current === uploadCount) status.showProgress(fraction);
      });
      if (current !== uploadCount) return;
      file = uploaded;
    } catch (error) {
      // Another file has been chosen since.
      if (current !== uploadCount) return;
      failure = messages.uploadFailed(error instanceof Error ? error.message : "");
      field.showProblems([{ path: [], message: failure }]);
    }
    isUploading = false;
    show();
  };
  control.addEventListener("change", () => {
    field.showProblems([]);
    const [chosen] = control.files ?? [];
    if (chosen !== undefined) void start(chosen);
  });
  const field = createControlField(frame, control, {
    read: () => file?.fileId ?? emptyValue(spec),
    findProblems: () => {
      if (isUploading) return [{ path: [], message: messages.uploadPending }];
      return failure === "" ? [] : [{ path: [], message: failure }];
    },
  });
  field.element.append(status.element);
  show();
  return field;
}

/** Shows the uploaded file, or the progress of the upload. */
function createUploadStatus(label: string, onRemove: () => void) {
  const text = h("p", { class: "file-status", role: "status" });
  const bar = h("progress", { max: 1, "aria-label": messages.uploadProgress(label), hidden: true });
  return {
    element: h("div", {}, text, bar),
    show: (file: UploadedFile | undefined, isUploading: boolean) => {
      bar.hidden = !isUploading;
      text.replaceChildren(isUploading ? messages.uploading : (file?.fileName ?? ""));
      if (file === undefined || isUploading) return;
      const name = messages.removeFile(file.fileName);
      text.append(" ", button(messages.remove, onRemove, { "aria-label": name }));
    },
    showProgress: (fraction: number | undefined) => {
      if (fraction === undefined) bar.removeAttribute("value");
      else bar.value = fraction;
    },
  };
}
