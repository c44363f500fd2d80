/** `npm run bench -- NAME …`: measures one hot path against the bare engine, side by side in the same run. */
type Bench = { readonly default: (args: readonly string[]) => Promise<void> };

const benches: Readonly<Record<string, () => Promise<Bench>>> = {
  analytics: () => import('./analytics.ts'),
  api: () => import('./api.ts'),
  audit: () => import('./audit.ts'),
  domains: () => import('./domains.ts'),
  edits: () => import('./edits.ts'),
  build: () => import('./build.ts'),
  erasure: () => import('./erasure.ts'),
  images: () => import('./images.ts'),
  ingest: () => import('./ingest.ts'),
  log: () => import('./log.ts'),
  memory: () => import('./memory.ts'),
  migration: () => import('./migration.ts'),
  redirect: () => import('./redirect.ts'),
  rules: () => import('./rules.ts'),
  shards: () => import('./shards.ts'),
  'small-box': () => import('./small-box.ts'),
  solo: () => import('./solo.ts'),
  storage: () => import('./storage.ts'),
  tls: () => import('./tls.ts'),
  'webhook-backlog': () => import('./webhook-backlog.ts'),
  webhooks: () => import('./webhooks.ts'),
};

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (!load) {
  console.error(`Name a bench: npm run bench -- ${Object.keys(benches).join('|')}`);
  process.exit(1);
}
const { default: bench } = await load();
await bench(args);
