import { waitUntil } from '@signpost/testing/engines/wait.ts';
import { onTestFinished, test } from 'vitest';
import { watchSpoolDisk } from './disk.ts';

test('a disk that hangs has no figure rather than a stale one', async () => {
  let calls = 0;
  const disk = watchSpoolDisk('/', 10, () =>
    ++calls === 1 ? Promise.resolve({ bavail: 3, bsize: 4_096 }) : new Promise(() => undefined),
  );
  onTestFinished(() => disk.stop());
  await waitUntil('it has said', () => disk.freeBytes() === 12_288, { everyMs: 1 });
  await waitUntil('that is too old', () => Number.isNaN(disk.freeBytes()));
});
