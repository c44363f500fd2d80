import { fill } from './fill.ts';

/** Every text about rules and schedules. */
export const rulesText = {
  tab: 'Rules',
  title: 'Where scans lead',
  hint: 'Rules run top to bottom. The first match wins.',
  empty: 'No rules: every scan leads to the destination.',
  otherwise: 'Otherwise',
  otherwiseHint: 'Scans that match no rule.',
  add: 'Add rule',
  templates: {
    blank: 'Empty rule',
    stores: 'App stores',
    hours: 'Opening hours',
    country: 'By country',
    language: 'By language',
    date: 'Before or after a date',
    split: 'Split 50/50',
  },
  names: {
    ios: 'iPhone and iPad',
    android: 'Android',
    hours: 'Opening hours',
    country: 'By country',
    language: 'By language',
    date: 'From a date on',
    split: 'Split',
    unnamed: 'Rule',
  },
  ruleOf: (number: number, name: string) => fill('Rule {number}: {name}', { number, name }),
  name: 'Name',
  active: 'Active',
  off: 'Off',
  folded: (conditions: string, destination: string) =>
    fill('{conditions} → {destination}', { conditions, destination }),
  destinations: (count: number) =>
    fill({ one: '{count} destination', other: '{count} destinations' }, { count }),
  when: 'When',
  always: 'Always',
  addCondition: 'Add condition',
  removeCondition: (name: string) => fill('Remove condition {name}', { name }),
  conditions: {
    device: 'Device',
    browser: 'Browser',
    country: 'Country',
    region: 'Region',
    city: 'City',
    language: 'Language',
    time: 'Time of the week',
    date: 'Date',
    query: 'Link parameter',
    placement: 'Placement',
  },
  fixed: 'Set by the API',
  unless: 'Except when',
  devices: { ios: 'iPhone and iPad', android: 'Android', desktop: 'Computer', other: 'Other' },
  days: { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' },
  timezone: 'Time zone',
  from: 'From',
  to: 'To',
  until: 'Until',
  dateEdges: { from: 'Date: from', until: 'Date: until' },
  addWindow: 'Add time',
  removeWindow: 'Remove time',
  choose: {
    country: 'Search countries',
    language: 'Search languages',
    device: 'Choose devices',
    placement: 'Search placements',
  },
  languageHint: 'German also covers German (Austria).',
  queryHint: 'For example vip or vip=1, then press Enter',
  leadsTo: 'Send to',
  targetOf: (number: number) => fill('Destination {number}', { number }),
  weightOf: (number: number) => fill('Share of destination {number}', { number }),
  addTarget: 'Add destination',
  removeTarget: (number: number) => fill('Remove destination {number}', { number }),
  splitHint:
    'Visitors are split by these shares. Each one keeps getting the same page until the visitor window ends.',
  moveUp: (name: string) => fill('Move {name} up', { name }),
  moveDown: (name: string) => fill('Move {name} down', { name }),
  urlPlaceholder: 'example.com/lunch',
  drag: (name: string) => fill('Drag {name}', { name }),
  remove: (name: string) => fill('Remove {name}', { name }),
  moved: (name: string, place: number, of: number) =>
    fill('{name} is now {place} of {of}', { name, place, of }),
  scans: (count: number) =>
    fill({ one: '{count} scan in 30 days', other: '{count} scans in 30 days' }, { count }),
  save: 'Save rules',
  notSaved: 'The rules were not saved',
  unfinished: 'Some rules are not finished. They are marked above.',
  discard: 'Discard',
  faults: {
    list: 'Choose at least one, or remove this condition',
    address: 'Enter a complete web address',
    until: 'The rule must end after it begins.',
    window: 'The time must end after it begins. For a whole day, set both to midnight.',
    target: (number: number, fault: string) => fill('Destination {number}: {fault}', { number, fault }),
  },

  history: {
    added: (name: string) => fill('“{name}” added', { name }),
    removed: (name: string) => fill('“{name}” removed', { name }),
    renamed: (before: string, name: string) => fill('“{before}” renamed “{name}”', { before, name }),
    on: (name: string) => fill('“{name}” switched on', { name }),
    off: (name: string) => fill('“{name}” switched off', { name }),
    conditions: (name: string) => fill('Conditions of “{name}” changed', { name }),
    destinations: (name: string) => fill('Destination of “{name}” changed', { name }),
    moved: 'Order changed',
    restore: 'Restore the rules before this',
    restoreOf: (date: string) => fill('Restore the rules before this change of {date}', { date }),
    restoreTitle: 'Restore the earlier rules?',
    restoreHint: 'They replace the current rules. This changes:',
    restoreConfirm: 'Restore',
  },

  simulator: {
    title: 'Try it',
    hint: 'See where a scan would lead. Nothing is counted.',
    device: 'Device',
    country: 'Country',
    language: 'Language',
    at: 'Time',
    placement: 'Placement',
    nowHint: 'Leave empty to use the current time.',
    run: 'Try',
    leads: (url: string) => fill('Leads to {url}', { url }),
    decides: (rule: string) => fill('Decided by {rule}', { rule }),
    noRule: 'No rule matches.',
    page: 'Shows a page',
  },

  /** Why a scan leads where it does. */
  reasons: {
    rule: (number: number) => fill('Rule {number}', { number }),
    named: (number: number, name: string) => fill('Rule {number} ({name})', { number, name }),
    rule_off: (rule: string) => fill('{rule} is switched off.', { rule }),
    rule_fails: (rule: string, conditions: string) =>
      fill('{rule} does not apply: {conditions}.', { rule, conditions }),
    rule_excepted: (rule: string, conditions: string) =>
      fill('{rule} does not apply, because its exception does: {conditions}.', { rule, conditions }),
    rule_applies: (rule: string, conditions: string) =>
      fill('{rule} applies: {conditions}.', { rule, conditions }),
    always: (rule: string) => fill('{rule} applies: it has no conditions.', { rule }),
    no_rule: 'No rule applies, so the destination of the code is used.',
    suspended: 'The code is suspended.',
    held: 'The account must confirm its e-mail address first.',
    off: 'The code is paused or a draft.',
    scheduled: 'The code has not begun yet.',
    ended: 'The code has ended.',
    used_up: 'The code has reached its scan limit.',
    matches: (name: string, value: string) => fill('{name} {value} matches', { name, value }),
    differs: (name: string, value: string) => fill('{name} {value} does not match', { name, value }),
    isOneOf: (name: string, value: string, wanted: string) =>
      fill('{name} {value} is one of {wanted}', { name, value, wanted }),
    isNoneOf: (name: string, value: string, wanted: string) =>
      fill('{name} {value} is none of {wanted}', { name, value, wanted }),
    none: '(none)',
    more: (wanted: string) => fill('{wanted}, …', { wanted }),
  },

  /** What no scan can have. */
  warnings: {
    unknown_country: (value: string) =>
      fill('No country has the code {value}, so no scan has it.', { value }),
    unknown_language: (value: string) =>
      fill('{value} is not the code of a language, so no scan has it. Use a code such as de or pt-BR.', {
        value,
      }),
    unknown_placement: (value: string) =>
      fill('The code has no placement {value}, so no scan has it. Add the placement, or use another one.', {
        value,
      }),
    unknown_place: (value: string) =>
      fill('No place file has {value}, so no scan has it. Use the name that scans show.', { value }),
    never_reached: (rule: string) =>
      fill('It never applies, because {rule} comes before it and has no conditions.', { rule }),
    more: (count: number) =>
      fill({ one: 'There is {count} more warning.', other: 'There are {count} more warnings.' }, { count }),
    ofRule: (rule: string, warning: string) => fill('{rule}: {warning}', { rule, warning }),
  },

  week: {
    title: 'The week',
    hint: (zone: string) => fill('Which rule decides when, in {zone}.', { zone }),
    cell: (day: string, hour: number, rule: string) => fill('{day} {hour}:00: {rule}', { day, hour, rule }),
    some: (rule: string) => fill('{rule}, for some people', { rule }),
    left: 'Rules without a time are not shown.',
  },

  schedule: {
    title: 'Schedule and limit',
    starts: 'Begins',
    ends: 'Ends',
    limit: 'Scan limit',
    limitHint: 'The code stops within about 2 seconds of its last scan, so a few more may get through.',
    fallback: 'When inactive, send people to',
    urlPlaceholder: 'example.com/closed',
    fallbackHint: 'If empty, people see a page saying the code is inactive.',
    save: 'Save',
    faults: { end: 'It must end after it begins.' },
  },
} as const;
