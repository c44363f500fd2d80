import { ask } from './client.ts';

/** Requests each URL at a steady rate until the parent stops it; then reports the times of each. */
const [everyMs = '10', ...urls] = process.argv.slice(2);
const times = urls.map((): number[] => []);
const refused: number[] = [];

const timer = setInterval(() => {
  for (const [index, url] of urls.entries()) {
    ask({ url }).then(
      ({ status, ms }) => {
        times[index]!.push(ms);
        if (status >= 400) refused.push(status);
      },
      () => refused.push(0),
    );
  }
}, Number(everyMs));

process.on('message', (word: 'begin' | 'stop') => {
  // Earlier requests would measure the start of this process.
  if (word === 'begin') {
    for (const one of [...times, refused]) one.length = 0;
    return;
  }
  clearInterval(timer);
  process.send!({ times, refused }, () => process.disconnect());
});
