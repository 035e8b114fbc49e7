import type { PythonJson } from "../../util/pythonJson";
import { isDict, isTruthy, type PythonDict, textMember } from "./pythonText";

const IMAGE_TYPES: ReadonlySet<string> = new Set(["image", "image_url", "input_image"]);

export function isImagePart(part: PythonJson): part is PythonDict {
  const type = textMember(part, "type");
  return type !== undefined && IMAGE_TYPES.has(type);
}

/** Image parts of a part list; 0 for any other content. */
export function imageParts(content: PythonJson | undefined): number {
  return content?.kind === "array" ? content.items.filter(isImagePart).length : 0;
}

/** The envelope of a tool that returns images: parts under `content`, their description under `text_summary`. */
export function isMultimodal(content: PythonJson | undefined): content is PythonDict {
  return isDict(content) && isTruthy(content.members.get("_multimodal"));
}
