import { type Cursor, endOfEntry } from '../scans/log/log-cursor.ts';

/** How far a program has read the scans of its account. It names no scan, so it outlives the erasure of those that it has read. */
export type FeedCursor = {
  readonly positions: Cursor;
  /** The shard whose turn it is. */
  readonly nextShard: number;
};

export const feedStart: FeedCursor = { positions: new Map(), nextShard: 0 };

const [version, radix] = ['1', 36];

/** As text that says nothing to its reader, and may change its form. */
export function formatFeedCursor({ positions, nextShard }: FeedCursor): string {
  const entries = [...positions].map(([shard, { log, position, index }]) =>
    [shard, log, position, ...(index === endOfEntry ? [] : [index])].map(n => n.toString(radix)).join('.'),
  );
  return Buffer.from([version, nextShard.toString(radix), ...entries].join('_')).toString('base64url');
}

/** Null for any text that `formatFeedCursor` did not write. */
export function parseFeedCursor(text: string): FeedCursor | null {
  const [given, nextShard = '', ...entries] = Buffer.from(text, 'base64url').toString('latin1').split('_');
  const isCursor =
    given === version && isNumber(nextShard) && entries.every(entry => entryPattern.test(entry));
  if (!isCursor || entries.length > maxShards) return null;
  const positions = entries.map(entry => {
    const [shard = 0, log = 0, position = 0, index = endOfEntry] = entry.split('.').map(parseNumber);
    return [shard, { log, position, index }] as const;
  });
  return { positions: new Map(positions), nextShard: parseNumber(nextShard) };
}

const maxShards = 65_536;
const isNumber = (text: string) => /^[0-9a-z]{1,4}$/.test(text);
const entryPattern = /^[0-9a-z]{1,4}\.[0-9a-z]{1,6}\.[0-9a-z]{1,10}(\.[0-9a-z]{1,7})?$/;
const parseNumber = (text: string) => Number.parseInt(text, radix);
