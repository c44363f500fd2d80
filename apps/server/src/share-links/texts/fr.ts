import type { ShareTexts } from './en.ts';

export const fr: ShareTexts = {
  unknown: 'Inconnu',
  weekOf: day => `Semaine du ${day}`,

  code: 'Code QR',
  codeNamed: name => `Code QR ${name}`,
  codes: { one: 'code QR', other: 'codes QR' },
  withTag: (codes, tag) => `${codes} avec le tag ${tag}`,
  test: 'Données de test',
  scans: 'Scans',
  scanCount: { one: 'scan', other: 'scans' },
  visitors: 'Visiteurs',
  average: 'Scans par jour',
  noScans: 'Aucun scan dans cette période pour l’instant.',
  figure: (name, value) => `${name}\u00a0: ${value}`,

  chart: {
    title: {
      hour: 'Scans par heure',
      day: 'Scans par jour',
      week: 'Scans par semaine',
      month: 'Scans par mois',
    },
    label: (title, total, most, when) => `${title}\u00a0: ${total} au total, ${most} au plus (${when}).`,
    running: 'La dernière barre n’est pas encore complète.',
    download: 'Télécharger le graphique',
    table: 'Chiffres en tableau',
    date: { hour: 'Heure', day: 'Jour', week: 'Semaine', month: 'Mois' },
  },
  map: {
    title: 'Où les scans ont eu lieu',
    label: country => `Carte des pays par nombre de scans. Le plus de scans\u00a0: ${country}.`,
    countries: 'Pays',
    cities: 'Villes',
    otherCities: 'Autres',
    noCity: 'Aucune ville n’a eu 5\u00a0visiteurs ou plus.',
    placesSince: day => `Les villes sont comptées à partir du ${day}.`,
  },
  topCodes: 'Codes QR les plus scannés',
  placements: 'Emplacements',
  noPlacement: 'Sans emplacement',
  formerPlacement: 'Ancien emplacement',
  destinations: 'Destinations',
  others: { one: 'autre', other: 'autres' },
  name: 'Nom',
  shareColumn: 'Part',

  asOf: (moment, zone) => `Chiffres du ${moment}, ${zone}.`,
  privacy: 'Les villes de moins de 5\u00a0visiteurs ne sont pas nommées.',

  gone: {
    title: 'Cette page n’existe pas',
    text: 'Le lien est erroné, ou il n’est plus valable. Demandez-en un nouveau à la personne qui vous l’a donné.',
  },
  busy: {
    title: 'Un instant, s’il vous plaît',
    text: 'Les chiffres ne peuvent pas être lus pour le moment. Réessayez dans une minute.',
  },
  limited: {
    title: 'Trop de demandes',
    text: 'Beaucoup de pages ont été ouvertes depuis votre réseau. Réessayez dans une minute.',
  },
  notRetained: {
    title: 'Ces chiffres ne sont plus disponibles',
    text: 'Les scans de cette période ont été retirés. Demandez une période plus récente à la personne qui vous a donné le lien.',
  },
};
