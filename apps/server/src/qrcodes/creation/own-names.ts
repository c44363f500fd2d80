import type { Config } from '../../config/config.ts';
import type { LinkNames } from '../../kernel/addresses/link-names.ts';
import { type BackgroundJobs, createBackgroundJobs } from '../../platform/background-jobs.ts';
import type { Logger } from '../../platform/logger.ts';
import { createOwnAddresses, type OwnAddresses } from './own-addresses.ts';

type OwnConfig = Pick<Config, 'publicUrl' | 'imageBaseUrl' | 'apiPort' | 'redirectPort' | 'metricsPort'>;

export const collectOwnAddresses = (config: OwnConfig, linkNames: LinkNames): OwnAddresses =>
  createOwnAddresses({
    urls: [linkNames.base, config.publicUrl, config.imageBaseUrl],
    ports: [config.apiPort, config.redirectPort, config.metricsPort],
  });

/** Looks a host name up in DNS. */
export type HostLookup = { resolve(host: string): Promise<readonly { readonly address: string }[]> };

const everyMs = 60_000;

/** Looks our own host names up beside the calls, so that no call waits for a name server. A failed lookup changes nothing. */
export function watchOwnNames(
  own: OwnAddresses,
  dns: HostLookup,
  logger: Pick<Logger, 'warn' | 'debug'>,
): BackgroundJobs {
  const lookUp = (name: string) =>
    dns.resolve(name).then(
      found =>
        own.setAddresses(
          name,
          found.map(({ address }) => address),
        ),
      error => logger.debug({ err: error, name }, 'own host name not found'),
    );

  return createBackgroundJobs(logger, [
    {
      name: 'look up our own host names',
      everyMs,
      // Nothing waits for the answers, not even the end of the process: each comes within seconds or not at all.
      async run() {
        for (const name of own.names) void lookUp(name);
        return false;
      },
    },
  ]);
}
