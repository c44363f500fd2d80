import { ask } from './client.ts';

/** Asks each of its addresses at a steady pace, until its parent has heard enough; then tells the times of each. */
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
  // What comes before is the start of this process itself.
  if (word === 'begin') {
    for (const one of [...times, refused]) one.length = 0;
    return;
  }
  clearInterval(timer);
  process.send!({ times, refused }, () => process.disconnect());
});
