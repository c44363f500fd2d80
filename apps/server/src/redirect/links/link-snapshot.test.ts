import { hash } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { someLink } from '@signpost/testing/links.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createLinkRules } from '../../rules/link-rules.ts';
import type { Link } from './link.ts';
import { LinkSnapshot } from './link-snapshot.ts';
import { hasSnapshot, snapshotName } from './snapshot-file.ts';
import { createStops, type Stops } from './stops.ts';

const linkTo = (location: string): Link => someLink({ location });

let dir: string;
let nowMs: number;
let confirmedAtMs: number;
let installation: string;
let changes: number;
let links: Map<string, Link>;
let restored: Map<string, Link>;
let stops: Stops;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signpost-snapshot-'));
  nowMs = Date.UTC(2026, 10, 15);
  confirmedAtMs = nowMs;
  installation = 'ours';
  changes = 0;
  links = new Map();
  restored = new Map();
  stops = createStops(async () => ({ version: 0, isComplete: true, changes: [] }));
});

const open = (everyMs?: number) =>
  new LinkSnapshot({
    ...(everyMs ? { everyMs } : {}),
    dir,
    links: {
      entries: () => Array.from(links, ([key, link]) => [key, link, confirmedAtMs] as const),
      refresh: async () => undefined,
      restore: (key, link) => restored.set(key, link),
      get changes() {
        return changes;
      },
    },
    stops,
    installation,
    clock: { now: () => new Date(nowMs) },
    onError: error => {
      throw error;
    },
  });

const path = () => join(dir, snapshotName);

async function save(): Promise<void> {
  const snapshot = open();
  changes++;
  await snapshot.stop();
}

test('the next process restores stops and domains of the same moment, and can serve from domains alone', async () => {
  const domain = {
    account: 'a',
    space: 'd/bcdfghjk/',
    active: true,
    root: 'https://brand.example/',
    notFound: null,
  };
  stops.apply([
    { subject: 'domain/go.brand.example', reason: null, n: 1, domain },
    { subject: 'account/b', reason: 'suspended', n: 2 },
  ]);
  await save();
  expect(await hasSnapshot(dir, installation, nowMs)).toBe(true);
  const saved = [...stops.entries()];
  stops = createStops(async () => ({ version: 0, isComplete: true, changes: [] }));
  expect(await open().load()).toEqual({ kind: 'loaded', links: 0 });
  expect([...stops.entries()]).toEqual(saved);
  expect(stops.domains.find('go.brand.example')).toMatchObject({ accountId: 'a', isActive: true });
});

test('the next process restores the links of the one before', async () => {
  for (let i = 0; i < 1000; i++) links.set(`code-${i}`, linkTo(`https://example.com/${i}?q="\n"&ä`));
  await save();
  expect(await open().load()).toEqual({ kind: 'loaded', links: 1000 });
  expect(restored).toEqual(links);
});

test('a link is restored with its routing', async () => {
  const routing = createLinkRules(JSON.stringify({ fallback: 'https://example.com/"ä"' }));
  links.set('routed', someLink({ routing }));
  links.set('plain', someLink());
  await save();
  await open().load();
  expect(restored.get('routed')!.routing!.text).toBe(routing.text);
  expect(restored.get('plain')!.routing).toBeNull();
});

test('stops are restored with the links', async () => {
  const stopped = [
    { subject: 'account/a', reason: 'suspended', n: 3 },
    { subject: 'host/evil.example', reason: 'blocked', n: 7 },
  ] as const;
  stops.restore(7, stopped);
  links.set('menu', linkTo('https://example.com'));
  await save();
  stops = createStops(async () => ({ version: 0, isComplete: true, changes: [] }));
  expect(await open().load()).toEqual({ kind: 'loaded', links: 1 });
  expect([stops.version, [...stops.entries()]]).toEqual([7, stopped]);
});

test('only its owner can read the file, and it is not rewritten without a change', async () => {
  links.set('menu', linkTo('https://example.com'));
  await save();
  expect(statSync(path()).mode & 0o777).toBe(0o600);
  const { mtimeMs } = statSync(path());
  await open().stop();
  expect(statSync(path()).mtimeMs).toBe(mtimeMs);
});

test('is rewritten after an hour without changes, and when the process stops', async () => {
  links.set('menu', linkTo('https://example.com'));
  await save();
  const snapshot = open(5);
  await snapshot.load();
  snapshot.start();
  nowMs += 3_599_000;
  await sleep(30);
  expect(snapshot.ageSeconds()).toBe(3_599);
  nowMs += 1_000;
  await vi.waitFor(() => expect(snapshot.ageSeconds()).toBe(0));
  nowMs += 60_000;
  await snapshot.stop();
  expect(snapshot.ageSeconds()).toBe(0);
  expect(await hasSnapshot(dir, installation, nowMs + 24 * 3_600_000)).toBe(true);
});

test('with more links than the process knows is kept where nothing has changed', async () => {
  links.set('menu', linkTo('https://example.com'));
  await save();
  const snapshot = open();
  await snapshot.load();
  links.clear();
  nowMs += 2 * 3_600_000;
  await snapshot.stop();
  expect(await open().load()).toEqual({ kind: 'loaded', links: 1 });
});

test('can be served from only where it is intact, of this installation, recent and has a link', async () => {
  const canServe = () => hasSnapshot(dir, installation, nowMs);
  expect(await canServe()).toBe(false);
  await save();
  expect(await canServe()).toBe(false);
  links.set('menu', linkTo('https://example.com/menu'));
  await save();
  expect(await canServe()).toBe(true);
  expect(await hasSnapshot(dir, 'theirs', nowMs)).toBe(false);
  expect(await hasSnapshot(dir, installation, nowMs + 24 * 3_600_000 + 1)).toBe(false);
  writeFileSync(path(), readFileSync(path(), 'utf8').replace('/menu', '/mend'));
  expect(await canServe()).toBe(false);
});

test('states its age', async () => {
  const snapshot = open();
  expect(snapshot.ageSeconds()).toBe(Infinity);
  changes++;
  await snapshot.stop();
  nowMs += 90_000;
  expect(snapshot.ageSeconds()).toBe(90);
});

describe('is not used', () => {
  beforeEach(async () => {
    links.set('menu', linkTo('https://example.com/menu'));
    await save();
  });

  test('where there is none', async () => {
    dir = mkdtempSync(join(tmpdir(), 'signpost-snapshot-'));
    expect(await open().load()).toEqual({ kind: 'none' });
  });

  test('after a day', async () => {
    nowMs += 24 * 60 * 60 * 1000 + 1;
    expect(await open().load()).toMatchObject({ kind: 'not_used', reason: expect.stringMatching(/day/) });
  });

  test('by another installation', async () => {
    installation = 'theirs';
    expect(await open().load()).toMatchObject({ kind: 'not_used', reason: expect.stringMatching(/another/) });
    expect(restored.size).toBe(0);
  });

  test('of another version, whose keys may mean something else', async () => {
    const older = readFileSync(path(), 'utf8').replace(/"signpost links \d+"/, '"signpost links 1"');
    const lines = older.slice(0, older.trimEnd().lastIndexOf('\n') + 1);
    writeFileSync(path(), `${lines}${hash('sha256', lines)}\n`);
    expect(await open().load()).toMatchObject({ kind: 'not_used', reason: expect.stringMatching(/version/) });
    expect(restored.size).toBe(0);
  });

  test('for a link that was last confirmed a day ago, however often it was written since', async () => {
    for (let hours = 12; hours <= 48; hours += 12) {
      nowMs += 12 * 60 * 60 * 1000;
      await save();
    }
    expect(await open().load()).toEqual({ kind: 'loaded', links: 0 });
  });

  test('where a byte has changed, or the end is missing', async () => {
    const text = readFileSync(path(), 'utf8');
    chmodSync(path(), 0o600);
    for (const broken of [text.replace('/menu', '/mend'), text.slice(0, -30), text.slice(0, 40), '']) {
      writeFileSync(path(), broken);
      expect(await open().load()).toMatchObject({
        kind: 'not_used',
        reason: expect.stringMatching(/checksum/),
      });
    }
    expect(restored.size).toBe(0);
  });
});
