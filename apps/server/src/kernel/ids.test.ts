import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIds, formatId, idPrefixes, parseId, toIdBytes, uuidFrom, writeUuid } from './ids.ts';

const ids = createIds({ now: () => new Date() });

test('an id is its prefix and 26 characters of lower-case Crockford base32', () => {
  for (const prefix of idPrefixes) {
    expect(formatId(prefix, ids.next())).toMatch(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`));
  }
});

test('formatting and parsing an id are inverse', () => {
  fc.assert(
    fc.property(fc.uuid(), uuid => {
      expect(parseId('qr', formatId('qr', uuid))).toBe(uuid);
    }),
  );
});

test('ids sort by creation time, even within a millisecond and when the clock goes back', () => {
  let nowMs = 1_800_000_000_000;
  const ticking = createIds({ now: () => new Date(nowMs) });
  const made = Array.from({ length: 20_000 }, (_, i) => {
    if (i % 6000 === 5999) nowMs += i > 12_000 ? -5 : 1;
    return formatId('qr', ticking.next());
  });
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test('ids follow a clock that is corrected, and stay unique', () => {
  let nowMs = 1_800_000_000_000;
  const corrected = createIds({ now: () => new Date(nowMs) });
  const made = Array.from({ length: 10_000 }, (_, i) => {
    if (i === 5_000) nowMs -= 40 * 86_400_000;
    return corrected.next();
  });
  const timeOf = (uuid: string) => Number.parseInt(uuid.replace('-', '').slice(0, 12), 16);
  expect(Math.abs(timeOf(made.at(-1)!) - nowMs)).toBeLessThan(1_000);
  expect(new Set(made).size).toBe(made.length);
});

test('an id carries the time and the version and variant of a UUIDv7', () => {
  const uuid = createIds({ now: () => new Date(0x0123_4567_89ab) }).next();
  expect(uuid).toMatch(/^01234567-89ab-7[0-7][0-9a-f]{2}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('anything that is not an id of this kind is not parsed', () => {
  const good = formatId('qr', ids.next());
  const bad = [
    '',
    'qr_',
    good.toUpperCase(),
    good.slice(0, -1),
    `${good}0`,
    good.replace('qr_', 'scan_'),
    `qr_8${good.slice(4)}`,
    `${good.slice(0, -1)}u`,
  ];
  for (const id of bad) expect(parseId('qr', id)).toBeNull();
  fc.assert(
    fc.property(fc.string(), text => {
      expect(parseId('qr', text)).toBeNull();
    }),
  );
});

test('an id that is written as bytes continues the order of those that are texts', () => {
  const bytes = Buffer.alloc(20);
  const texts = Array.from({ length: 1000 }, (_, i) => {
    if (i % 2 === 0) return ids.next();
    ids.write(bytes, 3);
    return uuidFrom(bytes.toString('hex', 3, 19));
  });
  expect(texts.toSorted()).toEqual(texts);
  expect(new Set(texts).size).toBe(1000);
  expect([bytes[0], bytes[2], bytes[19]]).toEqual([0, 0, 0]);
});

test('a UUID is written from its bytes as its text', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (first, second) => {
      const bytes = toIdBytes(first, second);
      const into = Buffer.alloc(80);
      expect([writeUuid(bytes, 0, into, 2), writeUuid(bytes, 16, into, 40)]).toEqual([38, 76]);
      expect([into.toString('latin1', 2, 38), into.toString('latin1', 40, 76)]).toEqual([first, second]);
    }),
  );
});
