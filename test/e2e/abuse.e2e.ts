import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallOptions, TestAccount } from '@signpost/testing/api.ts';
import { ask } from '@signpost/testing/client.ts';
import { createFixture, type Fixture } from '@signpost/testing/fixture.ts';
import { type Browser, createBrowser, dashboardEnv, goodPassword } from '@signpost/testing/people.ts';
import { runCommand, type TestServer } from '@signpost/testing/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatId } from '../../apps/server/src/kernel/ids.ts';

const publicUrl = 'https://api.sign.example';
let fixture: Fixture;
let all: TestServer;
let edge: TestServer;
let owner: TestAccount;

beforeAll(async () => {
  fixture = await createFixture({
    ...dashboardEnv,
    SHORT_BASE_URL: 'https://sign.example',
    PUBLIC_URL: publicUrl,
  });
  [all, edge] = [await fixture.server({}, 'all'), await fixture.server({}, 'redirect')];
  owner = await fixture.account();
});
afterAll(() => fixture.close());

const admin = (...args: string[]) => runCommand(['admin', ...args], fixture.env);

/** A code, by the path of its short link. */
async function create(destination_url: string, key = owner.live): Promise<string> {
  const body = { name: 'x', destination_url };
  const made = await ask({ method: 'POST', url: `${all.url}/v1/qrcodes`, key, body });
  expect(made.status).toBe(201);
  return new URL(made.body.short_url).pathname.slice(1);
}

/** The answers of both redirects to a scan of each code. */
const scans = (codes: readonly string[]) =>
  Promise.all(
    codes.flatMap(code =>
      [all, edge].map(async ({ url }) => {
        const { status, body } = await ask({ url: `${url}/${code}`, headers: { accept: 'text/html' } });
        if (status !== 404) return status;
        return /blocked for your safety/.test(body) ? 'stopped' : /paused/.test(body) ? 'paused' : status;
      }),
    ),
  );

const every = (codes: readonly string[], answer: string | number) => Array(2 * codes.length).fill(answer);

/** An owner who signs in, with the calls of a browser. */
function createOwner(): Browser {
  return createBrowser({
    call: ({ url, ...rest }: CallOptions) => ask({ ...rest, url: all.url + url }),
    config: { publicUrl },
  } as unknown as Parameters<typeof createBrowser>[0]);
}

describe('the way of an operator', () => {
  test('from a report to the release after an appeal, by commands as they are typed, takes less than a minute', async () => {
    const person = createOwner();
    const body = { name: 'Somebody', email: 'owner@people.example', password: goodPassword };
    expect((await person.call({ method: 'POST', url: '/auth/sign-up', body })).status).toBe(201);
    const made = await person.call({
      method: 'POST',
      url: '/account/v1/qrcodes',
      body: { name: 'Parking fine', destination_url: 'https://pay.thief.example/fine' },
    });
    expect(made.status).toBe(201);
    const link = made.body.short_url as string;
    const code = new URL(link).pathname.slice(1);
    expect(await scans([code])).toEqual([302, 302]);
    const startMs = performance.now();

    const form = new URLSearchParams({ link: `${link}+`, kind: 'phishing', text: 'It asks for my card.' });
    const report = await fetch(`${all.url}/report`, { method: 'POST', body: form });
    expect(report.status).toBe(200);

    const who = await admin('who', `${link}+`);
    expect(who.output).toContain('leads to https://pay.thief.example/fine');
    expect(who.output).toContain('owner@people.example');
    const [account = ''] = /acct_\w+/.exec(who.output) ?? [];
    const suspended = await admin('suspend-account', account, '--reason', 'Reported as phishing');
    expect(await scans([code])).toEqual(['stopped', 'stopped']);
    expect(suspended.output).toMatch(/is suspended on all redirects \(\d+\.\d\d s\)\./);

    const seen = await person.call({ url: `/account/v1/qrcodes/${made.body.id}` });
    expect(seen.body.availability).toMatchObject({ state: 'suspended', reason: 'Reported as phishing' });
    const text = 'The page is ours: we run the car park.';
    const appeal = await person.call({ method: 'POST', url: '/account/appeal', body: { text } });
    expect([appeal.status, appeal.body.appeal?.text]).toEqual([200, text]);

    const listed = await admin('list-suspensions', '--appealed');
    expect(listed.output).toContain(`${account}  operator  Reported as phishing`);
    expect(listed.output).toContain(text);
    const released = await admin('release-account', account);
    expect(await scans([code])).toEqual([302, 302]);
    expect(released.output).toContain('Its active codes work again.');
    expect((await admin('list-suspensions', '--appealed')).output).toContain('There are no appeals.');
    expect(performance.now() - startMs).toBeLessThan(60_000);
  });
});

describe('when a code is abused', () => {
  test('a scan right after block-host sees a stopped code on every redirect, whoever owns it, and unblock-host undoes it', async () => {
    const offenderAccount = await fixture.account();
    const bad: string[] = [];
    for (let i = 0; i < 120; i++)
      bad.push(await create(`https://login-${i}.phish.example/`, offenderAccount.live));
    bad.push(
      await create('https://phish.example/test', offenderAccount.test),
      await create('https://PHISH.example.'),
    );
    const good = [await create('https://notphish.example'), await create('https://phish.example.org')];
    // Twice: the second answer comes from memory.
    for (let i = 0; i < 2; i++) expect(await scans([...bad, ...good])).toEqual(every([...bad, ...good], 302));
    const { code, output } = await admin('block-host', 'phish.example', '--reason', 'reported');
    expect(await scans(bad)).toEqual(every(bad, 'stopped'));
    expect(await scans(good)).toEqual(every(good, 302));
    expect(output).toContain('codes suspended: 122.');
    expect(code).toBe(0);
    expect((await admin('unblock-host', 'phish.example')).output).toContain('Codes released: 122.');
    expect(await scans(bad)).toEqual(every(bad, 302));
  });

  test('a scan right after suspend-code sees a stopped code on every redirect, until release-code', async () => {
    const code = await create('https://shared.example/~thief');
    expect(await scans([code])).toEqual([302, 302]);
    const { output } = await admin('suspend-code', code.toUpperCase(), '--reason', 'Reported');
    expect(await scans([code])).toEqual(['stopped', 'stopped']);
    expect(output).toMatch(/is suspended on all redirects \(\d+\.\d\d s\)\./);
    await admin('release-code', code);
    expect(await scans([code])).toEqual([302, 302]);
  });

  test('a scan right after suspend-account sees a stopped code on every redirect, until release-account', async () => {
    const offenderAccount = await fixture.account();
    const codes = [
      await create('https://a.example', offenderAccount.live),
      await create('https://b.example', offenderAccount.test),
    ];
    for (let i = 0; i < 2; i++) expect(await scans(codes)).toEqual(every(codes, 302));
    const id = formatId('acct', offenderAccount.id);
    await admin('suspend-account', id, '--reason', 'Spam');
    expect(await scans(codes)).toEqual(every(codes, 'stopped'));
    await admin('release-account', id);
    expect(await scans(codes)).toEqual(every(codes, 302));
  });

  test('a scan right after pause-code sees a paused code on every redirect', async () => {
    const code = await create('https://shared.example/~thief');
    expect(await scans([code])).toEqual([302, 302]);
    expect((await admin('pause-code', code.toUpperCase())).output).toContain('https://shared.example/~thief');
    expect(await scans([code])).toEqual(['paused', 'paused']);
  });

  test('a scan right after close-account finds nothing on any redirect', async () => {
    const offenderAccount = await fixture.account();
    const codes: string[] = [];
    for (let i = 0; i < 120; i++)
      codes.push(await create(`https://stranger.example/${i}`, offenderAccount.live));
    for (let i = 0; i < 2; i++) expect(await scans(codes)).toEqual(every(codes, 302));
    const { code, output } = await admin('close-account', formatId('acct', offenderAccount.id), '--yes');
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
    expect(output).toContain('1 codes were created');
    expect(output).toMatch(
      /refused by the service:\n.*bad-1: imported\.example is blocked.*ask the operator/,
    );
  });
});
