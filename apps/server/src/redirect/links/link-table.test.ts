import { someLink } from '@signpost/testing/links.ts';
import { ids } from '@signpost/testing/scans.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createLinkRules } from '../../rules/link-rules.ts';
import { type Link, linkStatuses } from './link.ts';
import { createLinkTable } from './link-table.ts';

const keys = fc.integer({ min: 0, max: 60 }).map(number => `code-${number}`);
const links = fc
  .record({
    qrCodeId: fc.uuid(),
    accountId: fc.uuid(),
    mode: fc.constantFrom('live', 'test'),
    status: fc.constantFrom(...linkStatuses),
    suspended: fc.boolean(),
    location: fc.string({ minLength: 0, maxLength: 3000 }).map(path => `https://example.com/${path}`),
    host: fc.stringMatching(/^[a-z.]{0,300}$/),
    routing: fc.option(fc.string({ maxLength: 3000, size: 'max' }).map(createLinkRules), { freq: 2 }),
  })
  .map(someLink);
const steps = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('set' as const), key: keys, link: links }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), key: keys }) },
);

const reading = { epoch: 1, sequence: 1, confirmedAtMs: 0 };

/** The link with the texts of its ids, which the table writes when they are asked for. */
const readLink = (link: Link): Link => ({ ...link, qrCodeId: link.qrCodeId, accountId: link.accountId });

test('holds what a map would hold, through additions, replacements and deletions', () => {
  fc.assert(
    fc.property(fc.array(steps, { maxLength: 200 }), taken => {
      const table = createLinkTable();
      const model = new Map<string, ReturnType<typeof someLink>>();
      for (const step of taken) {
        const row = table.find(step.key);
        expect(row >= 0).toBe(model.has(step.key));
        if (step.kind === 'set') {
          table.set(step.key, step.link, reading);
          model.set(step.key, step.link);
          expect(readLink(table.foundAt(table.find(step.key)).link)).toEqual(step.link);
        } else if (row >= 0) {
          table.delete(row);
          model.delete(step.key);
        }
      }
      const held = [...table.rows()].map(row => [table.keyAt(row), readLink(table.linkAt(row))] as const);
      expect(new Map(held)).toEqual(model);
      expect([table.size, held.length]).toEqual([model.size, model.size]);
      const kibibytes = [...model.values()].map(({ routing }) =>
        Math.floor((routing?.text.length ?? 0) / 1024),
      );
      expect(table.weight).toBe(model.size + kibibytes.reduce((sum, one) => sum + one, 0));
    }),
    { numRuns: 300 },
  );
});

test('a hundred thousand links are all found, before and after every other is deleted, in about 200 bytes each', () => {
  const table = createLinkTable();
  const count = 100_000;
  const location = (n: number) => `https://example.com/a/usual/path/code-${n}`;
  for (let n = 0; n < count; n++)
    table.set(`code-${n}`, someLink({ qrCodeId: ids.next(), location: location(n) }), reading);
  expect(table.bytes / count).toBeLessThan(240);
  for (let n = 0; n < count; n += 2) table.delete(table.find(`code-${n}`));
  for (let n = 0; n < count; n++) {
    const row = table.find(`code-${n}`);
    if (n % 2 === 0) expect(row).toBe(-1);
    else if (table.linkAt(row).location !== location(n)) throw new Error(`code-${n} leads elsewhere`);
  }
  const bytes = table.bytes;
  for (let n = 0; n < count; n += 2) table.set(`more-${n}`, someLink({ location: location(n) }), reading);
  expect(table.size).toBe(count);
  // Rows and texts are used again; a table of the index may have doubled.
  expect(table.bytes).toBeLessThan(1.01 * bytes);
});

test('a link that is served again and again is the same object, until it is replaced', () => {
  const table = createLinkTable();
  const row = table.set('code', someLink(), reading);
  const found = table.foundAt(row);
  expect(table.foundAt(row)).toBe(found);
  expect(table.set('code', someLink({ location: 'https://example.com/2' }), reading)).toBe(row);
  expect(table.foundAt(row).link.location).toBe('https://example.com/2');
  expect(found.link.location).toBe('https://example.com/');
});

test('what is known about a link is reset in a reused row', () => {
  const table = createLinkTable();
  const row = table.set('code', someLink(), reading);
  table.markServed(row);
  table.invalidate(row, 2, 9);
  expect([table.isStale(row), table.epochAt(row), table.sequenceAt(row)]).toEqual([true, 2, 9]);
  table.delete(row);
  expect([table.isUsed(row), table.set('other', someLink(), reading)]).toEqual([false, row]);
  expect([table.clearServed(row), table.isStale(row), table.epochAt(row)]).toEqual([false, false, 1]);
});

test('the event loop does not wait while the table grows', () => {
  const table = createLinkTable();
  const count = 400_000;
  const link = someLink();
  // Warm, so that compiling is not measured.
  for (let n = 0; n < 20_000; n++) table.set(`warm-${n}`, link, reading);
  let longestUs = 0;
  for (let n = 0; n < count; n++) {
    const before = process.threadCpuUsage();
    table.set(`code-${n}`, link, reading);
    const { user, system } = process.threadCpuUsage(before);
    longestUs = Math.max(longestUs, user + system);
  }
  expect(longestUs).toBeLessThan(20_000);
});
