import type { Config } from '../config/config.ts';
import type { Logger } from '../platform/logger.ts';
import { collectPlaceNames, type PlaceNamesSource } from '../rules/place-names.ts';
import { bundledGeoipFiles, readLocations } from '../scans/geoip.ts';

type Parts = { readonly config: Pick<Config, 'geoipFiles'>; readonly logger: Logger };

/** The names of the place files. They are read when they are first needed, which takes some seconds, and then kept. */
export function openPlaceNames({ config, logger }: Parts): PlaceNamesSource {
  let reading: ReturnType<PlaceNamesSource> | null = null;
  const read = async () => {
    try {
      const files = config.geoipFiles.length > 0 ? config.geoipFiles : bundledGeoipFiles();
      return await collectPlaceNames(visit => readLocations(files, visit));
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
