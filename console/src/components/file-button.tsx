import type { ReactNode } from "react";
import { useRef } from "react";
import { Button } from "./button.tsx";
import type { ButtonProps } from "./button.tsx";

/** A button that chooses files of the computer. */
export function FileButton({
  types,
  isFolder = false,
  onSelect,
  ...button
}: Omit<ButtonProps, "onPress" | "onSelect"> & {
  types?: readonly string[] | undefined;
  isFolder?: boolean;
  onSelect: (files: File[]) => void;
}): ReactNode {
  const ref = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={ref}
        type="file"
        hidden
        accept={types?.join(",")}
        {...(isFolder ? { webkitdirectory: "" } : {})}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Otherwise choosing the same file again would not be a change.
          currentTarget.value = "";
          if (files.length > 0) onSelect(files);
        }}
      />
      <Button {...button} onPress={() => ref.current?.click()} />
    </>
  );
}
