import { loopbackSpellings } from '@signpost/testing/addresses.ts';
import { startNameServer, startSilentNameServer } from '@signpost/testing/name-server.ts';
import { afterEach, expect, test } from 'vitest';
import { createAddressGuard } from './address-guard.ts';
import { createHostResolver } from './resolver.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** The addresses that the name server gives for every name. */
type Answers = { readonly a?: readonly string[]; readonly aaaa?: readonly string[] };

async function resolverWith({ a = [], aaaa = [] }: Answers, allowed: readonly string[] = []) {
  const server = await startNameServer(
    () => ({ a }),
    () => aaaa,
  );
  closers.push(server.close);
  const resolver = createHostResolver(createAddressGuard(allowed), [server.address]);
  return { resolve: resolver.resolve, questions: server.questions };
}

const [good4, good6] = ['93.184.216.34', '2606:4700:0:0:0:0:0:1111'];
const blocked = { reason: 'blocked_address', message: expect.stringContaining('not on the public internet') };

test('a name resolves to all of its addresses, IPv4 first', async () => {
  const { resolve } = await resolverWith({ a: [good4, '1.1.1.1'], aaaa: [good6] });
  expect(await resolve('shop.example')).toEqual([
    { address: good4, family: 4 },
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700::1111', family: 6 },
  ]);
});

test.each<[string, Answers]>([
  ['an IPv4', { a: [good4] }],
  ['an IPv6', { aaaa: [good6] }],
])('a name with only %s can be dialled', async (_, answers) => {
  const { resolve } = await resolverWith(answers);
  expect(await resolve('shop.example')).toHaveLength(1);
});

test.each<[string, Answers]>([
  ['one IPv4 of two', { a: [good4, '10.0.0.1'] }],
  ['the IPv6 beside a good IPv4', { a: [good4], aaaa: ['fd00:0:0:0:0:0:0:1'] }],
  ['the IPv4 beside a good IPv6', { a: ['127.0.0.1'], aaaa: [good6] }],
])('a name is refused where %s is private', async (_, answers) => {
  const { resolve } = await resolverWith(answers);
  await expect(resolve('shop.example')).rejects.toMatchObject(blocked);
});

test('a name without an address is refused, and the error names it', async () => {
  const { resolve } = await resolverWith({});
  await expect(resolve('nowhere.example')).rejects.toMatchObject({
    reason: 'dns',
    message: expect.stringContaining('nowhere.example'),
  });
});

test('an address is used as it is, without a query', async () => {
  const { resolve, questions } = await resolverWith({ a: [good4] });
  expect(await resolve('1.1.1.1')).toEqual([{ address: '1.1.1.1', family: 4 }]);
  expect(await resolve('[2606:4700::1111]')).toEqual([{ address: '2606:4700::1111', family: 6 }]);
  await expect(resolve('[::1]')).rejects.toMatchObject(blocked);
  expect(questions()).toBe(0);
});

test('a name that means this machine is this machine, whatever a name server says', async () => {
  const { resolve, questions } = await resolverWith({ a: [good4] });
  const names = loopbackSpellings.filter(spelling => /localhost/i.test(spelling));
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) await expect(resolve(name), name).rejects.toMatchObject(blocked);
  expect(questions()).toBe(0);
});

test('where the operator has opened this machine, its names resolve to both of its addresses', async () => {
  const { resolve } = await resolverWith({}, ['127.0.0.1', '::1']);
  expect(await resolve('localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  const half = await resolverWith({}, ['127.0.0.1']);
  await expect(half.resolve('localhost')).rejects.toMatchObject(blocked);
});

test('a name that only looks like this machine is looked up like any other', async () => {
  const { resolve } = await resolverWith({ a: [good4] });
  for (const name of ['notlocalhost', 'localhost.example', 'xn--localhost.example.']) {
    expect(await resolve(name), name).toEqual([{ address: good4, family: 4 }]);
  }
});

test('a name server that never answers is distinguished from one that knows no address', async () => {
  const silent = await startSilentNameServer();
  closers.push(silent.close);
  const timed = async (limits: { queryMs: number; tries: number; totalMs: number }) => {
    const { resolve } = createHostResolver(createAddressGuard([]), [silent.address], limits);
    const startMs = performance.now();
    await expect(resolve('shop.example')).rejects.toMatchObject({
      reason: 'dns_timeout',
      message: expect.stringContaining('shop.example'),
    });
    return performance.now() - startMs;
  };
  expect(await timed({ queryMs: 50, tries: 1, totalMs: 10_000 })).toBeLessThan(5000);
  // However patient the single queries are.
  expect(await timed({ queryMs: 10_000, tries: 4, totalMs: 50 })).toBeLessThan(5000);
});

test('a refused connection to the name server is not a timeout', async () => {
  const { resolve } = createHostResolver(createAddressGuard([]), ['127.0.0.1:9']);
  await expect(resolve('shop.example')).rejects.toMatchObject({ reason: 'dns' });
});
