import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@signpost/testing/engines/free-port.ts';
import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { packSdk } from '../tools/build.ts';
import { createEmptyProject } from './support/empty-project.ts';
import { startWholeService } from './support/whole-service.ts';

/**
 * `npm run test:runtimes`: every operation on Bun and Deno, and a worker on workerd, each fetched for this run. By hand, because
 * they are 300 MB that nothing else needs.
 */
const runtimes = ['bun@1.4.4', 'deno@2.9.6', 'workerd@1.20261104.1'];

packSdk();
const service = await startWholeService();
const project = createEmptyProject(service.url);
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...runtimes], {
  cwd: project.dir,
});
const bin = (name: string) => join(project.dir, 'node_modules/.bin', name);

async function everyOperation(name: string, command: readonly string[]): Promise<void> {
  const script = readFileSync(new URL('./support/every-operation.ts', import.meta.url), 'utf8');
  project.write('every-operation.ts', script);
  const env = {
    PATH: process.env.PATH,
    HOME: project.dir,
    SIGNPOST_URL: service.url,
    HOOK_URL: service.hookUrl,
    SIGNPOST_KEY: (await service.account()).live,
    OPERATOR_KEY: await service.operatorKey(),
  };
  const output = execFileSync(bin(name), [...command, 'every-operation.ts'], {
    cwd: project.dir,
    env,
    encoding: 'utf8',
  });
  console.log(`${name}: ${output.trim().split('\n').length} requests`);
}

const worker = (url: string, key: string) => `
import { Signpost } from '@signpost/sdk';
export default {
  async fetch() {
    const signpost = new Signpost({ apiKey: '${key}', baseUrl: '${url}' });
    const made = await signpost.qrcodes.create({ name: 'Menu', destination_url: 'https://example.com' });
    const ids = [];
    for await (const code of signpost.qrcodes.list({ limit: 1 })) ids.push(code.id);
    const svg = await (await signpost.qrcodes.download(made.id, { format: 'svg' })).text();
    return Response.json({ ids: ids.length, svg: svg.slice(0, 4) });
  },
};`;

const workerd = (port: number, modules: readonly string[]) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["private", "local"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [${modules.map(([name, file]) => `(name = "${name}", esModule = embed "${file}")`).join(', ')}],
  compatibilityDate = "2026-01-01",
);`;

async function onWorkerd(): Promise<void> {
  const port = await freePort();
  project.write(
    'worker.js',
    worker(service.url, (await service.account()).live).replace('@signpost/sdk', './index.js'),
  );
  const files = readdirSync(join(project.dir, 'node_modules/@signpost/sdk')).filter(name =>
    name.endsWith('.js'),
  );
  const modules = files.map(name => [name, `node_modules/@signpost/sdk/${name}`] as const);
  project.write('worker.capnp', workerd(port, [['worker.js', 'worker.js'], ...modules] as never));
  const child = spawn(bin('workerd'), ['serve', 'worker.capnp'], { cwd: project.dir, stdio: 'inherit' });
  try {
    await waitUntil('workerd answers', async () => {
      const response = await fetch(`http://127.0.0.1:${port}`);
      const text = await response.text();
      if (text !== '{"ids":1,"svg":"<svg"}') throw new Error(text);
      return true;
    });
    console.log('workerd: made, listed, downloaded');
  } finally {
    child.kill();
  }
}

try {
  await everyOperation('bun', ['run']);
  await everyOperation('deno', ['run', '--allow-env', '--allow-net']);
  await onWorkerd();
} finally {
  await service.close();
}
