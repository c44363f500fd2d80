import { onTestFinished, test } from 'vitest';
import { waitUntil } from '../../../../tools/engines/wait.ts';
import { watchSpoolDisk } from './spool-disk.ts';

test('a disk that hangs has no figure rather than an old one', async () => {
  let looks = 0;
  const disk = watchSpoolDisk('/', 10, () =>
    ++looks === 1 ? Promise.resolve({ bavail: 3, bsize: 4_096 }) : new Promise(() => undefined),
  );
  onTestFinished(() => disk.stop());
  await waitUntil('it has said', () => disk.freeBytes() === 12_288, { everyMs: 1 });
  await waitUntil('that is too old', () => Number.isNaN(disk.freeBytes()));
});
