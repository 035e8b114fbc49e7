/** Whether a media type, as a record states it, is that of a picture. */
export function isImageType(mime: unknown): boolean {
  return typeof mime === "string" && mime.startsWith("image/");
}
