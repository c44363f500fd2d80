import { spawn } from 'node:child_process';
import { endChildren } from './end-children.ts';

/** Runs a script of the shell, and ends it with all of its children on a signal. */
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await endChildren(1000);
    process.exit(3);
  });
spawn('sh', ['-c', process.argv[2]!], { stdio: 'inherit' });
