import { fastify } from 'fastify';
import { readConfig } from '../apps/server/src/config/config.ts';
import { createLogger } from '../apps/server/src/platform/logger.ts';
import { sql } from '../apps/server/src/platform/postgres/postgres.ts';
import { findCode } from '../apps/server/src/qrcodes/statements.ts';
import { buildApi } from '../apps/server/src/roles/api.ts';
import { openScanStore } from '../apps/server/src/roles/scan-store.ts';
import { openShared } from '../apps/server/src/roles/shared.ts';

/** The API, and bare handlers that run the same single statement: one process, one pool, two ports. `without`: no audit log. */
const config = readConfig();
const shared = openShared('api', config, createLogger(config.logLevel, 'api'));
const isAudited = process.argv[2] !== 'without';
const api = buildApi({ ...shared, store: await openScanStore(shared), isAudited });

const insert = sql(
  'bare-insert',
  `insert into qr_codes (id, account_id, mode, number, status, made_by, key_space, short_code, link_key, name, destination_url, style, created_at, updated_at)
   values (gen_random_uuid(), $1, 'test', $2, 'active', 'api', 't/bare/', $3, 't/bare/' || $3, $4, $5, '{}', now(), now()) returning *`,
);
let made = 0;

const bare = fastify({ logger: false });
bare.get('/:account/:id', async request => {
  const { account, id } = request.params as { account: string; id: string };
  const [row] = await api.db.query(findCode, [id, account, 'live']);
  return row;
});
bare.post('/:account', async (request, reply) => {
  const { account } = request.params as { account: string };
  const { name, destination_url: destination } = request.body as { name: string; destination_url: string };
  made++;
  const [row] = await api.db.query(insert, [account, made, `bare-${process.pid}-${made}`, name, destination]);
  return reply.code(201).send(row);
});

await api.app.listen({ host: '127.0.0.1', port: 0 });
await bare.listen({ host: '127.0.0.1', port: 0 });
const portOf = (app: { server: { address(): unknown } }) => (app.server.address() as { port: number }).port;
process.send!({ api: portOf(api.app), bare: portOf(bare) });
process.once('disconnect', () => process.exit(0));
