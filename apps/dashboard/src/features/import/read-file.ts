import { importText } from '../../strings/import.ts';
import { decodeText, isWorkbook } from './decode.ts';
import { maxBytes, maxRows, readSheet, type Sheet } from './read-sheet.ts';

/** The rows of a file or of pasted text; a sentence where there are none to work with. */
export async function readFile(file: Blob): Promise<Sheet | string> {
  const words = importText.refused;
  if (file.size > maxBytes) return words.tooLarge;
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return isWorkbook(bytes) ? words.workbook : readText(decodeText(bytes));
  } catch {
    // The file was moved or changed after it was chosen.
    return words.unreadable;
  }
}

export function readText(text: string): Sheet | string {
  const words = importText.refused;
  if (text.length > maxBytes) return words.tooLarge;
  const sheet = readSheet(text);
  if (sheet === 'empty') return words.empty;
  return sheet === 'too_many_rows' ? words.too_many_rows(maxRows) : sheet;
}
