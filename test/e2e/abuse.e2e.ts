import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../apps/server/src/kernel/ids.ts';
import { sql } from '../../apps/server/src/platform/postgres.ts';
import type { TestAccount } from '../support/api.ts';
import { ask } from '../support/client.ts';
import { runCommand, type TestServer } from '../support/server.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let all: TestServer;
let edge: TestServer;
let owner: TestAccount;

beforeAll(async () => {
  world = await createWorld({ SHORT_BASE_URL: 'https://sign.example' });
  [all, edge] = [await world.server({}, 'all'), await world.server({}, 'redirect')];
  owner = await world.account();
});
afterAll(() => world.close());

const admin = (...args: string[]) => runCommand(['admin', ...args], world.env);

async function create(destination_url: string, key = owner.live): Promise<string> {
  const body = { name: 'x', destination_url };
  const made = await ask({ method: 'POST', url: `${all.url}/v1/qrcodes`, key, body });
  expect(made.status).toBe(201);
  return made.body.short_code;
}

/** The answers of both redirects to a scan of each code. */
const scans = (codes: readonly string[]) =>
  Promise.all(
    codes.flatMap(code =>
      [all, edge].map(async ({ url }) => {
        const { status, body } = await ask({ url: `${url}/${code}`, headers: { accept: 'text/html' } });
        return status === 404 && /paused/.test(body) ? 'paused' : status;
      }),
    ),
  );

const every = (codes: readonly string[], answer: string | number) => Array(2 * codes.length).fill(answer);

describe('when a code is abused', () => {
  test('a scan right after block-host sees a paused code on every redirect, whoever owns it', async () => {
    const stranger = await world.account();
    const bad: string[] = [];
    for (let i = 0; i < 120; i++) bad.push(await create(`https://login-${i}.phish.example/`, stranger.live));
    bad.push(
      await create('https://phish.example/test', stranger.test),
      await create('https://PHISH.example.'),
    );
    const good = [await create('https://notphish.example'), await create('https://phish.example.org')];
    // Twice: the second answer comes from memory.
    for (let i = 0; i < 2; i++) expect(await scans([...bad, ...good])).toEqual(every([...bad, ...good], 302));
    const { code, output } = await admin('block-host', 'phish.example', '--reason', 'reported');
    expect(await scans(bad)).toEqual(every(bad, 'paused'));
    expect(await scans(good)).toEqual(every(good, 302));
    expect(output).toContain('codes paused: 122, looked at: 124');
    expect(code).toBe(0);
  });

  test('a run of block-host that was cut off before redirects were told is finished by the next', async () => {
    const bad = [await create('https://cut.example')];
    expect(await scans(bad)).toEqual([302, 302]);
    await world.db.query(
      sql('pause-behind-backs', `update qr_codes set status = 'paused' where destination_url = $1`),
      ['https://cut.example'],
    );
    expect(await scans(bad)).toContain(302);
    await admin('block-host', 'cut.example');
    expect(await scans(bad)).toEqual(['paused', 'paused']);
  });

  test('a scan right after pause-code sees a paused code on every redirect', async () => {
    const code = await create('https://shared.example/~thief');
    expect(await scans([code])).toEqual([302, 302]);
    expect((await admin('pause-code', code.toUpperCase())).output).toContain('https://shared.example/~thief');
    expect(await scans([code])).toEqual(['paused', 'paused']);
  });

  test('a scan right after close-account finds nothing on any redirect', async () => {
    const stranger = await world.account();
    const codes: string[] = [];
    for (let i = 0; i < 120; i++) codes.push(await create(`https://stranger.example/${i}`, stranger.live));
    for (let i = 0; i < 2; i++) expect(await scans(codes)).toEqual(every(codes, 302));
    const { code, output } = await admin('close-account', formatId('acct', stranger.id), '--yes');
    expect(await scans(codes)).toEqual(every(codes, 410));
    expect(output).toContain('Codes deleted: 120');
    expect(code).toBe(0);
  });

  test('an import makes the other codes and names what is blocked', async () => {
    await admin('block-host', 'imported.example');
    const file = join(mkdtempSync(join(tmpdir(), 'signpost-abuse-')), 'bitly.csv');
    writeFileSync(
      file,
      'title,link,long_url\na,bit.ly/fine-1,https://fine.example\nb,bit.ly/bad-1,https://imported.example/x\n',
    );
    const { output } = await runCommand(['import', file, '--from', 'bitly'], {
      SIGNPOST_URL: all.url,
      SIGNPOST_KEY: owner.live,
    });
    expect(output).toContain('1 codes were made');
    expect(output).toMatch(
      /refused by the service:\n.*bad-1: imported\.example is blocked.*ask the operator/,
    );
  });
});
