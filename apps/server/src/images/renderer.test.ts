import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTurns } from '@signpost/testing/turns.ts';
import { expect, test } from 'vitest';
import { computeEtag, type Image } from './image.ts';
import { createRenderer, type Draw, type Requester } from './renderer.ts';

const image = (sizePx: number, more: Partial<Image> = {}): Image => ({
  shortUrl: 'https://sign.example/menu',
  style: {},
  format: 'png',
  sizePx,
  ...more,
});

/** A drawing function that finishes when the test says so, and records its calls. */
function createManualDraw(bytes = 10) {
  const open = new Map<number, () => void>();
  const drawn: number[] = [];
  const draw: Draw = async ({ sizePx }) => {
    drawn.push(sizePx);
    await new Promise<void>(resolve => {
      open.set(sizePx, resolve);
    });
    open.delete(sizePx);
    return new Uint8Array(bytes);
  };
  return { draw, drawn, open };
}

const stays = new AbortController().signal;
const owner: Requester = { kind: 'owner', accountId: 'a', signal: stays };
const other: Requester = { kind: 'owner', accountId: 'b', signal: stays };
const anonymous = (count = () => {}, network = '203.0.113.0'): Requester => ({
  kind: 'public',
  network,
  count,
  signal: stays,
});

const optionsFor = (sizes: Partial<Parameters<typeof createTurns>[0]> = {}) => ({
  cacheBytes: 1000,
  turns: createTurns({ perAccount: 2, perProcess: 2, ...sizes }),
});

test('an account has half of the threads at the most, and another one waits for no queue of it', async () => {
  const { draw, drawn, open } = createManualDraw();
  const renderer = createRenderer({ ...optionsFor({ perAccount: 1 }), draw });
  const all = [500, 501, 502].map(size => renderer.render(image(size), owner));
  await nextTurn();
  expect(drawn).toEqual([500]);
  const beside = renderer.render(image(600), other);
  await nextTurn();
  expect(drawn).toEqual([500, 600]);
  for (const size of [600, 500, 501, 502]) {
    await expect.poll(() => open.has(size)).toBe(true);
    open.get(size)!();
  }
  await Promise.all([...all, beside]);
});

test('a drawing whose requesters have all gone leaves the queue', async () => {
  const { draw, drawn, open } = createManualDraw();
  const renderer = createRenderer({ ...optionsFor({ perAccount: 1 }), draw });
  const first = renderer.render(image(500), owner);
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = [one, two].map(({ signal }) => renderer.render(image(501), { ...owner, signal }));
  const last = renderer.render(image(502), owner);
  const gone = Promise.allSettled(waiting);
  await nextTurn();
  one.abort(new Error('gone'));
  two.abort(new Error('gone'));
  expect((await gone).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  for (const size of [500, 502]) {
    await expect.poll(() => open.has(size)).toBe(true);
    open.get(size)!();
  }
  await Promise.all([first, last]);
  expect(drawn).toEqual([500, 502]);
});

test('an image requested many times at once is drawn once, and then cached', async () => {
  const { draw, drawn, open } = createManualDraw();
  const renderer = createRenderer({ ...optionsFor(), draw });
  const all = Array.from({ length: 20 }, () => renderer.render(image(512), owner));
  await nextTurn();
  open.get(512)!();
  expect(new Set(await Promise.all(all)).size).toBe(1);
  await renderer.render(image(512), owner);
  expect(drawn).toEqual([512]);
});

test('the cache keeps within its bytes, and the image used last stays', async () => {
  const draw: Draw = async () => new Uint8Array(400);
  let calls = 0;
  const renderer = createRenderer({
    ...optionsFor(),
    draw: async wanted => {
      calls++;
      return draw(wanted);
    },
  });
  await renderer.render(image(100), owner);
  await renderer.render(image(101), owner);
  await renderer.render(image(100), owner);
  await renderer.render(image(102), owner);
  expect(calls).toBe(3);
  await renderer.render(image(100), owner);
  expect(calls).toBe(3);
  await renderer.render(image(101), owner);
  expect(calls).toBe(4);
});

test('an account with too many images waiting is refused, and no other one', async () => {
  const { draw, open } = createManualDraw();
  const renderer = createRenderer({ ...optionsFor({ perAccount: 1, waiting: 2 }), draw });
  const all = [100, 101, 102].map(size => renderer.render(image(size), owner));
  await nextTurn();
  await expect(renderer.render(image(103), owner)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  const beside = renderer.render(image(104), other);
  for (const size of [104, 100, 101, 102]) {
    await expect.poll(() => open.has(size)).toBe(true);
    open.get(size)!();
  }
  await Promise.all([...all, beside]);
});

test('an owner waits for what is being drawn, and for no public request in the queue', async () => {
  const { draw, drawn, open } = createManualDraw();
  const renderer = createRenderer({ ...optionsFor({ perAccount: 1 }), draw });
  const flood = Array.from({ length: 6 }, (_, i) =>
    renderer.render(image(100 + i), anonymous(undefined, `network ${i}`)),
  );
  await nextTurn();
  expect(drawn).toEqual([100, 101]);
  // The image of the public queue among them.
  const owners = [500, 105].map(size => renderer.render(image(size), owner));
  for (const size of [100, 500, 105, 101, 102, 103, 104]) {
    await expect.poll(() => open.has(size)).toBe(true);
    open.get(size)!();
    await nextTurn();
  }
  await Promise.all([...owners, ...flood]);
  expect(drawn.indexOf(500)).toBeLessThan(drawn.indexOf(102));
  expect(drawn.indexOf(105)).toBeLessThan(drawn.indexOf(104));
  expect(drawn.filter(size => size === 105)).toHaveLength(1);
});

test('a public request counts for each image that has to be drawn, and for nothing else', async () => {
  const { draw, open } = createManualDraw();
  const renderer = createRenderer({ ...optionsFor(), draw });
  let counted = 0;
  const counting = anonymous(() => {
    if (++counted > 2) throw new Error('enough');
  });
  const first = [renderer.render(image(100), counting), renderer.render(image(101), counting)];
  const joined = renderer.render(image(100), counting);
  expect(counted).toBe(2);
  await expect(renderer.render(image(102), counting)).rejects.toThrow('enough');
  await nextTurn();
  for (const end of open.values()) end();
  await Promise.all([...first, joined]);
  await renderer.render(image(101), counting);
  expect(counted).toBe(3);
  // A refusal leaves nothing behind: another client can have the image.
  const another = renderer.render(image(102), anonymous());
  await nextTurn();
  open.get(102)!();
  expect(await another).toHaveLength(10);
});

test('an image that fails is not cached, and the next one can be drawn', async () => {
  let fail = true;
  const renderer = createRenderer({
    ...optionsFor(),
    draw: async () => {
      if (fail) throw new Error('no ink');
      return new Uint8Array(1);
    },
  });
  for (let i = 0; i < 5; i++) await expect(renderer.render(image(512), owner)).rejects.toThrow('no ink');
  fail = false;
  expect(await renderer.render(image(512), owner)).toHaveLength(1);
});

test('the ETag is equal for equal pixels and differs for all others', () => {
  const same = [
    image(512),
    image(512, { style: { dotsType: 'square' } }),
    image(512, { style: { backgroundColor: '#FFFFFF', dotsColor: '#000000' } }),
  ];
  expect(new Set(same.map(computeEtag)).size).toBe(1);
  const others = [
    image(512),
    image(513),
    image(512, { format: 'svg' }),
    image(512, { shortUrl: 'https://sign.example/Menu' }),
    image(512, { style: { dotsType: 'dots' } }),
    image(512, { style: { cornersDotColor: '#000001' } }),
  ];
  expect(new Set(others.map(computeEtag)).size).toBe(others.length);
});
