import type { PublicWords } from './words.ts';

export const pl: PublicWords = {
  pages: {
    paused: {
      title: 'Ten kod jest wstrzymany',
      text: 'Właściciel tymczasowo go wstrzymał. Spróbuj ponownie później lub zapytaj tam, gdzie go znaleziono.',
    },
    not_begun: {
      title: 'Ten kod jeszcze nie działa',
      text: 'Właściciel ustalił, od kiedy będzie działać. Spróbuj ponownie później lub zapytaj tam, gdzie go znaleziono.',
    },
    ended: {
      title: 'Ten kod stracił ważność',
      text: 'To, do czego prowadził, już się zakończyło. Zapytaj tam, gdzie go znaleziono.',
    },
    stopped: {
      title: 'Ten kod został zablokowany dla Twojego bezpieczeństwa',
      text: 'Mógł prowadzić do szkodliwej strony. Jeśli podano tam hasło, zmień je teraz. Jeśli podano dane karty, zadzwoń do swojego banku.',
    },
    held: {
      title: 'Ten kod nie został jeszcze potwierdzony',
      text: 'Właściciel musi najpierw potwierdzić swój adres e-mail. Spróbuj ponownie później.',
    },
    unknown: {
      title: 'Taki kod nie istnieje',
      text: 'Jeśli link został wpisany ręcznie, sprawdź, czy nie ma w nim literówki.',
    },
    home: {
      title: 'Ten adres służy kodom QR',
      text: 'Zeskanuj kod, aby otworzyć stronę, do której prowadzi. Niczego więcej tu nie ma.',
    },
    not_connected: {
      title: 'Ta domena nie jest podłączona',
      text: 'Wydrukowane z nią kody chwilowo nie działają. Spróbuj ponownie później albo zapytaj w miejscu, w którym znajduje się kod.',
    },
    deleted: {
      title: 'Ten kod nie jest już używany',
      text: 'Właściciel trwale go usunął.',
    },
    busy: {
      title: 'Chwileczkę',
      text: 'Z Twojej sieci otwarto zbyt wiele kodów. Odczekaj minutę i zeskanuj ponownie.',
    },
    unavailable: {
      title: 'Chwileczkę',
      text: 'Nie możemy teraz otworzyć tego kodu. Zeskanuj go ponownie za kilka sekund.',
    },
    not_allowed: {
      title: 'Ten link można tylko otworzyć',
      text: 'Krótkie linki przyjmują tylko żądania GET i HEAD. Aby zmienić adres docelowy, użyj API lub panelu.',
    },
  },
  reference: id => `Numer referencyjny: ${id}`,
  preview: {
    oneHost: 'Ten kod prowadzi do',
    manyHosts: 'Ten kod może prowadzić do',
    andMore: 'i inne',
    changedOn: day => `Ostatnia zmiana: ${day}.`,
    note: 'To tylko podgląd: nie nastąpiło przekierowanie i nie policzono skanu. Te strony nie należą do nas i mogą przekierować dalej.',
    report: 'Zgłoś szkodliwy link',
  },
  report: {
    title: 'Zgłoś link',
    titleNotSent: 'Nie wysłano: zgłoś link',
    lead: 'Czy któryś z naszych krótkich linków lub kodów QR prowadzi do czegoś szkodliwego? Daj nam znać, sprawdzimy to.',
    notSent: {
      title: 'Zgłoszenie nie zostało wysłane.',
      text: 'Wypełnij formularz ponownie i popraw zaznaczone pola. Nie zapisujemy niczego, dopóki zgłoszenie nie jest kompletne.',
    },
    link: 'Krótki link',
    linkHint: begin => `Zaczyna się od ${begin}`,
    linkMissing: 'Wpisz krótki link.',
    linkForeign: begin =>
      `To nie jest nasz krótki link. Nasze zaczynają się od ${begin} – wpisz link z kodu QR, a nie stronę, do której prowadzi.`,
    linkUnknown: 'Taki kod nie istnieje. Sprawdź, czy w linku nie ma literówki.',
    question: 'Co jest nie tak?',
    kindMissing: 'Wybierz jedną z tych opcji.',
    kinds: {
      phishing: {
        title: 'Wyłudzanie danych',
        text: 'Strona podszywa się pod kogoś innego, aby zdobyć hasła lub dane płatnicze.',
      },
      malware: {
        title: 'Złośliwe oprogramowanie',
        text: 'Strona nakłania do pobrania lub zainstalowania czegoś szkodliwego.',
      },
      scam: {
        title: 'Oszustwo',
        text: 'Strona wyłudza pieniądze fałszywymi obietnicami, na przykład przez fałszywy sklep lub nagrodę.',
      },
      illegal: { title: 'Nielegalne treści', text: 'Link prowadzi do treści niezgodnych z prawem.' },
      other: { title: 'Coś innego', text: 'Opisz poniżej, co jest nie tak.' },
    },
    details: 'Szczegóły',
    detailsHint: max =>
      `Opcjonalnie, chyba że wybrano „Coś innego”. Maksymalnie ${max} znaków. Nie podawaj haseł ani danych osobowych.`,
    detailsMissing: 'Opisz, co jest nie tak.',
    detailsLong: max => `Użyj maksymalnie ${max} znaków.`,
    send: 'Wyślij zgłoszenie',
    privacy: days =>
      `Treść zgłoszenia i jego datę przechowujemy przez ${days} dni. Nie zapisujemy adresu IP ani żadnych informacji o przeglądarce.`,
    thanks: {
      title: 'Dziękujemy za zgłoszenie',
      text: 'Sprawdzimy, dokąd prowadzi link. Jeśli jest szkodliwy, zablokujemy go.',
      advice:
        'Nie możemy odpowiedzieć, ponieważ nie wiemy, kim jesteś. Jeśli podano tam hasło lub numer karty, zmień hasło lub zadzwoń teraz do swojego banku.',
      another: 'Zgłoś kolejny link',
    },
    limited: {
      title: 'Na razie zbyt wiele zgłoszeń',
      text: 'Otrzymaliśmy wiele zgłoszeń z Twojej sieci, dlatego to nie zostało przyjęte. Spróbuj ponownie później.',
    },
    full: {
      title: 'Zbyt wiele zgłoszeń dzisiaj',
      text: 'Otrzymaliśmy dziś więcej zgłoszeń, niż możemy obsłużyć, dlatego to nie zostało przyjęte. Spróbuj ponownie jutro.',
    },
    large: {
      title: 'To zgłoszenie jest za długie',
      text: 'Nie zostało przyjęte. Użyj mniejszej liczby słów.',
    },
    unreadable: { title: 'Nie udało się odczytać zgłoszenia', text: 'Skorzystaj z formularza.' },
    unavailable: {
      title: 'Chwileczkę',
      text: 'Nie możemy teraz przyjąć zgłoszenia. Spróbuj ponownie za minutę.',
    },
    notAllowed: {
      title: 'Tutaj to niemożliwe',
      text: 'Ta strona przyjmuje tylko żądania GET i POST.',
    },
    back: 'Wróć do formularza',
    writeTo: address => `Możesz też napisać na adres ${address}.`,
    visit: address => `Możesz też zgłosić link tutaj: ${address}.`,
  },
};
