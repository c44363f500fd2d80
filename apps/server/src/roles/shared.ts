import type { Config } from '../config/config.ts';
import { createLinkNames } from '../kernel/addresses/link-names.ts';
import { createLifecycle } from '../kernel/running/lifecycle.ts';
import { throttle } from '../kernel/running/throttle.ts';
import type { Logger } from '../platform/logger.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createNats, type Nats } from '../platform/nats/nats.ts';
import { createPoolMetrics } from '../platform/postgres/pool-metrics.ts';
import { createReadiness } from '../platform/readiness.ts';
import { createRedis } from '../platform/redis/redis.ts';
import { createTracer } from '../platform/tracing.ts';
import { openClock } from './engines/clock.ts';
import type { Engines } from './engines/engines.ts';
import { openSharedEngines } from './engines/engines-shared.ts';
import { openSoloEngines } from './engines/engines-solo.ts';
import { servesLinks } from './server-role.ts';

/** What every role of a process shares. */
export type Shared = ReturnType<typeof openBase> & { readonly engines: Engines };

/** The same for a process among others. */
export type SharedWithOthers = ReturnType<typeof openShared>;

export function openShared(role: string, config: Config, logger: Logger) {
  const base = openBase(role, config, logger);
  const { lifecycle } = base;
  const redis = createRedis(config, error => logger.debug({ err: error }, 'redis connection error'));
  lifecycle.defer('redis', () => redis.disconnect());
  const openNats = (use: 'bus' | 'log', address: string): Nats => {
    const nats = createNats(address, status => {
      if (status.kind === 'failed') logger.debug({ err: status.error, use }, 'nats connection error');
      else logger.info({ status: status.kind, use }, 'nats');
    });
    lifecycle.defer(`nats (${use})`, () => nats.close());
    return nats;
  };
  const busNats = openNats('bus', config.busNatsUrl);
  let logNats: Nats | undefined;
  /** For the roles that work with the scan log. It shares a connection with the bus where both are in one NATS. */
  const openLogNats = (): Nats => {
    logNats ??= config.logNatsUrl === config.busNatsUrl ? busNats : openNats('log', config.logNatsUrl);
    return logNats;
  };
  const reached = { ...base, redis, busNats, openLogNats };
  return { ...reached, engines: openSharedEngines(reached) };
}

/** The same for the only process of an installation. */
export async function openSolo(config: Config, logger: Logger): Promise<Shared> {
  const base = openBase('solo', config, logger);
  return { ...base, engines: await openSoloEngines(base) };
}

function openBase(role: string, config: Config, logger: Logger) {
  const lifecycle = createLifecycle();
  const metrics = createMetrics(role);
  const pools = createPoolMetrics(metrics.registry);
  const clock = openClock({ config, logger, metrics, pools, lifecycle });
  const eachSecond = throttle(1000);
  /** All connections of all pools are lost at once: one line. */
  const onConnectionLost = (error: Error) =>
    eachSecond(skipped => logger.warn({ err: error, skipped }, 'postgres connection lost'));
  const readiness = createReadiness({ needsEngines: !servesLinks(role) });
  const tracer = config.traceEndpoint
    ? createTracer({
        endpoint: config.traceEndpoint,
        headers: config.traceHeaders,
        service: `signpost-${role}`,
        sampleRatio: config.traceRatio,
        onDropped(spans, error) {
          metrics.spansDropped.inc(spans);
          logger.debug({ err: error, spans }, 'spans not sent');
        },
      })
    : undefined;
  if (tracer) lifecycle.defer('traces', () => tracer.close());
  return {
    config,
    linkNames: createLinkNames(config.shortBaseUrl),
    logger,
    lifecycle,
    metrics,
    pools,
    readiness,
    clock,
    tracer,
    onConnectionLost,
  };
}
