import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { someLink } from '@signpost/testing/links.ts';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { DatabaseWatch } from './database-watch.ts';
import { createKeyFilter, type KeyFilter } from './key-filter.ts';
import type { Link } from './link.ts';
import { createLinks, type Links } from './links.ts';
import { createLookupGate } from './lookup-gate.ts';
import { createLookups } from './lookups.ts';

const linkTo = (location: string): Link => someLink({ location });

class Refused extends Error {}

/** PostgreSQL as far as links query it: its answers can be held back, and it can be down. */
function createFakeStore() {
  const codes = new Map<string, Link>();
  let queries = 0;
  let hold: Promise<void> | null = null;
  let fails = false;
  return {
    codes,
    get queries() {
      return queries;
    },
    holdBack() {
      const { promise, resolve } = Promise.withResolvers<void>();
      hold = promise;
      return () => {
        hold = null;
        resolve();
      };
    },
    break(broken: boolean) {
      fails = broken;
    },
    async find(keys: readonly string[]) {
      queries += keys.length;
      if (fails) throw new Refused();
      const found = new Map(keys.flatMap(key => (codes.has(key) ? [[key, codes.get(key)!] as const] : [])));
      await hold;
      return found;
    },
  };
}

const [silenceMs, lookupTimeoutMs] = [60, 400];
let store: ReturnType<typeof createFakeStore>;
let trust: { good: boolean; epoch: number; term: number; isGood(): boolean };
let now: number;
let links: Links;
let filter: KeyFilter;
const client = { block: '192.0.2.1', isGuessing: false };
const lookUp = (key: string, from = client) => links.lookUp(key, from);

function open(more: { staleLinks?: 'serve' | 'refuse'; maxLinks?: number } = {}): Links {
  const isRefusal = (error: unknown) => error instanceof Refused;
  const watch = new DatabaseWatch({
    probe: () => store.find([]),
    isRefusal,
    isUnreachable: isRefusal,
    silenceMs,
    onChange: () => {},
  });
  onTestFinished(() => watch.stop());
  filter = createKeyFilter();
  return createLinks({
    lookups: createLookups({ store, watch, isRefusal, silenceMs }),
    watch,
    gate: createLookupGate(),
    filter,
    trust,
    maxLinks: 3,
    maxUnknown: 2,
    unknownMs: 1000,
    silenceMs,
    lookupTimeoutMs,
    staleLinks: 'serve',
    onLookupError: () => {},
    clock: systemClock,
    nowMs: () => now,
    ...more,
  });
}

beforeEach(() => {
  store = createFakeStore();
  trust = { good: true, epoch: 1, term: 1, isGood: () => trust.good };
  now = 0;
  links = open();
  store.codes.set('menu', linkTo('https://old.example'));
});

describe('under a lease', () => {
  test('a code is looked up once and then served from memory', async () => {
    expect(links.getCached('menu')).toBeUndefined();
    expect(await lookUp('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(links.getCached('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(store.queries).toBe(1);
  });

  test('a code that was invalidated is looked up again', async () => {
    await lookUp('menu');
    store.codes.set('menu', linkTo('https://new.example'));
    links.invalidate(['menu']);
    expect(links.getCached('menu')).toBeUndefined();
    expect(await lookUp('menu')).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('an answer under way when the code is invalidated is not cached, nor given to later requests', async () => {
    const letGo = store.holdBack();
    const before = lookUp('menu');
    await turn();
    store.codes.set('menu', linkTo('https://new.example'));
    links.invalidate(['menu']);
    const after = lookUp('menu');
    letGo();
    expect(await before).toMatchObject({ link: linkTo('https://old.example') });
    expect(await after).toMatchObject({ link: linkTo('https://new.example') });
    expect(links.getCached('menu')).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('an unknown code costs one query, until it is invalidated or expires', async () => {
    expect(await lookUp('nope')).toBe('none');
    expect(links.getCached('nope')).toBe('none');
    links.invalidate(['nope']);
    expect(links.getCached('nope')).toBeUndefined();
    await lookUp('nope');
    now = 1000;
    expect(links.getCached('nope')).toBeUndefined();
  });

  test('many requests at once share one query', async () => {
    await Promise.all(Array.from({ length: 20 }, () => lookUp('menu')));
    expect(store.queries).toBe(1);
  });

  test('no more links are cached than the limit', async () => {
    for (const code of ['a', 'b', 'c', 'd']) {
      store.codes.set(code, linkTo(code));
      await lookUp(code);
    }
    expect(links.size).toBe(3);
    expect(links.getCached('a')).toBeUndefined();
    expect(links.getCached('d')).toBeDefined();
  });
});

describe('without a lease', () => {
  test('memory is not trusted, and every request sends its own query', async () => {
    await lookUp('menu');
    trust.good = false;
    expect(links.getCached('menu')).toBeUndefined();
    await Promise.all([lookUp('menu'), lookUp('menu')]);
    expect(store.queries).toBe(3);
  });

  test('a link cached in an earlier epoch is not trusted', async () => {
    await lookUp('menu');
    trust.epoch = 2;
    expect(links.getCached('menu')).toBeUndefined();
  });

  test('the answer to a query of an earlier epoch is not cached', async () => {
    const letGo = store.holdBack();
    const answer = lookUp('menu');
    await turn();
    trust.epoch = 2;
    letGo();
    await answer;
    expect(links.getCached('menu')).toBeUndefined();
  });

  test('requests that come before a query is sent share it', async () => {
    trust.good = false;
    const letGo = store.holdBack();
    const busy = ['a', 'b', 'c', 'd'].map(key => lookUp(key));
    const waiting = Promise.all(Array.from({ length: 20 }, () => lookUp('menu')));
    letGo();
    await Promise.all([...busy, waiting]);
    expect(store.queries).toBe(5);
  });
});

describe('answers that come late', () => {
  test('to a query of an earlier epoch are not given to later requests', async () => {
    const letGo = store.holdBack();
    const early = lookUp('menu');
    await turn();
    // The lease ends, an edit finds no holder, and nobody can tell what was missed.
    trust.epoch = 2;
    store.codes.set('menu', linkTo('https://new.example'));
    const late = lookUp('menu');
    letGo();
    expect(await early).toMatchObject({ link: linkTo('https://old.example') });
    expect(await late).toMatchObject({ link: linkTo('https://new.example') });
    expect(links.getCached('menu')).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('to a retried query are not given to requests after an edit', async () => {
    const letGo = store.holdBack();
    // All batches are in use, so the retry has to wait.
    const others = ['a', 'b', 'c'].map(key => lookUp(key));
    const early = lookUp('menu');
    await sleep(2 * silenceMs);
    store.codes.set('menu', linkTo('https://new.example'));
    links.invalidate(['menu']);
    const late = lookUp('menu');
    letGo();
    await Promise.all([...others, early]);
    expect(await late).toMatchObject({ link: linkTo('https://new.example') });
    expect(links.getCached('menu')).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('do not replace what was read after an edit', async () => {
    await lookUp('menu');
    trust.good = false;
    const letGo = store.holdBack();
    const early = lookUp('menu');
    await turn();
    trust.good = true;
    store.codes.set('menu', linkTo('https://new.example'));
    links.invalidate(['menu']);
    const late = lookUp('menu');
    letGo();
    await Promise.all([early, late]);
    expect([...links.entries()].map(([, link]) => link.location)).toEqual(['https://new.example']);
  });
});

describe('while PostgreSQL is down', () => {
  beforeEach(async () => {
    await lookUp('menu');
    trust.good = false;
    store.break(true);
  });

  test('the last known destination is served, other codes are refused, and only probes are sent', async () => {
    expect(await lookUp('menu')).toMatchObject({ link: linkTo('https://old.example') });
    const before = store.queries;
    for (let i = 0; i < 10; i++)
      expect(await lookUp('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(await lookUp('never-seen')).toBe('away');
    expect(store.queries).toBe(before);
  });

  test('it has the last word again as soon as it is back', async () => {
    await lookUp('menu');
    store.break(false);
    store.codes.set('menu', linkTo('https://new.example'));
    await vi.waitFor(async () =>
      expect(await lookUp('menu')).toMatchObject({ link: linkTo('https://new.example') }),
    );
  });

  test('no last known destination is served where the settings refuse it', async () => {
    store.break(false);
    trust.good = true;
    links = open({ staleLinks: 'refuse' });
    await lookUp('menu');
    trust.good = false;
    store.break(true);
    expect(await lookUp('menu')).toBe('away');
  });
});

describe('while PostgreSQL is silent', () => {
  test('a cached code waits no longer than the silence limit, and the next ones hardly at all', async () => {
    await lookUp('menu');
    trust.good = false;
    const letGo = store.holdBack();
    const start = performance.now();
    expect(await lookUp('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(performance.now() - start).toBeGreaterThanOrEqual(silenceMs);
    const next = performance.now();
    expect(await lookUp('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(performance.now() - next).toBeLessThan(silenceMs);
    letGo();
  });

  test('an invalidated code is read again soon, so that a stopped one is not served without PostgreSQL', async () => {
    await lookUp('menu');
    store.codes.set('menu', { ...linkTo('https://old.example'), suspended: true });
    links.invalidate(['menu']);
    await sleep(150);
    store.break(true);
    trust.good = false;
    expect(await lookUp('menu')).toMatchObject({ link: { suspended: true } });
  });

  test('an invalidated code waits as long as an unknown one', async () => {
    await lookUp('menu');
    const letGo = store.holdBack();
    store.codes.set('menu', linkTo('https://new.example'));
    links.invalidate(['menu']);
    const found = lookUp('menu');
    setTimeout(letGo, 3 * silenceMs);
    expect(await found).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('a code that is not cached waits for a moment and is then refused', async () => {
    trust.good = false;
    const letGo = store.holdBack();
    const start = performance.now();
    expect(await lookUp('never-seen')).toBe('away');
    expect(performance.now() - start).toBeGreaterThanOrEqual(lookupTimeoutMs - 1);
    letGo();
  });
});

describe('a flood of unknown codes', () => {
  beforeEach(() => {
    filter.reset(10);
    filter.add('menu');
    filter.ready();
  });

  test('costs no query once its address has guessed too often; a code that exists is still looked up', async () => {
    const guesser = { block: '198.51.100.7', isGuessing: true };
    expect(await lookUp('guess', guesser)).toBe('busy');
    expect(links.lookupCounts).toMatchObject({ filter: 1, busy: 0, database: 0 });
    expect(store.queries).toBe(0);
    expect(await lookUp('menu', guesser)).toMatchObject({ link: linkTo('https://old.example') });
  });

  test('has five look-ups for an address and ten in total, while codes that exist are looked up', async () => {
    const letGo = store.holdBack();
    const guesses = Array.from({ length: 100 }, (_, i) =>
      lookUp(`guess-${i}`, { block: `198.51.100.${i % 20}`, isGuessing: false }),
    );
    const fromOneBlock = Array.from({ length: 10 }, (_, i) =>
      lookUp(`guess-${i}-again`, { block: '203.0.113.1', isGuessing: false }),
    );
    const good = lookUp('menu');
    await turn();
    letGo();
    expect((await Promise.all(guesses)).filter(found => found !== 'busy')).toHaveLength(10);
    expect((await Promise.all(fromOneBlock)).every(found => found === 'busy')).toBe(true);
    expect(links.lookupCounts).toMatchObject({ busy: 100, database: 11 });
    expect(await good).toMatchObject({ link: linkTo('https://old.example') });
  });

  test('a code that was just created is no guess', async () => {
    links.invalidate(['brand-new']);
    store.codes.set('brand-new', linkTo('https://new.example'));
    expect(await lookUp('brand-new', { block: 'b', isGuessing: true })).toMatchObject({
      link: linkTo('https://new.example'),
    });
  });

  test('before the filter is filled, every code is looked up', async () => {
    filter.reset(10);
    expect(await lookUp('menu', { block: 'b', isGuessing: true })).toMatchObject({
      link: linkTo('https://old.example'),
    });
  });
});

describe('the entries for a snapshot', () => {
  const keys = () => [...links.entries()].map(([key]) => key);

  test('are the trusted links, without those deleted, or invalidated and not read since', async () => {
    store.codes.set('gone', { ...linkTo(''), status: 'deleted' });
    for (const key of ['menu', 'gone']) await lookUp(key);
    expect(keys()).toEqual(['menu']);
    links.invalidate(['menu']);
    expect(keys()).toEqual([]);
  });

  test('do not have a code whose deletion was missed, once the next epoch has begun', async () => {
    await lookUp('menu');
    trust.epoch = 2;
    store.codes.set('menu', { ...linkTo(''), status: 'deleted' });
    await links.refresh();
    expect(keys()).toEqual([]);
    expect(store.queries).toBe(2);
    await links.refresh();
    expect(store.queries).toBe(2);
  });

  test('have links from the disk while PostgreSQL is down, and otherwise only after they were read again', async () => {
    trust.good = false;
    links.restore('kept', linkTo('https://kept.example'), Date.now() - 3_600_000);
    expect(keys()).toEqual([]);
    store.break(true);
    await lookUp('kept');
    expect(keys()).toEqual(['kept']);
  });
});

test('codes that are scanned stay in memory while many others pass through', async () => {
  links = open({ maxLinks: 1000 });
  const hot = Array.from({ length: 100 }, (_, i) => `hot-${i}`);
  const scan = async (code: string) => {
    store.codes.set(code, linkTo(code));
    return links.getCached(code) ?? (await lookUp(code));
  };
  for (const code of hot) await scan(code);
  for (let i = 0; i < 20_000; i++) {
    await scan(`cold-${i}`);
    if (i % 5 === 0) await scan(hot[(i / 5) % hot.length]!);
  }
  expect(hot.filter(code => links.getCached(code) === undefined)).toEqual([]);
  expect(links.size).toBeLessThanOrEqual(1063);
  // It does not grow without limit even when everything in memory is in use.
  for (let i = 0; i < 3000; i++) {
    await scan(`used-${i}`);
    links.getCached(`used-${i}`);
  }
  expect(links.size).toBeLessThanOrEqual(1063);
});

test('a look-up counts once, under what answered it', async () => {
  const counted = () =>
    Object.fromEntries(Object.entries(links.lookupCounts).filter(([, count]) => count > 0));
  expect(links.getCached('menu')).toBeUndefined();
  await lookUp('menu');
  links.getCached('menu');
  await lookUp('nobody');
  links.getCached('nobody');
  expect(counted()).toEqual({ database: 2, memory: 2 });
  store.break(true);
  trust.good = false;
  expect(links.getCached('menu')).toBeUndefined();
  await lookUp('menu');
  expect(await lookUp('never-seen')).toBe('away');
  expect(counted()).toEqual({ database: 2, memory: 2, last_known: 1, away: 1 });
});
