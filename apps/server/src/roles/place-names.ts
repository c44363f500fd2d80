import type { Config } from '../config/config.ts';
import type { Lifecycle } from '../kernel/running/lifecycle.ts';
import type { Logger } from '../platform/logger.ts';
import { createWorkerPool } from '../platform/worker-pool.ts';
import { createPlaceNames, type PlaceNamesSource } from '../rules/place-names.ts';
import { chooseGeoipFiles } from '../scans/geoip/geoip.ts';

type Parts = {
  readonly config: Pick<Config, 'geoipFiles'>;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
};

/** Some seconds on a quiet machine. */
const timeoutMs = 60_000;

/** The names of the place files. They are read when they are first needed, in a thread, and then kept. */
export function openPlaceNames({ config, logger, lifecycle }: Parts): PlaceNamesSource {
  const pool = createWorkerPool<readonly string[], Uint32Array>({
    script: new URL('place-names-worker.ts', import.meta.url),
    threads: 1,
    timeoutMs,
    memoryMb: 1024,
    onFailure: cause =>
      new Error('The thread that reads the names of places failed or took too long.', { cause }),
    onThreadError: error => logger.warn({ err: error }, 'thread that reads the names of places failed'),
  });
  lifecycle.defer('names of places', () => pool.close());
  let reading: ReturnType<PlaceNamesSource> | null = null;
  const read = async () => {
    try {
      return createPlaceNames(await pool.run(chooseGeoipFiles(config)));
    } catch (error) {
      // A process that looks up no locations may lack the files: rules are tried all the same.
      logger.warn({ err: error }, 'names of places not read');
      reading = null;
      return null;
    }
  };
  return () => {
    reading ??= read();
    return reading;
  };
}
