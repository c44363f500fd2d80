export type Section = { readonly date: string; readonly text: string };

/** The section `## 1.2.3 (2026-01-31)` of a changelog; before the release its date is `unreleased`. */
export function changelogSection(changelog: string, version: string): Section {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find(text => text.startsWith(`${version} (`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version} (unreleased)"`);
  const [, date = ''] = /^\S+ \((unreleased|\d{4}-\d\d-\d\d)\)\n/.exec(section) ?? [];
  if (date === '')
    throw new Error(`the section ${version} of CHANGELOG.md has neither a date nor "unreleased"`);
  const text = section.slice(section.indexOf('\n')).trim();
  if (text === '') throw new Error(`the section ${version} of CHANGELOG.md is empty`);
  return { date, text };
}

/** A tag releases: it names the version, and the section has the day. */
export function checkTag(tag: string, version: string, { date }: Section): void {
  if (tag !== `v${version}`) throw new Error(`the tag ${tag} is not v${version}`);
  if (date === 'unreleased') throw new Error(`the section ${version} of CHANGELOG.md has no date yet`);
}
