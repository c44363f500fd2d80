import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../kernel/errors.ts';
import type { App } from '../app.ts';
import { sendFile } from './files.ts';

/** Where `npm run build` puts the package. */
const builtFile = fileURLToPath(new URL('../../../../../packages/sdk/dist/sdk.tgz', import.meta.url));

/** Under /docs, which was reserved from the beginning: a first segment of its own could be a printed short code. */
const sdkPackagePath = '/docs/sdk.tgz';

/** The SDK of this version, which `npm install` takes by its URL. */
export function registerSdkPackage(app: App, file = builtFile): void {
  app.get(sdkPackagePath, { config: { authScheme: 'open' } }, async (request, reply) => {
    const content = await readBuilt(file);
    return sendFile(request, reply, {
      etag: `"${createHash('sha256').update(content).digest('base64url')}"`,
      type: 'application/gzip',
      headers: {
        // Asked for every time, and mostly answered with 304: an upgrade of the server brings another file.
        'cache-control': 'public, no-cache',
        'content-disposition': 'attachment; filename="sdk.tgz"',
        'x-content-type-options': 'nosniff',
      },
      content: async () => content,
    });
  });
}

async function readBuilt(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new AppError(
      'not_found',
      'The SDK is not built on this server. Its operator runs npm run build in the folder of Signpost.',
      { cause },
    );
  }
}
