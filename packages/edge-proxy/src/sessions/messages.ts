/**
 * What the proxy's own pages say, in five languages. `unknown` never reads as a failure: money may have moved. The build
 * writes each language to a file beside the bundle; at run time only the one that is asked for is read.
 */
import type { CheckoutStatus } from '@innkeep/core/contract';
import type { Language } from './language.ts';

/** What a page shows: the session's status, or how the last attempt ended when another one can follow. */
export type Shown = CheckoutStatus | 'failed' | 'canceled';

/** Every text of the pages. */
export interface Messages {
  /** Headings; for cards those that would speak of a payment are replaced. */
  readonly heading: Readonly<Record<Shown, string>>;
  readonly cardHeading: Readonly<Partial<Record<Shown, string>>>;
  /** Heading after an attempt that failed because the card was refused. */
  readonly declined: string;
  readonly text: Readonly<Record<Shown, string>>;
  readonly amount: string;
  readonly surcharge: string;
  readonly surchargeNote: string;
  readonly total: string;
  readonly reference: string;
  readonly card: string;
  readonly pay: string;
  readonly saveCard: string;
  readonly continuePaying: string;
  readonly tryAgain: string;
  /** When the guest was shown another price or text than there is now. */
  readonly termsChanged: string;
  readonly close: string;
  readonly testMode: string;
  readonly scan: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly unavailable: string;
  /** When a start has failed. */
  readonly unavailableText: string;
  /** When a request was refused before anything was done, whatever may have happened earlier. */
  readonly refusedText: string;
}

const en: Messages = {
  heading: {
    open: 'Your payment',
    pending: 'Not finished yet',
    succeeded: 'Payment received',
    failed: 'The payment did not go through',
    canceled: 'You canceled',
    expired: 'This payment has expired',
    unknown: 'We don’t know yet whether the payment went through',
  },
  cardHeading: {
    open: 'Store your card',
    succeeded: 'Your card is stored',
    failed: 'The card could not be stored',
    expired: 'This request has expired',
    unknown: 'We don’t know yet whether your card was stored',
  },
  declined: 'The card was declined',
  text: {
    open: 'You will enter your card on the secure page of the payment service.',
    pending: 'This page updates by itself.',
    succeeded: 'Thank you. The hotel will send you a confirmation.',
    failed: 'Nothing was charged.',
    canceled: 'Nothing was charged.',
    expired: 'Please ask the hotel for a new link.',
    unknown: 'Please do not pay again. The hotel will confirm the result to you.',
  },
  amount: 'Amount',
  surcharge: 'Card surcharge',
  surchargeNote: 'A surcharge may be added for some cards; you will see it before you pay.',
  total: 'Total',
  reference: 'Reference',
  card: 'Card',
  pay: 'Pay now',
  saveCard: 'Continue',
  continuePaying: 'Back to the payment page',
  tryAgain: 'Try again',
  termsChanged: 'What you are asked to pay has changed. Please check it before you go on.',
  close: 'You can close this tab.',
  testMode: 'Test mode: no real money',
  scan: 'Scan to pay on your phone',
  notFound: 'Page not found',
  notFoundText: 'Please check the address, or ask the hotel for a new link.',
  unavailable: 'Please try again in a moment',
  unavailableText: 'The payment page could not be opened. Nothing was charged.',
  refusedText: 'This page cannot be shown right now. Your payment is as it was.',
};

const de: Messages = {
  heading: {
    open: 'Ihre Zahlung',
    pending: 'Noch nicht abgeschlossen',
    succeeded: 'Zahlung erhalten',
    failed: 'Die Zahlung hat nicht geklappt',
    canceled: 'Sie haben abgebrochen',
    expired: 'Diese Zahlung ist abgelaufen',
    unknown: 'Wir wissen noch nicht, ob die Zahlung geklappt hat',
  },
  cardHeading: {
    open: 'Karte hinterlegen',
    succeeded: 'Ihre Karte ist hinterlegt',
    failed: 'Die Karte konnte nicht hinterlegt werden',
    expired: 'Diese Anfrage ist abgelaufen',
    unknown: 'Wir wissen noch nicht, ob Ihre Karte hinterlegt ist',
  },
  declined: 'Die Karte wurde abgelehnt',
  text: {
    open: 'Ihre Karte geben Sie auf der sicheren Seite des Zahlungsdienstes ein.',
    pending: 'Diese Seite aktualisiert sich von selbst.',
    succeeded: 'Vielen Dank. Das Hotel schickt Ihnen eine Bestätigung.',
    failed: 'Es wurde nichts abgebucht.',
    canceled: 'Es wurde nichts abgebucht.',
    expired: 'Bitte fragen Sie das Hotel nach einem neuen Link.',
    unknown: 'Bitte zahlen Sie nicht noch einmal. Das Hotel bestätigt Ihnen das Ergebnis.',
  },
  amount: 'Betrag',
  surcharge: 'Kartenzuschlag',
  surchargeNote: 'Bei manchen Karten kommt ein Zuschlag hinzu; Sie sehen ihn vor dem Bezahlen.',
  total: 'Gesamt',
  reference: 'Referenz',
  card: 'Karte',
  pay: 'Jetzt bezahlen',
  saveCard: 'Weiter',
  continuePaying: 'Zurück zur Zahlungsseite',
  tryAgain: 'Noch einmal versuchen',
  termsChanged: 'Was Sie bezahlen sollen, hat sich geändert. Bitte prüfen Sie es, bevor Sie weitermachen.',
  close: 'Sie können diesen Tab schließen.',
  testMode: 'Testbetrieb: kein echtes Geld',
  scan: 'Scannen und am Handy bezahlen',
  notFound: 'Hier gibt es nichts',
  notFoundText: 'Bitte prüfen Sie die Adresse oder fragen Sie das Hotel nach einem neuen Link.',
  unavailable: 'Bitte versuchen Sie es gleich noch einmal',
  unavailableText: 'Die Zahlungsseite ließ sich nicht öffnen. Es wurde nichts abgebucht.',
  refusedText: 'Diese Seite kann gerade nicht angezeigt werden. An Ihrer Zahlung hat sich nichts geändert.',
};

const fr: Messages = {
  heading: {
    open: 'Votre paiement',
    pending: 'Pas encore terminé',
    succeeded: 'Paiement reçu',
    failed: 'Le paiement n’a pas abouti',
    canceled: 'Vous avez annulé',
    expired: 'Ce paiement a expiré',
    unknown: 'Nous ne savons pas encore si le paiement a abouti',
  },
  cardHeading: {
    open: 'Enregistrer votre carte',
    succeeded: 'Votre carte est enregistrée',
    failed: 'La carte n’a pas pu être enregistrée',
    expired: 'Cette demande a expiré',
    unknown: 'Nous ne savons pas encore si votre carte a été enregistrée',
  },
  declined: 'La carte a été refusée',
  text: {
    open: 'Vous saisirez votre carte sur la page sécurisée du service de paiement.',
    pending: 'Cette page s’actualise d’elle-même.',
    succeeded: 'Merci. L’hôtel vous enverra une confirmation.',
    failed: 'Rien n’a été débité.',
    canceled: 'Rien n’a été débité.',
    expired: 'Demandez un nouveau lien à l’hôtel.',
    unknown: 'Ne payez pas une seconde fois. L’hôtel vous confirmera le résultat.',
  },
  amount: 'Montant',
  surcharge: 'Supplément carte',
  surchargeNote: 'Un supplément peut s’ajouter pour certaines cartes ; vous le verrez avant de payer.',
  total: 'Total',
  reference: 'Référence',
  card: 'Carte',
  pay: 'Payer maintenant',
  saveCard: 'Continuer',
  continuePaying: 'Retour à la page de paiement',
  tryAgain: 'Réessayer',
  termsChanged: 'Ce que vous devez payer a changé. Vérifiez-le avant de continuer.',
  close: 'Vous pouvez fermer cet onglet.',
  testMode: 'Mode test : pas d’argent réel',
  scan: 'Scannez pour payer sur votre téléphone',
  notFound: 'Il n’y a rien ici',
  notFoundText: 'Vérifiez l’adresse ou demandez un nouveau lien à l’hôtel.',
  unavailable: 'Veuillez réessayer dans un instant',
  unavailableText: 'La page de paiement n’a pas pu être ouverte. Rien n’a été débité.',
  refusedText: 'Cette page ne peut pas être affichée pour le moment. Rien n’a changé pour votre paiement.',
};

const es: Messages = {
  heading: {
    open: 'Su pago',
    pending: 'Aún sin terminar',
    succeeded: 'Pago recibido',
    failed: 'El pago no se ha realizado',
    canceled: 'Ha cancelado',
    expired: 'Este pago ha caducado',
    unknown: 'Todavía no sabemos si el pago se ha realizado',
  },
  cardHeading: {
    open: 'Guardar su tarjeta',
    succeeded: 'Su tarjeta está guardada',
    failed: 'No se ha podido guardar la tarjeta',
    expired: 'Esta solicitud ha caducado',
    unknown: 'Todavía no sabemos si su tarjeta se ha guardado',
  },
  declined: 'La tarjeta ha sido rechazada',
  text: {
    open: 'Introducirá su tarjeta en la página segura del servicio de pago.',
    pending: 'Esta página se actualiza sola.',
    succeeded: 'Gracias. El hotel le enviará una confirmación.',
    failed: 'No se ha cobrado nada.',
    canceled: 'No se ha cobrado nada.',
    expired: 'Pida al hotel un enlace nuevo.',
    unknown: 'No pague otra vez, por favor. El hotel le confirmará el resultado.',
  },
  amount: 'Importe',
  surcharge: 'Recargo por tarjeta',
  surchargeNote: 'Algunas tarjetas llevan un recargo; lo verá antes de pagar.',
  total: 'Total',
  reference: 'Referencia',
  card: 'Tarjeta',
  pay: 'Pagar ahora',
  saveCard: 'Continuar',
  continuePaying: 'Volver a la página de pago',
  tryAgain: 'Intentar de nuevo',
  termsChanged: 'Lo que debe pagar ha cambiado. Compruébelo antes de continuar.',
  close: 'Puede cerrar esta pestaña.',
  testMode: 'Modo de prueba: sin dinero real',
  scan: 'Escanee para pagar con su teléfono',
  notFound: 'Aquí no hay nada',
  notFoundText: 'Compruebe la dirección o pida al hotel un enlace nuevo.',
  unavailable: 'Inténtelo de nuevo en un momento',
  unavailableText: 'No se ha podido abrir la página de pago. No se ha cobrado nada.',
  refusedText: 'Esta página no se puede mostrar en este momento. Nada ha cambiado en su pago.',
};

const it: Messages = {
  heading: {
    open: 'Il Suo pagamento',
    pending: 'Non ancora completato',
    succeeded: 'Pagamento ricevuto',
    failed: 'Il pagamento non è riuscito',
    canceled: 'Ha annullato',
    expired: 'Questo pagamento è scaduto',
    unknown: 'Non sappiamo ancora se il pagamento è andato a buon fine',
  },
  cardHeading: {
    open: 'Salvare la carta',
    succeeded: 'La carta è stata salvata',
    failed: 'Non è stato possibile salvare la carta',
    expired: 'Questa richiesta è scaduta',
    unknown: 'Non sappiamo ancora se la sua carta è stata salvata',
  },
  declined: 'La carta è stata rifiutata',
  text: {
    open: 'Inserirà la carta nella pagina sicura del servizio di pagamento.',
    pending: 'Questa pagina si aggiorna da sola.',
    succeeded: 'Grazie. L’hotel Le invierà una conferma.',
    failed: 'Non è stato addebitato nulla.',
    canceled: 'Non è stato addebitato nulla.',
    expired: 'Chieda all’hotel un nuovo link.',
    unknown: 'Non paghi di nuovo, per favore. L’hotel Le confermerà il risultato.',
  },
  amount: 'Importo',
  surcharge: 'Supplemento carta',
  surchargeNote: 'Per alcune carte può aggiungersi un supplemento; lo vedrà prima di pagare.',
  total: 'Totale',
  reference: 'Riferimento',
  card: 'Carta',
  pay: 'Paga ora',
  saveCard: 'Continua',
  continuePaying: 'Torna alla pagina di pagamento',
  tryAgain: 'Riprova',
  termsChanged: 'Quanto deve pagare è cambiato. Lo controlli prima di continuare.',
  close: 'Può chiudere questa scheda.',
  testMode: 'Modalità di prova: niente denaro reale',
  scan: 'Scansioni per pagare con il telefono',
  notFound: 'Qui non c’è nulla',
  notFoundText: 'Controlli l’indirizzo o chieda all’hotel un nuovo link.',
  unavailable: 'Riprovi tra un momento',
  unavailableText: 'Non è stato possibile aprire la pagina di pagamento. Non è stato addebitato nulla.',
  refusedText: 'Questa pagina non può essere mostrata in questo momento. Il Suo pagamento è rimasto com’era.',
};

/** All texts by language. */
export const MESSAGES: Readonly<Record<Language, Messages>> = { en, de, fr, es, it };
