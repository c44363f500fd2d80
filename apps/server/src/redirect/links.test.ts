import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Link } from './link.ts';
import { createLinks, type Links } from './links.ts';

const linkTo = (location: string): Link => ({
  qrCodeId: 'q',
  accountId: 'a',
  mode: 'live',
  status: 'active',
  location,
});

/** A store whose answers are held back until they are let go. */
function createStage() {
  const codes = new Map<string, Link>();
  let questions = 0;
  let hold: Promise<void> | null = null;
  let fails = false;
  let silences = 0;
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
    silence(times: number) {
      silences = times;
    },
    break(broken: boolean) {
      fails = broken;
    },
    store: {
      async find(code: string) {
        questions++;
        if (fails) throw new Error('away');
        if (silences-- > 0) throw new Error('no answer in time');
        const link = codes.get(code) ?? null;
        await hold;
        return link;
      },
    },
  };
}

let stage: ReturnType<typeof createStage>;
let lease: { good: boolean; epoch: number; isGood(): boolean };
let now: number;
let links: Links;

beforeEach(() => {
  stage = createStage();
  lease = { good: true, epoch: 1, isGood: () => lease.good };
  now = 0;
  links = createLinks({
    store: stage.store,
    lease,
    maxLinks: 3,
    maxUnknown: 2,
    unknownMs: 1000,
    restMs: 500,
    onAway: () => {},
    isRefusal: error => error instanceof Error && error.message === 'away',
    nowMs: () => now,
  });
  stage.codes.set('menu', linkTo('https://old.example'));
});

describe('under a lease', () => {
  test('a code is looked up once and then recalled', async () => {
    expect(links.recall('menu')).toBeUndefined();
    expect(await links.look('menu')).toEqual({ link: linkTo('https://old.example') });
    expect(links.recall('menu')).toMatchObject({ link: linkTo('https://old.example') });
    expect(stage.questions).toBe(1);
  });

  test('a code that was dropped is looked up anew', async () => {
    await links.look('menu');
    stage.codes.set('menu', linkTo('https://new.example'));
    links.drop(['menu']);
    expect(links.recall('menu')).toBeUndefined();
    expect(await links.look('menu')).toEqual({ link: linkTo('https://new.example') });
  });

  test('an answer that was under way when the code was dropped is not remembered, nor given to those who come after', async () => {
    const letGo = stage.holdBack();
    const before = links.look('menu');
    await turn();
    stage.codes.set('menu', linkTo('https://new.example'));
    links.drop(['menu']);
    const after = links.look('menu');
    letGo();
    expect(await before).toEqual({ link: linkTo('https://old.example') });
    expect(await after).toEqual({ link: linkTo('https://new.example') });
    expect(links.recall('menu')).toMatchObject({ link: linkTo('https://new.example') });
  });

  test('an unknown code costs one question, until it is dropped or its time is up', async () => {
    expect(await links.look('nope')).toBe('none');
    expect(links.recall('nope')).toBe('none');
    links.drop(['nope']);
    expect(links.recall('nope')).toBeUndefined();
    await links.look('nope');
    now = 1000;
    expect(links.recall('nope')).toBeUndefined();
  });

  test('many at once share one question', async () => {
    await Promise.all(Array.from({ length: 20 }, () => links.look('menu')));
    expect(stage.questions).toBe(1);
  });

  test('no more is remembered than the bound', async () => {
    for (const code of ['a', 'b', 'c', 'd']) {
      stage.codes.set(code, linkTo(code));
      await links.look(code);
    }
    expect(links.size).toBe(3);
    expect(links.recall('a')).toBeUndefined();
    expect(links.recall('d')).toBeDefined();
  });
});

describe('without a lease', () => {
  test('memory is not trusted, and every request asks for itself', async () => {
    await links.look('menu');
    lease.good = false;
    expect(links.recall('menu')).toBeUndefined();
    await Promise.all([links.look('menu'), links.look('menu')]);
    expect(stage.questions).toBe(3);
  });

  test('what was remembered under an earlier lease counts no more under a new one', async () => {
    await links.look('menu');
    lease.epoch = 2;
    expect(links.recall('menu')).toBeUndefined();
  });

  test('an answer that was asked for under an earlier lease is not remembered', async () => {
    const letGo = stage.holdBack();
    const answer = links.look('menu');
    await turn();
    lease.epoch = 2;
    letGo();
    await answer;
    expect(links.recall('menu')).toBeUndefined();
  });

  test('what was known last is served while nobody can be asked, and PostgreSQL is left alone for a while', async () => {
    await links.look('menu');
    lease.good = false;
    stage.break(true);
    expect(await links.look('menu')).toEqual({ link: linkTo('https://old.example') });
    const asked = stage.questions;
    expect(await links.look('menu')).toEqual({ link: linkTo('https://old.example') });
    expect(await links.look('never-seen')).toBe('away');
    expect(stage.questions).toBe(asked);
    now = 500;
    stage.break(false);
    stage.codes.set('menu', linkTo('https://new.example'));
    expect(await links.look('menu')).toEqual({ link: linkTo('https://new.example') });
  });

  test('silence is not taken for absence: the question is asked once more before memory is believed', async () => {
    await links.look('menu');
    lease.good = false;
    stage.codes.set('menu', linkTo('https://new.example'));
    stage.silence(1);
    expect(await links.look('menu')).toEqual({ link: linkTo('https://new.example') });
    stage.codes.set('menu', linkTo('https://newer.example'));
    stage.silence(2);
    expect(await links.look('menu')).toEqual({ link: linkTo('https://new.example') });
  });
});
