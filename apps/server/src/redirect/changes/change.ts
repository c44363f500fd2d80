import type { StopChange } from './stops/stop.ts';

/** What a redirect process has to apply: links to drop from memory, stops that were set or lifted, and domains. */
export type Changes = {
  readonly keys: readonly string[];
  readonly stops: readonly StopChange[];
};

/** A message of the stream of changes. Its number is its sequence in the stream, so it exists only once it is stored. */
export type Change = Changes & {
  /** Never used before: it tells this message from another that has the same number in another copy of the stream. */
  readonly id: string;
  /** Where those who have applied it acknowledge its number. */
  readonly inbox: string;
  /** Everything in memory is to be forgotten: numbers were assigned twice. */
  readonly all: boolean;
};

/** The highest number that a process knows of, and the stream that it belongs to. */
export type ChangeNumber = { readonly stream: string; readonly n: number };

export const encodeChange = ({ id, inbox, all, keys, stops }: Change): string =>
  JSON.stringify({ id, inbox, keys, stops, ...(all ? { all } : {}) });

/** A message that cannot be read may say anything: then nothing in memory is certain. */
export function decodeChange(text: string): Change {
  try {
    const { id, inbox, keys, stops, all = false } = JSON.parse(text) as Change;
    if (typeof id === 'string' && Array.isArray(keys) && Array.isArray(stops))
      return { id, inbox, keys, stops, all };
  } catch {
    // Handled like a message of an unknown form.
  }
  return { id: '', inbox: '', keys: [], stops: [], all: true };
}

/** An acknowledgement: everything up to this number is applied by this process. */
export const encodeAck = (process: string, n: number): string => `${n} ${process}`;

export function decodeAck(text: string): { readonly process: string; readonly n: number } {
  const space = text.indexOf(' ');
  return { process: text.slice(space + 1), n: Number(text.slice(0, space)) };
}
