import { join } from 'node:path';
import { languages } from '@signpost/contract/values.ts';
import { build } from 'vite';

/** The dashboard once for each language, English first: it empties the folder. */
for (const language of languages)
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), mode: language });
