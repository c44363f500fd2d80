import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withParents } from '../../kernel/addresses/hosts.ts';
import type { Uuid } from '../../kernel/ids.ts';
import { blockedHostReason } from '../../moderation/suspensions/suspension.ts';
import { unprepared } from '../../platform/postgres/postgres.ts';
import type { QrCode } from '../qr-code.ts';
import { withSuspensions } from './suspensions.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});
afterAll(() => fixture?.close());

/** Few, so that many lie below one another. Beside the dot, a hyphen sorts before it and a digit after it. */
const host = fc
  .array(fc.constantFrom('a', '-a', '1a'), { minLength: 1, maxLength: 3 })
  .map(labels => [...labels, 'e'].join('.'));
const target = fc.oneof(
  { weight: 8, arbitrary: host },
  { weight: 1, arbitrary: host.map(name => `${'a.'.repeat(2000)}${name}`) },
  { weight: 1, arbitrary: fc.constantFrom('[2001:db8::1]', '192.0.2.1', 'localhost') },
);
const kind = fc.constantFrom('rule', 'fallback');
const blocked = fc.record({
  host: fc.oneof(host, fc.constantFrom('[2001:db8::1]', '192.0.2.1')),
  marked: fc.boolean(),
});
const situation = fc.record({
  codes: fc.array(fc.array(fc.record({ host: target, kind }), { maxLength: 3 }), {
    minLength: 1,
    maxLength: 12,
  }),
  blocked: fc.uniqueArray(blocked, { maxLength: 12, selector: item => item.host }),
});

test('a code is stopped by the shortest blocked host that one of its targets is on or below', async () => {
  await fc.assert(
    fc.asyncProperty(situation, async ({ codes, blocked }) => {
      const unmarked = new Set(blocked.filter(({ marked }) => !marked).map(item => item.host));
      const ids = codes.map(() => crypto.randomUUID() as Uuid);
      const targets = codes.flatMap((all, at) => all.map(one => ({ id: ids[at]!, ...one })));
      await fixture.db.query(unprepared('truncate code_targets, blocked_hosts'));
      await fixture.db.query(
        unprepared(
          `insert into code_targets (qr_code_id, kind, url, host, url_hash)
           select id, kind, '', host, decode(md5(host), 'hex')
             from unnest($1::uuid[], $2::text[], $3::text[]) as t (id, kind, host)`,
        ),
        [targets.map(({ id }) => id), targets.map(one => one.kind), targets.map(one => one.host)],
      );
      await fixture.db.query(
        unprepared(
          `insert into blocked_hosts (host, reason, created_at, marked_at)
           select host, '', now(), case when marked then now() end
             from unnest($1::text[], $2::boolean[]) as b (host, marked)`,
        ),
        [blocked.map(item => item.host), blocked.map(({ marked }) => marked)],
      );
      const items = ids.map(id => ({ id }) as QrCode);
      const page = { items, page: { page: 1, limit: 20 }, total: 4, capped: false, hasMore: false };
      const found = await withSuspensions(fixture.db, page);
      for (const [at, { suspension }] of found.items.entries()) {
        const hosts = codes[at]!.flatMap(one => withParents(one.host)).filter(name => unmarked.has(name));
        const shortest = hosts.filter(name => hosts.every(other => name.length <= other.length));
        const reasons = shortest.map(name => blockedHostReason(name, null));
        expect(reasons.length > 0 ? reasons : [undefined]).toContain(suspension?.reason);
      }
    }),
    { numRuns: 300 },
  );
});
