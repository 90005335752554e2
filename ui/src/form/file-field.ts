import { button, h } from "../dom.ts";
import { emptyValue, makeFrame, makeSimpleField } from "./field.ts";
import type { Field, FieldSpec, FormHost, UploadedFile } from "./field.ts";
import { fileMessages } from "./messages.ts";

/** A file: chosen and sent by the host's means, or where there are none named by the id of one sent before. */
export function makeFileField(spec: FieldSpec): Field {
  const { upload } = spec.form.host;
  return upload === undefined ? makeIdField(spec) : makeUploadField(spec, upload);
}

function makeIdField(spec: FieldSpec): Field {
  const frame = makeFrame(spec, fileMessages.idHint);
  const control = h("input", { ...frame.control, type: "text", autocomplete: "off" });
  control.value = typeof spec.initial === "string" ? spec.initial : "";
  return makeSimpleField(frame, control, {
    read: () => (control.value === "" ? emptyValue(spec) : control.value),
  });
}

type Upload = NonNullable<FormHost["upload"]>;

function makeUploadField(spec: FieldSpec, upload: Upload): Field {
  const { initial } = spec;
  let file: UploadedFile | undefined =
    typeof initial === "string" && initial !== ""
      ? { fileId: initial, fileName: initial }
      : undefined;
  let isBusy = false;
  let failure = "";
  let round = 0;
  const frame = makeFrame(spec);
  const control = h("input", { ...frame.control, type: "file" });
  const shown = makeStatus(spec.label, () => remove());
  const show = () => shown.show(file, isBusy);
  const remove = () => {
    file = undefined;
    failure = "";
    control.value = "";
    show();
    control.focus();
  };
  const send = async (chosen: File) => {
    round += 1;
    const mine = round;
    isBusy = true;
    file = undefined;
    failure = "";
    shown.tell(undefined);
    show();
    try {
      const sent = await upload(chosen, (fraction) => {
        if (mine === round) shown.tell(fraction);
      });
      if (mine !== round) return;
      file = sent;
    } catch (error) {
      // Another file was chosen meanwhile.
      if (mine !== round) return;
      failure = fileMessages.failed(error instanceof Error ? error.message : "");
      field.showProblems([{ path: [], message: failure }]);
    }
    isBusy = false;
    show();
  };
  control.addEventListener("change", () => {
    field.showProblems([]);
    const [chosen] = control.files ?? [];
    if (chosen !== undefined) void send(chosen);
  });
  const field = makeSimpleField(frame, control, {
    read: () => file?.fileId ?? emptyValue(spec),
    findProblems: () => {
      if (isBusy) return [{ path: [], message: fileMessages.pending }];
      return failure === "" ? [] : [{ path: [], message: failure }];
    },
  });
  field.element.append(shown.element);
  show();
  return field;
}

/** Which file is there, or how much of it is on its way. */
function makeStatus(label: string, onRemove: () => void) {
  const words = h("p", { class: "file-status", role: "status" });
  const bar = h("progress", { max: 1, "aria-label": fileMessages.progress(label), hidden: true });
  return {
    element: h("div", {}, words, bar),
    show: (file: UploadedFile | undefined, isBusy: boolean) => {
      bar.hidden = !isBusy;
      words.replaceChildren(isBusy ? fileMessages.uploading : (file?.fileName ?? ""));
      if (file === undefined || isBusy) return;
      const name = fileMessages.removeFile(file.fileName);
      words.append(" ", button(fileMessages.remove, onRemove, { "aria-label": name }));
    },
    tell: (fraction: number | undefined) => {
      if (fraction === undefined) bar.removeAttribute("value");
      else bar.value = fraction;
    },
  };
}
