import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../kernel/clock.ts';
import { createDatabaseWatch } from './database-watch.ts';
import { createKeyFilter, type KeyFilter } from './key-filter.ts';
import type { Link } from './link.ts';
import { createLinks, type Links } from './links.ts';
import { createLookUpGate } from './look-up-gate.ts';
import { createLookUps } from './look-ups.ts';

const linkTo = (location: string): Link => ({
  qrCodeId: 'q',
  accountId: 'a',
  mode: 'live',
  status: 'active',
  suspended: false,
  location,
  host: 'example.com',
});

class Refused extends Error {}

/** PostgreSQL as far as links ask it: its answers can be held back, and it can be down. */
function createStage() {
  const codes = new Map<string, Link>();
  let questions = 0;
  let hold: Promise<void> | null = null;
  let fails = false;
  return {
    codes,
    get questions() {
      return questions;
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
      questions += keys.length;
      if (fails) throw new Refused();
      const found = new Map(keys.flatMap(key => (codes.has(key) ? [[key, codes.get(key)!] as const] : [])));
      await hold;
      return found;
    },
  };
}

const [silenceMs, lookUpMs] = [60, 400];
let stage: ReturnType<typeof createStage>;
let lease: { good: boolean; epoch: number; isGood(): boolean };
let now: number;
let links: Links;
let filter: KeyFilter;
const asker = { block: '192.0.2.1', isGuessing: false };
const look = (key: string, from = asker) => links.look(key, from);

function open(more: { staleLinks?: 'serve' | 'refuse'; maxLinks?: number } = {}): Links {
  const isRefusal = (error: unknown) => error instanceof Refused;
  const watch = createDatabaseWatch({
    probe: () => stage.find([]),
    isRefusal,
    isAway: isRefusal,
    silenceMs,
    onChange: () => {},
  });
  onTestFinished(() => watch.stop());
  filter = createKeyFilter();
  return createLinks({
    lookUps: createLookUps({ store: stage, watch, isRefusal, silenceMs }),
    watch,
    gate: createLookUpGate(),
    filter,
    lease,
    maxLinks: 3,
    maxUnknown: 2,
    unknownMs: 1000,
    silenceMs,
    lookUpMs,
    staleLinks: 'serve',
    onAway: () => {},
    clock: systemClock,
    nowMs: () => now,
    ...more,
  });
}

beforeEach(() => {
  stage = createStage();
  lease = { good: true, epoch: 1, isGood: () => lease.good };
  now = 0;
  links = open();
  stage.codes.set('menu', linkTo('https://old.example'));
});

describe('under a lease', () => {
  test('a code is looked up once and then recalled', async () => {
    expect(links.recall('menu')).toBeUndefined();
    expect(await look('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(links.recall('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(stage.questions).toBe(1);
  });

  test('a code that was dropped is looked up anew', async () => {
    await look('menu');
    stage.codes.set('menu', linkTo('https://new.example'));
    links.drop(['menu']);
    expect(links.recall('menu')).toBeUndefined();
    expect(await look('menu')).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('an answer that was under way when the code was dropped is not remembered, nor given to those who come after', async () => {
    const letGo = stage.holdBack();
    const before = look('menu');
    await turn();
    stage.codes.set('menu', linkTo('https://new.example'));
    links.drop(['menu']);
    const after = look('menu');
    letGo();
    expect(await before).toMatchObject({ link: linkTo('https://old.example') });
    expect(await after).toMatchObject({ link: linkTo('https://new.example') });
    expect(links.recall('menu')).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('an unknown code costs one question, until it is dropped or its time is up', async () => {
    expect(await look('nope')).toBe('none');
    expect(links.recall('nope')).toBe('none');
    links.drop(['nope']);
    expect(links.recall('nope')).toBeUndefined();
    await look('nope');
    now = 1000;
    expect(links.recall('nope')).toBeUndefined();
  });

  test('many at once share one question', async () => {
    await Promise.all(Array.from({ length: 20 }, () => look('menu')));
    expect(stage.questions).toBe(1);
  });

  test('no more is remembered than the bound', async () => {
    for (const code of ['a', 'b', 'c', 'd']) {
      stage.codes.set(code, linkTo(code));
      await look(code);
    }
    expect(links.size).toBe(3);
    expect(links.recall('a')).toBeUndefined();
    expect(links.recall('d')).toBeDefined();
  });
});

describe('without a lease', () => {
  test('memory is not trusted, and every request asks for itself', async () => {
    await look('menu');
    lease.good = false;
    expect(links.recall('menu')).toBeUndefined();
    await Promise.all([look('menu'), look('menu')]);
    expect(stage.questions).toBe(3);
  });

  test('what was remembered under an earlier lease counts no more under a new one', async () => {
    await look('menu');
    lease.epoch = 2;
    expect(links.recall('menu')).toBeUndefined();
  });

  test('an answer that was asked for under an earlier lease is not remembered', async () => {
    const letGo = stage.holdBack();
    const answer = look('menu');
    await turn();
    lease.epoch = 2;
    letGo();
    await answer;
    expect(links.recall('menu')).toBeUndefined();
  });

  test('requests that come while a question is yet to be put share it', async () => {
    lease.good = false;
    const letGo = stage.holdBack();
    const busy = ['a', 'b', 'c', 'd'].map(key => look(key));
    const waiting = Promise.all(Array.from({ length: 20 }, () => look('menu')));
    letGo();
    await Promise.all([...busy, waiting]);
    expect(stage.questions).toBe(5);
  });
});

describe('answers that come late', () => {
  test('to a question of an earlier lease are not given to those who come under the next one', async () => {
    const letGo = stage.holdBack();
    const early = look('menu');
    await turn();
    // The lease ends, an edit finds nobody to tell, and the next lease begins.
    lease.epoch = 2;
    stage.codes.set('menu', linkTo('https://new.example'));
    const late = look('menu');
    letGo();
    expect(await early).toMatchObject({ link: linkTo('https://old.example') });
    expect(await late).toMatchObject({ link: linkTo('https://new.example') });
    expect(links.recall('menu')).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('to a question put again are not given to those who come after an edit', async () => {
    const letGo = stage.holdBack();
    // All places are taken, so that what is put again has to wait.
    const others = ['a', 'b', 'c'].map(key => look(key));
    const early = look('menu');
    await sleep(2 * silenceMs);
    stage.codes.set('menu', linkTo('https://new.example'));
    links.drop(['menu']);
    const late = look('menu');
    letGo();
    await Promise.all([...others, early]);
    expect(await late).toMatchObject({ link: linkTo('https://new.example') });
    expect(links.recall('menu')).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('do not replace what was read after an edit', async () => {
    await look('menu');
    lease.good = false;
    const letGo = stage.holdBack();
    const early = look('menu');
    await turn();
    lease.good = true;
    stage.codes.set('menu', linkTo('https://new.example'));
    links.drop(['menu']);
    const late = look('menu');
    letGo();
    await Promise.all([early, late]);
    expect([...links.entries()].map(([, link]) => link.location)).toEqual(['https://new.example']);
  });
});

describe('while PostgreSQL is down', () => {
  beforeEach(async () => {
    await look('menu');
    lease.good = false;
    stage.break(true);
  });

  test('the last known destination is served, others are refused, and only probes ask', async () => {
    expect(await look('menu')).toMatchObject({ link: linkTo('https://old.example') });
    const asked = stage.questions;
    for (let i = 0; i < 10; i++)
      expect(await look('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(await look('never-seen')).toBe('away');
    expect(stage.questions).toBe(asked);
  });

  test('it has the last word again as soon as it is back', async () => {
    await look('menu');
    stage.break(false);
    stage.codes.set('menu', linkTo('https://new.example'));
    await vi.waitFor(async () =>
      expect(await look('menu')).toMatchObject({ link: linkTo('https://new.example') }),
    );
  });

  test('nothing old is served where that is refused by the settings', async () => {
    stage.break(false);
    lease.good = true;
    links = open({ staleLinks: 'refuse' });
    await look('menu');
    lease.good = false;
    stage.break(true);
    expect(await look('menu')).toBe('away');
  });
});

describe('while PostgreSQL is silent', () => {
  test('a known code waits no longer than the silence, and the next ones hardly at all', async () => {
    await look('menu');
    lease.good = false;
    const letGo = stage.holdBack();
    const start = performance.now();
    expect(await look('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(performance.now() - start).toBeGreaterThanOrEqual(silenceMs);
    const next = performance.now();
    expect(await look('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(performance.now() - next).toBeLessThan(silenceMs);
    letGo();
  });

  test('a code of which an edit was heard is read again soon, so that what was stopped is not served without PostgreSQL', async () => {
    await look('menu');
    stage.codes.set('menu', { ...linkTo('https://old.example'), suspended: true });
    links.drop(['menu']);
    await sleep(150);
    stage.break(true);
    lease.good = false;
    expect(await look('menu')).toMatchObject({ link: { suspended: true } });
  });

  test('a code of which an edit was heard waits as long as an unknown one', async () => {
    await look('menu');
    const letGo = stage.holdBack();
    stage.codes.set('menu', linkTo('https://new.example'));
    links.drop(['menu']);
    const found = look('menu');
    setTimeout(letGo, 3 * silenceMs);
    expect(await found).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('a code that is not known waits for a moment and is then refused', async () => {
    lease.good = false;
    const letGo = stage.holdBack();
    const start = performance.now();
    expect(await look('never-seen')).toBe('away');
    expect(performance.now() - start).toBeGreaterThanOrEqual(lookUpMs - 1);
    letGo();
  });
});

describe('a flood of unknown codes', () => {
  beforeEach(() => {
    filter.reset(10);
    filter.add('menu');
    filter.ready();
  });

  test('costs no question once its address has guessed too often; a code that exists still does', async () => {
    const guesser = { block: '198.51.100.7', isGuessing: true };
    expect(await look('guess', guesser)).toBe('busy');
    expect(links.lookUpCounts).toMatchObject({ filter: 1, busy: 0, database: 0 });
    expect(stage.questions).toBe(0);
    expect(await look('menu', guesser)).toMatchObject({ link: linkTo('https://old.example') });
  });

  test('takes five places of an address, and ten in all, while codes that exist get theirs', async () => {
    const letGo = stage.holdBack();
    const guesses = Array.from({ length: 100 }, (_, i) =>
      look(`guess-${i}`, { block: `198.51.100.${i % 20}`, isGuessing: false }),
    );
    const ofOne = Array.from({ length: 10 }, (_, i) =>
      look(`guess-${i}-again`, { block: '203.0.113.1', isGuessing: false }),
    );
    const good = look('menu');
    await turn();
    letGo();
    expect((await Promise.all(guesses)).filter(found => found !== 'busy')).toHaveLength(10);
    expect((await Promise.all(ofOne)).every(found => found === 'busy')).toBe(true);
    expect(links.lookUpCounts).toMatchObject({ busy: 100, database: 11 });
    expect(await good).toMatchObject({ link: linkTo('https://old.example') });
  });

  test('a code that was just created is no guess', async () => {
    links.drop(['brand-new']);
    stage.codes.set('brand-new', linkTo('https://new.example'));
    expect(await look('brand-new', { block: 'b', isGuessing: true })).toMatchObject({
      link: linkTo('https://new.example'),
    });
  });

  test('before the filter is filled, every code is looked up', async () => {
    filter.reset(10);
    expect(await look('menu', { block: 'b', isGuessing: true })).toMatchObject({
      link: linkTo('https://old.example'),
    });
  });
});

describe('what goes into a snapshot', () => {
  const keys = () => [...links.entries()].map(([key]) => key);

  test('is what is trusted, without what was deleted or edited and not read since', async () => {
    stage.codes.set('gone', { ...linkTo(''), status: 'deleted' });
    for (const key of ['menu', 'gone']) await look(key);
    expect(keys()).toEqual(['menu']);
    links.drop(['menu']);
    expect(keys()).toEqual([]);
  });

  test('a deletion that was not heard of is found when the next lease has begun', async () => {
    await look('menu');
    lease.epoch = 2;
    stage.codes.set('menu', { ...linkTo(''), status: 'deleted' });
    await links.refresh();
    expect(keys()).toEqual([]);
    expect(stage.questions).toBe(2);
    await links.refresh();
    expect(stage.questions).toBe(2);
  });

  test('what came from the disk is in it while PostgreSQL is down, and otherwise only when it was read again', async () => {
    lease.good = false;
    links.restore('kept', linkTo('https://kept.example'), Date.now() - 3_600_000);
    expect(keys()).toEqual([]);
    stage.break(true);
    await look('kept');
    expect(keys()).toEqual(['kept']);
  });
});

test('codes that are scanned stay in memory while many others pass through it', async () => {
  links = open({ maxLinks: 1000 });
  const hot = Array.from({ length: 100 }, (_, i) => `hot-${i}`);
  const scan = async (code: string) => {
    stage.codes.set(code, linkTo(code));
    return links.recall(code) ?? (await look(code));
  };
  for (const code of hot) await scan(code);
  for (let i = 0; i < 20_000; i++) {
    await scan(`cold-${i}`);
    if (i % 5 === 0) await scan(hot[(i / 5) % hot.length]!);
  }
  expect(hot.filter(code => links.recall(code) === undefined)).toEqual([]);
  expect(links.size).toBeLessThanOrEqual(1063);
  // Also when everything in memory is in use, it does not grow without end.
  for (let i = 0; i < 3000; i++) {
    await scan(`used-${i}`);
    links.recall(`used-${i}`);
  }
  expect(links.size).toBeLessThanOrEqual(1063);
});

test('a look-up counts once, under what answered it', async () => {
  const counted = () =>
    Object.fromEntries(Object.entries(links.lookUpCounts).filter(([, count]) => count > 0));
  expect(links.recall('menu')).toBeUndefined();
  await look('menu');
  links.recall('menu');
  await look('nobody');
  links.recall('nobody');
  expect(counted()).toEqual({ database: 2, memory: 2 });
  stage.break(true);
  lease.good = false;
  expect(links.recall('menu')).toBeUndefined();
  await look('menu');
  expect(await look('never-seen')).toBe('away');
  expect(counted()).toEqual({ database: 2, memory: 2, last_known: 1, away: 1 });
});
