import { readFileSync } from 'node:fs';

/** A part of the guide that is about all operations. */
export type Chapter = {
  readonly id: string;
  readonly title: string;
  /** Without its heading. */
  readonly markdown: string;
};

/** In the order in which they are read: each is a file in chapters/. */
const ids = [
  'getting-started',
  'authentication',
  'test-mode',
  'sdk',
  'organise',
  'rules-and-placements',
  'design-and-print',
  'analytics',
  'webhooks',
  'errors',
  'rate-limits',
  'idempotency',
  'pagination',
  'versioning',
  'changelog',
] as const;

/** The address of the service in the files. */
const exampleUrl = 'https://signpost.example';

/**
 * The chapters with the address of this installation. In the files a chapter links to another as a file, so that the check of
 * the docs follows it; `link` makes the address of a heading.
 */
export function chaptersFor(publicUrl: string, link: (heading: string) => string): readonly Chapter[] {
  return ids.map(id => {
    const text = readFileSync(new URL(`chapters/${id}.md`, import.meta.url), 'utf8');
    const [, title = id, markdown = ''] = /^# (.+)\n+([\s\S]*)$/.exec(text) ?? [];
    return {
      id,
      title,
      markdown: markdown
        .replaceAll(exampleUrl, publicUrl)
        .replaceAll(
          /\]\((?:([\w-]+)\.md)?(?:#([\w-]+))?\)/g,
          (_all, file: string, heading?: string) => `](${link(heading ?? file)})`,
        ),
    };
  });
}
