import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Config } from '../config/config.ts';
import { toOriginForm } from '../http/connections/absolute-form.ts';
import { clientAddressHeader } from '../http/connections/client-address-header.ts';
import { closeServer } from '../http/connections/close-server.ts';
import { boundPipelining } from '../http/connections/pipelining.ts';
import { securityTxt, securityTxtPath } from '../http/pages/security-txt.ts';
import type { ClientAddress } from '../kernel/addresses/client-address.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import { createLogger, type Logger } from '../platform/logger.ts';
import { createPostgres } from '../platform/postgres/postgres.ts';
import { startPrivateServer } from '../platform/private-server.ts';
import { findSoleProcess } from '../platform/process-channel.ts';
import type { RedirectHandler } from '../redirect/handler.ts';
import { ignoreSharedEngines } from './engines/ignored-engines.ts';
import { listening, requireEngines, requireOpened } from './engines/starting.ts';
import { openScanStore, requireScanStore } from './scan-store.ts';
import { hasEveryPart, type ServerRole } from './server-role.ts';
import { openShared, openSolo, type Shared } from './shared.ts';

/** Starts a role, which runs until the process is told to stop. The modules of other roles are not loaded. */
export async function runServer(role: ServerRole, given: Config): Promise<void> {
  const logger = createLogger(given.logLevel, role);
  const { ingest, deliver, redirect, api } = await load(role);
  // Short links must not wait for the engines, not even at the start: known links are served from the snapshot on disk.
  const starting = {
    role,
    config: given,
    logger,
    hasSnapshot: async () => (await redirect?.canServe(given)) ?? false,
  };
  await requireEngines(starting);
  const config = role === 'solo' ? await ignoreSharedEngines(given, logger) : given;
  if (role !== 'solo' && role !== 'redirect') await requireNoSolo(config);
  const shared = role === 'solo' ? await openSolo(config, logger) : openShared(role, config, logger);
  const { lifecycle, metrics, readiness } = shared;
  stopOnSignal(lifecycle, logger, config.shutdownTimeoutMs);
  lifecycle.hold();
  await shared.clock.start();

  const { host } = config;
  let links: Awaited<ReturnType<NonNullable<typeof redirect>['buildRedirect']>> | undefined;
  const privateServer = await listening({ host, port: config.metricsPort, setting: 'METRICS_PORT' }, () =>
    startPrivateServer({
      registry: metrics.registry,
      readiness,
      host,
      port: config.metricsPort,
      onError: error => logger.error({ err: error }, 'metrics failed'),
      // Known once the redirect is built, which is before it listens.
      ...(redirect ? { tlsAsk: async name => (links ? links.tlsAsk(name) : 503) } : {}),
    }),
  );
  lifecycle.defer('metrics', () => privateServer.close());
  const store = ingest || api ? await openScanStore(shared) : null;
  if (store) await requireScanStore(config);
  if (store?.clickhouse) await requireOpened(store.clickhouse, starting);
  if (ingest) await ingest.startIngest(shared, store!);
  if (deliver) await deliver.startDeliver(shared);
  links = await redirect?.buildRedirect(shared);
  if (api) {
    const { app } = api.buildApi({
      ...shared,
      store: store!,
      elsewhere: links?.handler,
    });
    if (role === 'solo') {
      await app.ready();
      collectGarbage();
    }
    const at = { host, port: config.apiPort };
    const address = await listening({ ...at, setting: 'API_PORT' }, () => app.listen(at));
    logger.info({ address, metricsPort: config.metricsPort }, 'listening');
  } else if (links) {
    const at = { host, port: config.redirectPort, setting: 'REDIRECT_PORT' };
    const serving = links;
    await listening(at, () => listen(serving, shared));
    logger.info({ host: config.host, port: config.redirectPort }, 'listening');
  } else if (deliver) logger.info({ concurrency: config.webhookConcurrency }, 'delivering');
  else logger.info({ shards: config.scanShards }, 'ingesting');
  lifecycle.release();
  readiness.start();
  lifecycle.defer('readiness', () => readiness.stop());
}

/**
 * Loading everything leaves about as much garbage as the process needs afterwards, and V8 keeps the memory of a process that
 * has little to do. It is collected before the first request, since that takes a moment.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** A redirect may run beside it: it looks up every link in PostgreSQL then. */
async function requireNoSolo(config: Config): Promise<void> {
  const db = createPostgres({ ...config, databasePoolSize: 1 }, () => undefined);
  const holder = await findSoleProcess(db).finally(() => db.close());
  if (holder)
    throw new Error(
      `\`signpost solo\` has been running on this database since ${holder.since.toISOString()}, and works only alone. Stop it first.`,
    );
}

/**
 * Loads what a role needs before the first connection is opened: loading blocks the event loop, and a connection that is
 * being opened meanwhile would time out.
 */
async function load(role: ServerRole) {
  const needs = (part: ServerRole) => role === part || hasEveryPart(role);
  const [ingest, deliver, redirect, api] = await Promise.all([
    needs('ingest') ? import('./ingest.ts') : null,
    needs('deliver') ? import('./deliver.ts') : null,
    needs('redirect') ? import('./redirect.ts') : null,
    needs('api') ? import('./api.ts') : null,
  ]);
  return { ingest, deliver, redirect, api };
}

const lingerMs = 500;

/** Closes everything, last opened first, when the process is told to stop; exits if that takes too long. */
function stopOnSignal(lifecycle: Lifecycle, logger: Logger, timeoutMs: number): void {
  let stopping = false;
  async function stop(reason: string): Promise<void> {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    const deadline = setTimeout(() => {
      logger.error({ open: process.getActiveResourcesInfo() }, 'shutdown timed out');
      process.exit(1);
    }, timeoutMs);
    const failures = await lifecycle.close(timeoutMs);
    for (const { name, error } of failures) logger.error({ part: name, err: error }, 'part did not close');
    clearTimeout(deadline);
    logger.info('stopped');
    process.exitCode = failures.length > 0 ? 1 : 0;
    // Everything is closed. A connection to a silent engine, or a timer, does not keep the process for longer than this.
    setTimeout(() => {
      logger.warn({ open: process.getActiveResourcesInfo() }, 'something kept the process alive');
      process.exit();
    }, lingerMs).unref();
  }
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
}

/** Serves short links on a port of their own, with a health check. */
async function listen(
  { handler, clientAddress }: { handler: RedirectHandler; clientAddress: ClientAddress },
  shared: Pick<Shared, 'config' | 'linkNames' | 'clock' | 'lifecycle'>,
): Promise<void> {
  const { config, lifecycle } = shared;
  const sendHealth: RequestListener = (request, response) =>
    response.writeHead(200, { 'content-length': 0, ...clientAddressHeader(request, clientAddress) }).end();
  // Requests that Node answers by itself bypass the limit on pipelining: leave none to it.
  const limits = { keepAliveTimeout: 72_000, requestTimeout: 15_000, requireHostHeader: false };
  const server = createServer(limits, (request, response) => {
    toOriginForm(request);
    if (request.url === '/healthz') handler(request, response, sendHealth);
    else if (request.url === securityTxtPath && /^(GET|HEAD)$/.test(request.method ?? ''))
      handler(request, response, () => sendSecurityTxt(request, response, shared));
    else handler(request, response);
  });
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  boundPipelining(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.redirectPort, config.host, resolve);
  });
  const close = () => new Promise<void>(resolve => server.close(() => resolve()));
  lifecycle.defer('http', () => closeServer(server, close));
}

function sendSecurityTxt(
  { method }: IncomingMessage,
  response: ServerResponse,
  { config, linkNames, clock }: Pick<Shared, 'config' | 'linkNames' | 'clock'>,
): void {
  const { publicUrl, abuseContact } = config;
  const { status, headers, body } = securityTxt({ publicUrl, linkNames, contact: abuseContact }, clock.now());
  response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body);
}
