import { globSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Shifts the clock of a process, also while it runs. Its monotonic clock stays correct. */
export type WrongClock = {
  /** For the process: `TestServer.start('ingest', { ...fixture.env, ...clock.env })`. */
  readonly env: Readonly<Record<string, string>>;
  /** `+40d` is ahead, `-40d` behind, `+0` correct. It takes effect within about a second. */
  set(offset: string): void;
};

export function createWrongClock(offset = '+0'): WrongClock {
  const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1');
  if (library === undefined) throw new Error('libfaketime is missing: install the Debian package faketime');
  const dir = mkdtempSync(join(tmpdir(), 'signpost-clock-'));
  const file = join(dir, 'offset');
  function set(next: string): void {
    // Renamed into place, since the process may read it at any time.
    writeFileSync(`${file}.new`, `${next}\n`);
    renameSync(`${file}.new`, file);
  }
  set(offset);
  return {
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    set,
  };
}
