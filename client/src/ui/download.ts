/** Time after which the browser has a hold of its own on what it downloads, in milliseconds. */
const HELD_AFTER_MS = 60_000;

/** Downloads what lies at an address under a name. */
export function offerFile(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** Hands a file to the user. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  offerFile(url, name);
  setTimeout(() => URL.revokeObjectURL(url), HELD_AFTER_MS);
}
