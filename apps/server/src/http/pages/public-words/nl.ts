import type { PublicWords } from './words.ts';

export const nl: PublicWords = {
  pages: {
    paused: {
      title: 'Deze code is gepauzeerd',
      text: 'De eigenaar heeft hem voorlopig gepauzeerd. Probeer het later opnieuw of vraag ernaar op de plek waar je hem vond.',
    },
    not_begun: {
      title: 'Deze code is nog niet actief',
      text: 'De eigenaar heeft bepaald vanaf wanneer hij werkt. Probeer het later opnieuw of vraag ernaar op de plek waar je hem vond.',
    },
    ended: {
      title: 'Deze code is verlopen',
      text: 'Waar hij naartoe leidde, is voorbij. Vraag ernaar op de plek waar je hem vond.',
    },
    stopped: {
      title: 'Deze code is geblokkeerd voor je veiligheid',
      text: 'Hij leidde mogelijk naar een schadelijke pagina. Heb je daar een wachtwoord ingevuld? Wijzig het nu. Heb je kaartgegevens ingevuld? Bel dan je bank.',
    },
    held: {
      title: 'Deze code is nog niet bevestigd',
      text: 'De eigenaar moet eerst nog zijn e-mailadres bevestigen. Probeer het later opnieuw.',
    },
    unknown: {
      title: 'Deze code bestaat niet',
      text: 'Heb je de link zelf ingetypt? Controleer dan of er een typefout in staat.',
    },
    home: {
      title: 'Dit adres is voor QR-codes',
      text: 'Scan een code om te openen waar die naartoe leidt. Verder is hier niets.',
    },
    not_connected: {
      title: 'Dit domein is niet verbonden',
      text: 'De codes die ermee zijn gedrukt, werken op dit moment niet. Probeer het later opnieuw of vraag het waar je de code hebt gevonden.',
    },
    deleted: {
      title: 'Deze code is niet meer in gebruik',
      text: 'De eigenaar heeft hem definitief verwijderd.',
    },
    busy: {
      title: 'Een ogenblik geduld',
      text: 'Er zijn te veel codes geopend vanaf je netwerk. Wacht een minuut en scan dan opnieuw.',
    },
    unavailable: {
      title: 'Een ogenblik geduld',
      text: 'We kunnen deze code nu niet openen. Scan hem over een paar seconden opnieuw.',
    },
    not_allowed: {
      title: 'Deze link kun je alleen openen',
      text: 'Korte links accepteren alleen GET- en HEAD-verzoeken. Gebruik de API of het dashboard om een bestemming te wijzigen.',
    },
  },
  reference: id => `Referentie: ${id}`,
  preview: {
    oneHost: 'Deze code leidt naar',
    manyHosts: 'Deze code kan leiden naar',
    andMore: 'en meer',
    changedOn: day => `Laatst gewijzigd op ${day}.`,
    note: 'Dit is alleen een voorbeeld: je bent niet doorgestuurd en er is geen scan geteld. Deze sites zijn niet van ons en kunnen je opnieuw doorsturen.',
    report: 'Schadelijke link melden',
  },
  report: {
    title: 'Link melden',
    titleNotSent: 'Niet verzonden: link melden',
    lead: 'Leidt een van onze korte links of QR-codes naar iets schadelijks? Laat het ons weten, dan kijken we ernaar.',
    notSent: {
      title: 'Je melding is niet verzonden.',
      text: 'Vul het formulier opnieuw in en verbeter de gemarkeerde velden. We bewaren niets totdat een melding volledig is.',
    },
    link: 'Korte link',
    linkHint: begin => `Hij begint met ${begin}`,
    linkMissing: 'Vul de korte link in.',
    linkForeign: begin =>
      `Dit is niet een van onze korte links. Die beginnen met ${begin} – vul de link uit de QR-code in, niet de pagina waar hij naartoe leidt.`,
    linkUnknown: 'Deze code bestaat niet. Controleer de link op typefouten.',
    question: 'Wat is er mis mee?',
    kindMissing: 'Kies een van deze opties.',
    kinds: {
      phishing: {
        title: 'Phishing',
        text: 'De pagina doet zich voor als iemand anders om wachtwoorden of betaalgegevens te krijgen.',
      },
      malware: {
        title: 'Malware',
        text: 'De pagina laat mensen iets schadelijks downloaden of installeren.',
      },
      scam: {
        title: 'Oplichting',
        text: 'De pagina haalt geld binnen met valse beloften, zoals een nepwinkel of een nepprijs.',
      },
      illegal: { title: 'Illegale inhoud', text: 'De link leidt naar inhoud die in strijd is met de wet.' },
      other: { title: 'Iets anders', text: 'Vertel hieronder wat er mis is.' },
    },
    details: 'Toelichting',
    detailsHint: max =>
      `Niet verplicht, tenzij je ‘Iets anders’ hebt gekozen. Maximaal ${max} tekens. Vermeld geen wachtwoorden of persoonsgegevens.`,
    detailsMissing: 'Vertel wat er mis is.',
    detailsLong: max => `Gebruik maximaal ${max} tekens.`,
    send: 'Melding versturen',
    privacy: days =>
      `We bewaren wat je hier invult, en wanneer, ${days} dagen. We bewaren niet je IP-adres en niets over je browser.`,
    thanks: {
      title: 'Bedankt voor je melding',
      text: 'We controleren waar de link naartoe leidt. Is hij schadelijk, dan blokkeren we hem.',
      advice:
        'We kunnen niet antwoorden, omdat we niet weten wie je bent. Heb je een wachtwoord of kaartnummer ingevuld? Wijzig dan nu het wachtwoord of bel je bank.',
      another: 'Nog een link melden',
    },
    limited: {
      title: 'Te veel meldingen op dit moment',
      text: 'We hebben veel meldingen vanaf je netwerk ontvangen, dus deze is niet geaccepteerd. Probeer het later opnieuw.',
    },
    full: {
      title: 'Te veel meldingen vandaag',
      text: 'We hebben vandaag meer meldingen ontvangen dan we aankunnen, dus deze is niet geaccepteerd. Probeer het morgen opnieuw.',
    },
    large: {
      title: 'Deze melding is te lang',
      text: 'Hij is niet geaccepteerd. Gebruik minder woorden.',
    },
    unreadable: { title: 'Deze melding kon niet worden gelezen', text: 'Gebruik het formulier.' },
    unavailable: {
      title: 'Een ogenblik geduld',
      text: 'We kunnen je melding nu niet aannemen. Probeer het over een minuut opnieuw.',
    },
    notAllowed: {
      title: 'Hier niet mogelijk',
      text: 'Deze pagina accepteert alleen GET- en POST-verzoeken.',
    },
    back: 'Terug naar het formulier',
    writeTo: address => `Je kunt ook schrijven naar ${address}.`,
    visit: address => `Je kunt de link ook hier melden: ${address}.`,
  },
};
