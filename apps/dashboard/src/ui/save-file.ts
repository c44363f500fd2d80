/** Hands bytes to the browser as a file to keep. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  follow(url, name);
  // The browser takes the bytes after the click has returned.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function follow(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** A name for a file that every system takes. */
export const fileName = (name: string, ending: string): string => {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/[\s_-]+/g, '-')
    .toLowerCase();
  return `${plain || 'code'}.${ending}`;
};
