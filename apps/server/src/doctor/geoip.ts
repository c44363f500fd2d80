import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Reader, type Response } from 'mmdb-lib';
import { chooseGeoipFiles } from '../scans/geoip/geoip.ts';
import type { DoctorContext } from './context.ts';
import { describeError, type Outcome, ok, problem, warning } from './finding.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** Addresses move: after some months many cities are wrong. */
const maxAgeDays = 180;

/** Whether locations can be looked up, and how old the files are. */
export async function checkGeoip({ config }: Pick<DoctorContext, 'config'>): Promise<Outcome> {
  const isCustom = config.geoipFiles.length > 0;
  try {
    const databases = await Promise.all(chooseGeoipFiles(config).map(describe));
    const oldest = Math.max(...databases.map(({ days }) => days));
    const found = databases.map(({ name, type, days }) => `${name} (${type}, ${days} days old)`).join(', ');
    if (oldest <= maxAgeDays) return ok(found);
    return warning(
      found,
      isCustom
        ? 'Replace them with newer files and restart.'
        : 'Update Signpost, or set GEOIP_FILES to newer files.',
    );
  } catch (error) {
    return problem(
      `locations cannot be looked up: ${describeError(error)}`,
      isCustom ? 'GEOIP_FILES must name readable MMDB files.' : 'Reinstall Signpost, or set GEOIP_FILES.',
    );
  }
}

async function describe(file: string) {
  const { metadata } = new Reader<Response>(await readFile(file));
  const days = Math.floor((Date.now() - metadata.buildEpoch.getTime()) / dayMs);
  return { name: basename(file), type: metadata.databaseType || 'unnamed', days };
}
