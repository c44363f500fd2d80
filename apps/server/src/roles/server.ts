import type { Config } from '../config.ts';
import { createLifecycle } from '../kernel/lifecycle.ts';
import { createLogger } from '../platform/logger.ts';
import { serveMetrics } from '../platform/metrics.ts';
import { pendingMigrations } from '../platform/migrations.ts';
import { buildApi } from './api.ts';

export const serverRoles = ['api', 'all'] as const;
export type ServerRole = (typeof serverRoles)[number];

/** Starts a role and keeps it up until the process is told to stop. */
export async function runServer(role: ServerRole, config: Config): Promise<void> {
  const logger = createLogger(config.logLevel, role);
  const pending = await pendingMigrations(config.databaseUrl);
  if (pending.length > 0) {
    throw new Error(`The database lacks ${pending.join(', ')}. Run \`signpost migrate\`, then start again.`);
  }
  const lifecycle = createLifecycle();
  let stopping = false;

  async function stop(reason: string): Promise<void> {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    const deadline = setTimeout(() => {
      logger.error('requests did not finish in time');
      process.exit(1);
    }, config.shutdownTimeoutMs);
    const failures = await lifecycle.close();
    for (const { name, error } of failures) logger.error({ part: name, err: error }, 'part did not close');
    clearTimeout(deadline);
    logger.info('stopped');
    process.exitCode = failures.length > 0 ? 1 : 0;
  }
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));

  const api = buildApi({ config, logger, lifecycle, isStopping: () => stopping });
  const metrics = await serveMetrics(api.metrics, config.host, config.metricsPort, error =>
    logger.error({ err: error }, 'metrics failed'),
  );
  lifecycle.defer('metrics', () => metrics.close());
  const address = await api.app.listen({ host: config.host, port: config.apiPort });
  logger.info({ address, metricsPort: config.metricsPort }, 'listening');
}
