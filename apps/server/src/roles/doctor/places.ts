import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { Reader, type Response } from 'mmdb-lib';
import { bundledPlaceFiles } from '../../scans/place.ts';
import { type Outcome, ok, problem, warning, wordsOf } from './finding.ts';
import type { Patient } from './patient.ts';

const dayMs = 24 * 60 * 60 * 1_000;
/** Addresses move: after some months a noticeable part of the cities is wrong. */
const oldDays = 180;

/** Whether places can be looked up, and how old the file is. */
export async function checkPlaces({ config }: Pick<Patient, 'config'>): Promise<Outcome> {
  const isOwn = config.placeFiles.length > 0;
  try {
    const files = isOwn ? config.placeFiles : bundledPlaceFiles();
    const found = await Promise.all(files.map(describe));
    const oldest = Math.max(...found.map(file => file.days));
    const words = found.map(({ name, type, days }) => `${name} (${type}, ${days} days old)`).join(', ');
    if (oldest <= oldDays) return ok(words);
    return warning(
      words,
      isOwn
        ? 'Put newer files in their place and restart.'
        : 'Update Signpost, or set PLACE_FILES to newer files.',
    );
  } catch (error) {
    return problem(
      `places cannot be looked up: ${wordsOf(error)}`,
      isOwn ? 'PLACE_FILES must name MMDB files that can be read.' : 'Install again, or set PLACE_FILES.',
    );
  }
}

async function describe(file: string) {
  const { metadata } = new Reader<Response>(await readFile(file));
  const days = Math.floor((Date.now() - metadata.buildEpoch.getTime()) / dayMs);
  return { name: basename(file), type: metadata.databaseType || 'without a name', days };
}
