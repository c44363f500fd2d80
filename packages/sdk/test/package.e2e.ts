import { createHmac, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../src/generated.ts';
import { packSdk } from '../tools/build.ts';
import { createEmptyProject, type EmptyProject } from './support/empty-project.ts';
import { startWholeService } from './support/whole-service.ts';

let project: EmptyProject;
let service: Awaited<ReturnType<typeof startWholeService>>;
let env: Record<string, string>;

beforeAll(async () => {
  // As `npm run build` does.
  packSdk();
  service = await startWholeService();
  project = createEmptyProject(service.url);
  const account = await service.account();
  env = {
    SIGNPOST_URL: service.url,
    HOOK_URL: service.hookUrl,
    SIGNPOST_KEY: account.live,
    TEST_KEY: account.test,
    OPERATOR_KEY: await service.operatorKey(),
  };
});
afterAll(() => service.close());

const support = (file: string) => readFileSync(new URL(`./support/${file}`, import.meta.url), 'utf8');
const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code!);

describe('the package, installed from the server into an empty project', () => {
  test('brings nothing but itself: modules, declarations, manifest, README and licence', () => {
    expect(readdirSync(join(project.dir, 'node_modules')).filter(name => !name.startsWith('.'))).toEqual([
      '@signpost',
    ]);
    const files = readdirSync(join(project.dir, 'node_modules/@signpost/sdk'));
    expect(files.filter(name => !/\.(js|d\.ts)$/.test(name)).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'package.json',
    ]);
  });

  test('comes from the server by its URL, with the examples in its declarations', () => {
    const read = (file: string) => readFileSync(join(project.dir, file), 'utf8');
    const { packages } = JSON.parse(read('package-lock.json'));
    expect(packages['node_modules/@signpost/sdk']).toMatchObject({
      resolved: `${service.url}/docs/sdk.tgz`,
      integrity: expect.stringMatching(/^sha512-/),
    });
    expect(read('node_modules/@signpost/sdk/methods.d.ts').match(/@example/g)).toHaveLength(
      Object.keys(endpoints).length,
    );
  });

  test('uses every operation against a running server', async () => {
    project.write('every-operation.ts', support('every-operation.ts'));
    const output = await project.run('every-operation.ts', env);
    const requests = output
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as { method: string; path: string; status: number });
    const good = requests.filter(({ status }) => status >= 200 && status < 300);
    const unused = Object.values(endpoints).filter(({ method, path }) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[\\w%-]+')}$`);
      return !good.some(request => request.method === method && pattern.test(request.path));
    });
    expect(unused).toEqual([]);
    expect(good).toHaveLength(requests.length);
  });

  test('compiles strictly, for Node and for browsers', async () => {
    project.write(
      'browser.ts',
      "import { Signpost, webhooks } from '@signpost/sdk';\nexport { Signpost, webhooks };\n",
    );
    project.write('wrong.ts', wrongUses);
    for (const [index, code] of examples.entries()) project.write(`example-${index}.ts`, code);
    expect(await project.compile(['es2022'], ['node'])).toBe('');
    for (const file of readdirSync(project.dir).filter(
      name => /\.ts$/.test(name) && !/browser|wrong/.test(name),
    ))
      project.write(file, 'export {};');
    expect(await project.compile(['es2022', 'dom', 'dom.iterable'], [])).toBe('');
  });

  test('the examples of the README run as they stand', async () => {
    const servers = examples.filter(code => code.includes('createServer'));
    expect(examples.length - servers.length).toBe(7);
    for (const [index, code] of examples.entries()) {
      if (servers.includes(code)) continue;
      project.write(`run-${index}.ts`, code);
      await project.run(`run-${index}.ts`, env);
    }
  });

  test('the webhook example takes what is signed and refuses the rest', async () => {
    const port = await freePort();
    const key = randomBytes(32);
    project.write('hook.ts', examples.find(code => code.includes('webhooks.verify'))!);
    const child = project.start('hook.ts', {
      PORT: String(port),
      SIGNPOST_WEBHOOK_SECRET: `whsec_${key.toString('base64')}`,
    });
    try {
      const body = '{"event":"scan.created","data":{"qr_id":"qr_1","country":"CH"}}';
      const at = Math.floor(Date.now() / 1000);
      const send = (signature: string) =>
        fetch(`http://127.0.0.1:${port}`, {
          method: 'POST',
          body,
          headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': signature },
        }).then(({ status }) => status);
      await waitUntil('the example listens', () => send('v1,').then(Boolean, () => false));
      const signature = createHmac('sha256', key).update(`msg_1.${at}.${body}`).digest('base64');
      expect(await send(`v1,${signature}`)).toBe(204);
      expect(await send(`v1,${randomBytes(32).toString('base64')}`)).toBe(400);
    } finally {
      child.kill('SIGKILL');
    }
  });
});

/** Each line is wrong, and the compiler must say so. */
const wrongUses = `
import { Signpost } from '@signpost/sdk';
const signpost = new Signpost({ apiKey: 'a', baseUrl: 'b' });
// @ts-expect-error: a destination is needed
signpost.qrcodes.create({ name: 'Menu' });
// @ts-expect-error: no such field
signpost.qrcodes.update('qr_1', { style: {} });
// @ts-expect-error: no such status
signpost.qrcodes.list({ status: 'deleted' });
// @ts-expect-error: an id is needed
signpost.qrcodes.get();
// @ts-expect-error: an address is needed
new Signpost({ apiKey: 'a' });
`;
