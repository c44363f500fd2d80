import { type Setting, settings } from './settings.ts';

const all: readonly Setting[] = Object.values(settings);

/** The reference of all settings, as text for a terminal or as Markdown for the docs. */
export function describeSettings(format: 'text' | 'markdown'): string {
  return format === 'text' ? all.map(textEntry).join('\n') : markdownPage();
}

const textEntry = (setting: Setting) =>
  `${setting.name} (${defaultText(setting)}${setting.secret ? `; or ${setting.name}_FILE` : ''})\n    ${setting.description}`;

function markdownPage(): string {
  return [
    '# Settings',
    '',
    'Signpost reads its settings from the environment. `npm run generate` writes this page from the code.',
    'A secret can also come from a file: `NAME_FILE` is its path. `$NAME` in a default stands for another setting.',
    '',
    '| Setting | Default | What it is for |',
    '|---|---|---|',
    ...all.map(markdownRow),
    '',
  ].join('\n');
}

function markdownRow(setting: Setting): string {
  const { name, description, secret } = setting;
  const names = secret ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``;
  const value = setting.default ? `\`${setting.default}\`` : defaultText(setting);
  return `| ${names} | ${value} | ${description} |`;
}

function defaultText(setting: Setting): string {
  if (setting.default === undefined) return setting.optional ? 'none' : 'required';
  return setting.default || 'empty';
}
