import type { ShareTexts } from './en.ts';

export const de: ShareTexts = {
  unknown: 'Unbekannt',
  weekOf: day => `Woche ab ${day}`,

  code: 'QR-Code',
  codeNamed: name => `QR-Code ${name}`,
  codes: { one: 'QR-Code', other: 'QR-Codes' },
  withTag: (codes, tag) => `${codes} mit dem Tag ${tag}`,
  test: 'Testdaten',
  scans: 'Scans',
  scanCount: { one: 'Scan', other: 'Scans' },
  visitors: 'Besucher',
  average: 'Scans pro Tag',
  noScans: 'Noch keine Scans in diesem Zeitraum.',
  figure: (name, value) => `${name}: ${value}`,

  chart: {
    title: {
      hour: 'Scans pro Stunde',
      day: 'Scans pro Tag',
      week: 'Scans pro Woche',
      month: 'Scans pro Monat',
    },
    label: (title, total, most, when) => `${title}: ${total} insgesamt, höchstens ${most} (${when}).`,
    running: 'Der letzte Balken ist noch nicht vollständig.',
    download: 'Diagramm herunterladen',
    table: 'Zahlen als Tabelle',
    date: { hour: 'Stunde', day: 'Tag', week: 'Woche', month: 'Monat' },
  },
  map: {
    title: 'Wo gescannt wurde',
    label: country => `Karte der Länder nach Scans. Die meisten Scans: ${country}.`,
    countries: 'Länder',
    cities: 'Städte',
    otherCities: 'Andere',
    noCity: 'Keine Stadt hatte mindestens 5 Besucher.',
    placesSince: day => `Städte werden ab dem ${day} gezählt.`,
  },
  topCodes: 'Am häufigsten gescannte QR-Codes',
  placements: 'Platzierungen',
  noPlacement: 'Keine Platzierung',
  formerPlacement: 'Frühere Platzierung',
  destinations: 'Ziele',
  others: { one: 'weiterer Eintrag', other: 'weitere Einträge' },
  name: 'Name',
  shareColumn: 'Anteil',

  asOf: (moment, zone) => `Stand der Zahlen: ${moment}, ${zone}.`,
  privacy: 'Städte mit weniger als 5 Besuchern werden nicht genannt.',

  gone: {
    title: 'Diese Seite gibt es nicht',
    text: 'Der Link ist falsch oder gilt nicht mehr. Bitten Sie die Person, von der Sie ihn haben, um einen neuen.',
  },
  busy: {
    title: 'Einen Moment, bitte',
    text: 'Die Zahlen lassen sich gerade nicht lesen. Versuchen Sie es in einer Minute noch einmal.',
  },
  limited: {
    title: 'Zu viele Anfragen',
    text: 'Aus Ihrem Netz wurden viele Seiten geöffnet. Versuchen Sie es in einer Minute noch einmal.',
  },
  notRetained: {
    title: 'Diese Zahlen sind nicht mehr verfügbar',
    text: 'Die Scans dieses Zeitraums wurden entfernt. Bitten Sie die Person, von der Sie den Link haben, um einen späteren Zeitraum.',
  },
};
