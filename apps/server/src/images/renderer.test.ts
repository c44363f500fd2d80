import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { etagOf, type Image } from './image.ts';
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

const owner: Requester = { kind: 'owner' };
const anonymous = (count = () => {}): Requester => ({ kind: 'public', count });

const options = { cacheBytes: 1000, maxWaiting: 10, onShed: () => {} };

test('two at a time are drawn, but only one of more than 1024 pixels', async () => {
  const { draw, drawn, open } = createManualDraw();
  const renderer = createRenderer({ ...options, draw });
  const all = [2000, 2001, 500, 501].map(size => renderer.render(image(size), owner));
  await nextTurn();
  expect(drawn).toEqual([2000, 500]);
  open.get(500)!();
  await nextTurn();
  expect(drawn).toEqual([2000, 500, 501]);
  open.get(2000)!();
  await nextTurn();
  expect(drawn).toEqual([2000, 500, 501, 2001]);
  for (const done of open.values()) done();
  expect(await Promise.all(all)).toHaveLength(4);
});

test('an image requested many times at once is drawn once, and then cached', async () => {
  const { draw, drawn, open } = createManualDraw();
  const renderer = createRenderer({ ...options, draw });
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
    ...options,
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

test('images past the limit of the queue are refused and counted', async () => {
  const { draw, open } = createManualDraw();
  let shed = 0;
  const renderer = createRenderer({ ...options, maxWaiting: 1, draw, onShed: () => shed++ });
  const all = [100, 101, 102].map(size => renderer.render(image(size), owner));
  await expect(renderer.render(image(103), owner)).rejects.toMatchObject({ code: 'unavailable' });
  expect(shed).toBe(1);
  for (let i = 0; i < 3; i++) {
    await nextTurn();
    for (const done of open.values()) done();
  }
  await Promise.all(all);
});

test('an owner waits for what is being drawn, and for no public request in the queue', async () => {
  const { draw, drawn, open } = createManualDraw();
  let shed = 0;
  const renderer = createRenderer({ ...options, draw, onShed: () => shed++ });
  const flood = Array.from({ length: 20 }, (_, i) => renderer.render(image(100 + i), anonymous()));
  const refused = Promise.allSettled(flood.slice(12));
  await nextTurn();
  expect(drawn).toEqual([100, 101]);
  expect(shed).toBe(8);
  const owners = [renderer.render(image(500), owner), renderer.render(image(501), owner)];
  for (const size of [100, 101, 500, 501]) {
    await nextTurn();
    open.get(size)!();
  }
  await Promise.all(owners);
  expect(drawn.slice(0, 5)).toEqual([100, 101, 500, 501, 102]);
  for (let done = 0; done < 12; done++) {
    await nextTurn();
    for (const end of open.values()) end();
  }
  await Promise.all(flood.slice(0, 12));
  for (const { status } of await refused) expect(status).toBe('rejected');
});

test('an image that an owner requests leaves the public queue', async () => {
  const { draw, drawn, open } = createManualDraw();
  const renderer = createRenderer({ ...options, draw });
  const flood = Array.from({ length: 10 }, (_, i) => renderer.render(image(100 + i), anonymous()));
  const same = renderer.render(image(109), owner);
  await nextTurn();
  open.get(100)!();
  await nextTurn();
  expect(drawn).toEqual([100, 101, 109]);
  for (let done = 0; done < 10; done++) {
    await nextTurn();
    for (const end of open.values()) end();
  }
  expect(await same).toBe(await flood[9]);
});

test('a public request counts for each image that has to be drawn, and for nothing else', async () => {
  const { draw, open } = createManualDraw();
  const renderer = createRenderer({ ...options, draw });
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
  const other = renderer.render(image(102), anonymous());
  await nextTurn();
  open.get(102)!();
  expect(await other).toHaveLength(10);
});

test('an image that fails is not cached, and the next one can be drawn', async () => {
  let fail = true;
  const renderer = createRenderer({
    ...options,
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
  expect(new Set(same.map(etagOf)).size).toBe(1);
  const others = [
    image(512),
    image(513),
    image(512, { format: 'svg' }),
    image(512, { shortUrl: 'https://sign.example/Menu' }),
    image(512, { style: { dotsType: 'dots' } }),
    image(512, { style: { cornersDotColor: '#000001' } }),
  ];
  expect(new Set(others.map(etagOf)).size).toBe(others.length);
});
