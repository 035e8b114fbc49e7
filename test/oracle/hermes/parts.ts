import { isDict, isTruthy, type PythonDict } from "../../../extension/src/core/compaction/hermes/pythonText";
import type { PythonJson } from "../../../extension/src/core/util/pythonJson";
import { textMember } from "../textMember";

const IMAGE_TYPES: ReadonlySet<string> = new Set(["image", "image_url", "input_image"]);

export function isImagePart(part: PythonJson): part is PythonDict {
  const type = textMember(part, "type");
  return type !== undefined && IMAGE_TYPES.has(type);
}

/** The envelope of a tool that returns images: parts under `content`, their description under `text_summary`. */
export function isMultimodal(content: PythonJson | undefined): content is PythonDict {
  return isDict(content) && isTruthy(content.members.get("_multimodal"));
}
