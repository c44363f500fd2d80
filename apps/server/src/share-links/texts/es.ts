import type { ShareTexts } from './en.ts';

export const es: ShareTexts = {
  unknown: 'Desconocido',
  weekOf: day => `Semana del ${day}`,

  code: 'Código QR',
  codeNamed: name => `Código QR ${name}`,
  codes: { one: 'código QR', other: 'códigos QR' },
  withTag: (codes, tag) => `${codes} con el tag ${tag}`,
  test: 'Datos de prueba',
  scans: 'Escaneos',
  scanCount: { one: 'escaneo', other: 'escaneos' },
  visitors: 'Visitantes',
  average: 'Escaneos por día',
  noScans: 'Todavía no hay escaneos en este periodo.',
  figure: (name, value) => `${name}: ${value}`,

  chart: {
    title: {
      hour: 'Escaneos por hora',
      day: 'Escaneos por día',
      week: 'Escaneos por semana',
      month: 'Escaneos por mes',
    },
    label: (title, total, most, when) => `${title}: ${total} en total, ${most} como máximo (${when}).`,
    running: 'La última barra aún no está completa.',
    download: 'Descargar el gráfico',
    table: 'Cifras como tabla',
    date: { hour: 'Hora', day: 'Día', week: 'Semana', month: 'Mes' },
  },
  map: {
    title: 'Dónde se escaneó',
    label: country => `Mapa de los países por escaneos. Más escaneos: ${country}.`,
    countries: 'Países',
    cities: 'Ciudades',
    otherCities: 'Otras',
    noCity: 'Ninguna ciudad tuvo 5 visitantes o más.',
    placesSince: day => `Las ciudades se cuentan desde el ${day}.`,
  },
  topCodes: 'Códigos QR más escaneados',
  placements: 'Ubicaciones',
  noPlacement: 'Sin ubicación',
  formerPlacement: 'Ubicación anterior',
  destinations: 'Destinos',
  others: { one: 'más', other: 'más' },
  name: 'Nombre',
  shareColumn: 'Porcentaje',

  asOf: (moment, zone) => `Cifras del ${moment}, ${zone}.`,
  privacy: 'Las ciudades con menos de 5 visitantes no se nombran.',

  gone: {
    title: 'Esta página no existe',
    text: 'El enlace es incorrecto o ya no es válido. Pida uno nuevo a la persona que se lo dio.',
  },
  busy: {
    title: 'Un momento, por favor',
    text: 'Las cifras no se pueden leer ahora mismo. Vuelva a intentarlo dentro de un minuto.',
  },
  limited: {
    title: 'Demasiadas solicitudes',
    text: 'Se abrieron muchas páginas desde su red. Vuelva a intentarlo dentro de un minuto.',
  },
  notRetained: {
    title: 'Estas cifras ya no están disponibles',
    text: 'Los escaneos de este periodo se eliminaron. Pida un periodo más reciente a la persona que le dio el enlace.',
  },
};
