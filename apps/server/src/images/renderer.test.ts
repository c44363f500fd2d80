import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { etagOf, type Image } from './image.ts';
import { createRenderer, type Draw } from './renderer.ts';

const image = (sizePx: number, more: Partial<Image> = {}): Image => ({
  shortUrl: 'https://sign.example/menu',
  style: {},
  format: 'png',
  sizePx,
  ...more,
});

/** Drawing that waits to be told when it is done, and counts. */
function createStage(bytes = 10) {
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

const options = { cacheBytes: 1000, maxWaiting: 10, onShed: () => {} };

test('two at a time are drawn, but only one of more than 1024 pixels', async () => {
  const { draw, drawn, open } = createStage();
  const renderer = createRenderer({ ...options, draw });
  const all = [2000, 2001, 500, 501].map(size => renderer.render(image(size)));
  await turn();
  expect(drawn).toEqual([2000, 500]);
  open.get(500)!();
  await turn();
  expect(drawn).toEqual([2000, 500, 501]);
  open.get(2000)!();
  await turn();
  expect(drawn).toEqual([2000, 500, 501, 2001]);
  for (const done of open.values()) done();
  expect(await Promise.all(all)).toHaveLength(4);
});

test('however many ask for one image at once, it is drawn once, and then remembered', async () => {
  const { draw, drawn, open } = createStage();
  const renderer = createRenderer({ ...options, draw });
  const all = Array.from({ length: 20 }, () => renderer.render(image(512)));
  await turn();
  open.get(512)!();
  expect(new Set(await Promise.all(all)).size).toBe(1);
  await renderer.render(image(512));
  expect(drawn).toEqual([512]);
});

test('what is remembered keeps within its bytes, and what was used last stays', async () => {
  const draw: Draw = async () => new Uint8Array(400);
  let calls = 0;
  const renderer = createRenderer({
    ...options,
    draw: async one => {
      calls++;
      return draw(one);
    },
  });
  await renderer.render(image(100));
  await renderer.render(image(101));
  await renderer.render(image(100));
  await renderer.render(image(102));
  expect(calls).toBe(3);
  await renderer.render(image(100));
  expect(calls).toBe(3);
  await renderer.render(image(101));
  expect(calls).toBe(4);
});

test('images past the bound are turned away and counted', async () => {
  const { draw, open } = createStage();
  let shed = 0;
  const renderer = createRenderer({ ...options, maxWaiting: 1, draw, onShed: () => shed++ });
  const all = [100, 101, 102].map(size => renderer.render(image(size)));
  await expect(renderer.render(image(103))).rejects.toMatchObject({ code: 'unavailable' });
  expect(shed).toBe(1);
  for (let i = 0; i < 3; i++) {
    await turn();
    for (const done of open.values()) done();
  }
  await Promise.all(all);
});

test('an image that fails is not remembered, and frees its place', async () => {
  let fail = true;
  const renderer = createRenderer({
    ...options,
    draw: async () => {
      if (fail) throw new Error('no ink');
      return new Uint8Array(1);
    },
  });
  for (let i = 0; i < 5; i++) await expect(renderer.render(image(512))).rejects.toThrow('no ink');
  fail = false;
  expect(await renderer.render(image(512))).toHaveLength(1);
});

test('the ETag is the same for the same pixels and another for any others', () => {
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
