import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { etagOf, type Image } from './image.ts';
import { type Asker, createRenderer, type Draw } from './renderer.ts';

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

const owner: Asker = { is: 'owner' };
const stranger = (count = () => {}): Asker => ({ is: 'stranger', count });

const options = { cacheBytes: 1000, maxWaiting: 10, onShed: () => {} };

test('two at a time are drawn, but only one of more than 1024 pixels', async () => {
  const { draw, drawn, open } = createStage();
  const renderer = createRenderer({ ...options, draw });
  const all = [2000, 2001, 500, 501].map(size => renderer.render(image(size), owner));
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
  const all = Array.from({ length: 20 }, () => renderer.render(image(512), owner));
  await turn();
  open.get(512)!();
  expect(new Set(await Promise.all(all)).size).toBe(1);
  await renderer.render(image(512), owner);
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

test('images past the bound are turned away and counted', async () => {
  const { draw, open } = createStage();
  let shed = 0;
  const renderer = createRenderer({ ...options, maxWaiting: 1, draw, onShed: () => shed++ });
  const all = [100, 101, 102].map(size => renderer.render(image(size), owner));
  await expect(renderer.render(image(103), owner)).rejects.toMatchObject({ code: 'unavailable' });
  expect(shed).toBe(1);
  for (let i = 0; i < 3; i++) {
    await turn();
    for (const done of open.values()) done();
  }
  await Promise.all(all);
});

test('an owner waits for what is being drawn, and for none of the strangers who wait', async () => {
  const { draw, drawn, open } = createStage();
  let shed = 0;
  const renderer = createRenderer({ ...options, draw, onShed: () => shed++ });
  const flood = Array.from({ length: 20 }, (_, i) => renderer.render(image(100 + i), stranger()));
  const refused = Promise.allSettled(flood.slice(12));
  await turn();
  expect(drawn).toEqual([100, 101]);
  expect(shed).toBe(8);
  const owners = [renderer.render(image(500), owner), renderer.render(image(501), owner)];
  for (const size of [100, 101, 500, 501]) {
    await turn();
    open.get(size)!();
  }
  await Promise.all(owners);
  expect(drawn.slice(0, 5)).toEqual([100, 101, 500, 501, 102]);
  for (let done = 0; done < 12; done++) {
    await turn();
    for (const end of open.values()) end();
  }
  await Promise.all(flood.slice(0, 12));
  for (const { status } of await refused) expect(status).toBe('rejected');
});

test('an image that an owner asks for leaves the line of strangers', async () => {
  const { draw, drawn, open } = createStage();
  const renderer = createRenderer({ ...options, draw });
  const flood = Array.from({ length: 10 }, (_, i) => renderer.render(image(100 + i), stranger()));
  const same = renderer.render(image(109), owner);
  await turn();
  open.get(100)!();
  await turn();
  expect(drawn).toEqual([100, 101, 109]);
  for (let done = 0; done < 10; done++) {
    await turn();
    for (const end of open.values()) end();
  }
  expect(await same).toBe(await flood[9]);
});

test('a stranger is counted for each image that has to be drawn, and for nothing else', async () => {
  const { draw, open } = createStage();
  const renderer = createRenderer({ ...options, draw });
  let counted = 0;
  const counting = stranger(() => {
    if (++counted > 2) throw new Error('enough');
  });
  const first = [renderer.render(image(100), counting), renderer.render(image(101), counting)];
  const joined = renderer.render(image(100), counting);
  expect(counted).toBe(2);
  await expect(renderer.render(image(102), counting)).rejects.toThrow('enough');
  await turn();
  for (const end of open.values()) end();
  await Promise.all([...first, joined]);
  await renderer.render(image(101), counting);
  expect(counted).toBe(3);
  // What was refused has left nothing behind: somebody else can have it.
  const other = renderer.render(image(102), stranger());
  await turn();
  open.get(102)!();
  expect(await other).toHaveLength(10);
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
  for (let i = 0; i < 5; i++) await expect(renderer.render(image(512), owner)).rejects.toThrow('no ink');
  fail = false;
  expect(await renderer.render(image(512), owner)).toHaveLength(1);
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
