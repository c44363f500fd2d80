/**
 * A cell of RFC 4180. Spreadsheets treat a cell that begins with one of these characters as a formula, also after white
 * space and in their full-width forms; a leading apostrophe makes it text.
 */
export function csvCell(text: string): string {
  // Fast path: most cells begin with a letter or a digit.
  const first = text.charCodeAt(0);
  const isAlphanumeric = (first > 0x40 && first < 0x7f) || (first >= 0x30 && first <= 0x39);
  if (isAlphanumeric && !/[",\r\n]/.test(text)) return text;
  const safe = /^[\s\p{Cc}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
