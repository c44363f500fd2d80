import { ciScale } from '@signpost/testing/ci-scale.ts';
import { ask } from '@signpost/testing/client.ts';
import { createFixture } from '@signpost/testing/fixture.ts';
import { expect, onTestFinished, test } from 'vitest';
import { parseId } from '../apps/server/src/kernel/ids.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';

const kills = ciScale(5, 1);
const perKill = ciScale(60, 30);

test('every create and edit has one event, in the order of the feed, while a process of the writers is killed', {
  timeout: 600_000,
}, async () => {
  const world = await createFixture();
  onTestFinished(() => world.close());
  const { id: accountId, live: key } = await world.account();
  const [steady, mortal] = [await world.server(), await world.server()];
  let isOver = false;
  let writes = 0;

  const writers = Array.from({ length: 8 }, async (_, n) => {
    const { url } = n % 2 === 0 ? steady : mortal;
    for (let i = 0; !isOver; i++) {
      const headers: Record<string, string> = i % 2 ? { 'idempotency-key': `${n}-${i}` } : {};
      // An odd one has tags, which are written in a transaction; the others are one statement.
      const body = {
        name: 'Menu',
        destination_url: 'https://example.com/',
        ...(i % 3 ? {} : { tags: ['red'] }),
      };
      const made = await ask({ method: 'POST', url: `${url}/v1/qrcodes`, key, body, headers }).catch(
        () => null,
      );
      if (made?.status !== 201) continue;
      writes++;
      const change = { destination_url: `https://example.com/${n}/${i}` };
      await ask({ method: 'PATCH', url: `${url}/v1/qrcodes/${made.body.id}`, key, body: change }).catch(
        () => null,
      );
    }
  });
  const seen: { readonly action: string; readonly id: string }[] = [];
  const follow = async () => {
    let after = '';
    for (let isLast = false; ; ) {
      const { body } = await ask({ url: `${steady.url}/v1/audit-events?limit=50${after}`, key });
      for (const { action, subjects } of body.data) seen.push({ action, id: subjects[0].id });
      after = `&after=${body.next_cursor}`;
      if (isLast && !body.has_more) return;
      isLast = isOver && (await Promise.all(writers).then(() => true));
    }
  };
  const following = follow();
  for (let kill = 1; kill <= kills; kill++) {
    await expect.poll(() => writes, { timeout: 60_000, interval: 20 }).toBeGreaterThan(kill * perKill);
    await mortal.end('SIGKILL');
    await mortal.start();
  }
  isOver = true;
  await following;

  const read = sql(
    'test-codes',
    `select c.id, (select count(*) from code_edits e where e.qr_code_id = c.id) as edits
       from qr_codes c where c.account_id = $1`,
  );
  const codes = await world.db.query<{ id: string; edits: number }>(read, [accountId]);
  const idsOf = (action: string) =>
    seen.filter(event => event.action === action).map(({ id }) => parseId('qr', id) as string);
  expect(idsOf('createQrCode').toSorted()).toEqual(codes.map(({ id }) => id).toSorted());
  const edited = codes.filter(({ edits }) => edits > 0);
  expect(idsOf('updateQrCode').toSorted()).toEqual(edited.map(({ id }) => id).toSorted());
  const numbers = await world.db.query<{ number: number; id: string }>(
    sql(
      'test-numbers',
      `select number, subjects[1] as id from audit_events where account_id = $1 and mode = 'live' order by number`,
    ),
    [accountId],
  );
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, at) => at + 1));
  expect(seen.map(({ id }) => id)).toEqual(numbers.map(({ id }) => id));
});
