import type { LanguageKeywords } from './language-keywords.ts'

/** Languages of Europe and of the Americas. */
export const wordsOfEurope = {
  en: {
    stop: 'stop',
    leave: 'unsubscribe, unsub, opt out, optout, opt me out, unsubscribe me, remove me',
    whole: 'cancel, end, quit, revoke',
    all: 'stop all, stopall, stop everything',
    start: 'start, unstop, resume, opt in, optin',
    courtesy:
      'please, pls, plz, plss, kindly, thanks, many thanks, thank you, thank you very much, thank u, thankyou, thx, ty, tks, cheers, hi, hello, hey, dear, sir, madam, maam, sorry, ok, okay, now, just, good morning, good afternoon, good evening, good day, bye, team, immediately, guys, regards',
    wants: 'i want to, i would like to, id like to, i wish to, can you, could you, can you please, could you please',
    objects:
      'promotion, promotions, promo, promos, promotional, offer, offers, marketing, message, messages, messaging, texts, texting, ad, ads, advertising, newsletter, newsletters, notifications, alerts, updates, spam',
    fillers:
      'all, any, these, this, those, the, your, such, more, from, of, us, me, my, sending, getting, receiving, to, with',
    asks: 'stop sending, stop messaging, stop texting, stop writing, stop contacting, stop spamming, stop spam, stop with the messages, stop these, stop the messages, stop your messages, stop all messages, stop messages, stop promotions, stop promotional, stop offers, stop marketing, stop all marketing, no more messages, no more offers, no more promotions, no more ads, no more marketing, no more spam, no more texts, dont message, do not message, dont send me, do not send me, dont send any, do not send any, dont send these, dont text, do not text, dont contact, do not contact, dont write to me, do not write to me, leave me alone, take me off, remove my number, delete my number, not interested in your, not interested in these, dont want your messages, dont want these messages, dont want messages, dont want any messages, dont want any more messages, dont want offers, dont want to receive, do not want to receive, dont want to get messages, do not wish to receive, dont wish to receive, off your list, off the list, from your list, from your mailing list, from the mailing list',
    unless:
      'dont stop, do not stop, never stop, cant stop, stop by, stop over, stop around, stop in for, dont unsubscribe, do not unsubscribe',
  },
  es: {
    stop: 'parar, pare, paren, detener, detenga, detengan, detengase, baja',
    leave:
      'darme de baja, dar de baja, dame de baja, denme de baja, deme de baja, me doy de baja, desuscribir, desuscribirme, desuscribirse, desuscríbeme, cancelar suscripción, cancelar la suscripción, cancelar mi suscripción',
    whole: 'cancelar, salir, terminar',
    all: 'parar todo',
    start: 'empezar, iniciar, inicio, comenzar, reanudar, suscribir, suscribirme, darme de alta',
    courtesy:
      'por favor, porfavor, porfa, gracias, muchas gracias, hola, buenos días, buenas tardes, buenas noches, buenas, buen día, disculpe, perdón, ya, señor, señora, saludos',
    wants: 'quiero',
    objects: 'promoción, promociones, oferta, ofertas, mensajes, publicidad, marketing, anuncios, notificaciones',
    fillers: 'de, del, las, los, la, el, mis, estos, estas, todo, todos, todas, recibir, enviar, envío, envíos',
    asks: 'no quiero recibir, no quiero más mensajes, no quiero mensajes, no deseo recibir, dejen de enviar, deje de enviar, deja de enviar, dejen de mandar, deje de mandar, dejen de enviarme, dejen de mandarme, deja de mandarme, dejen de escribir, deja de escribir, deje de escribir, dejen de escribirme, dejen de molestar, no me escriban, no me escriba, no me escribas, no me envíen, no me envíe, no me mande, no me manden, no más mensajes, no más ofertas, no más publicidad, no más promociones, quítenme de, elimínenme, eliminen mi número, borren mi número, bórrenme, sáquenme de, basta de mensajes, basta con los mensajes, basta de publicidad, déjenme en paz',
    unless: 'no pares, no paren, no quiero darme de baja',
  },
  pt: {
    stop: 'parar, pare, parem, interromper',
    leave:
      'descadastrar, descadastre, descadastrem, me descadastre, quero me descadastrar, descadastramento, cancelar inscrição, cancelar a inscrição, desinscrever, me remova, me removam, remover meu contato',
    whole: 'sair, cancelar, remover, encerrar',
    all: 'parar tudo',
    start: 'começar, iniciar, retomar, inscrever, me inscrever, inscrever-me',
    courtesy:
      'por favor, por gentileza, pfv, favor, obrigado, obrigada, muito obrigado, muito obrigada, obg, valeu, grato, grata, olá, oi, bom dia, boa tarde, boa noite, desculpe, já',
    wants: 'quero',
    objects:
      'promoção, promoções, oferta, ofertas, mensagens, publicidade, propaganda, propagandas, marketing, anúncios, notificações',
    fillers: 'de, do, da, as, os, das, dos, receber, enviar, mandar, todas, todos, essas, estas, as suas',
    asks: 'não quero receber, não quero mais receber, não quero mais mensagens, não quero mensagens, pare de enviar, pare de mandar, pare de me mandar, pare de me enviar, parem de enviar, parem de mandar, parem de me mandar, para de mandar, para de enviar, para de me mandar, não me mande, não me mandem, não me envie, não me enviem, não envie mais, não enviem mais, não mande mais, não mandem mais, me tire da lista, me tira da lista, me tirem da lista, tire meu número, remova meu número, exclua meu número, não tenho interesse em receber, me deixe em paz, me deixem em paz, chega de mensagens, chega de propaganda',
    unless: 'não pare, não parem',
  },
  fr: {
    stop: 'arrêt, arrêter, arrêtez, arrête, cesser, cessez',
    leave:
      'désabonner, me désabonner, se désabonner, désabonnement, désabonnez moi, désabonnez-moi, désinscrire, me désinscrire, se désinscrire, désinscription, désinscrivez moi, ne plus recevoir',
    whole: 'annuler, résilier, quitter',
    all: 'tout arrêter',
    start: 'commencer, démarrer, reprendre, s’abonner, m’abonner, s’inscrire',
    courtesy:
      's’il vous plaît, s’il te plaît, s il vous plaît, sil vous plaît, svp, stp, merci, merci beaucoup, merci d’avance, merci bien, bonjour, bonsoir, salut, cordialement, désolé, désolée, madame, monsieur, maintenant',
    wants: 'je veux, je souhaite',
    objects:
      'promotions, promos, promo, offre, offres, message, messages, publicité, publicités, pub, pubs, marketing, notifications',
    fillers: 'de, les, des, la, le, ces, vos, tous, toutes, recevoir, envoyer, l’envoi, aux',
    asks: 'arrêtez de m’envoyer, arrêtez de m’écrire, arrête de m’envoyer, arrête de m’écrire, arrêtez d’envoyer, arrêtez vos messages, arrêtez les messages, arrêtez ces messages, veux plus recevoir, souhaite plus recevoir, veux plus de messages, veux plus vos messages, ne m’envoyez plus, m’envoyez plus, ne m’écrivez plus, m’écrivez plus, ne me contactez plus, me contactez plus, retirez moi de, retirez-moi de, enlevez moi de, enlevez-moi de, supprimez mon numéro, laissez moi tranquille, laissez-moi tranquille, plus de pub, plus de publicité, cessez de m’envoyer, cessez de m’écrire',
    unless: 'n’arrêtez pas, arrêt de bus',
  },
  de: {
    stop: 'stopp, stoppen, aufhören, aufhoeren',
    leave:
      'abmelden, mich abmelden, abmeldung, abbestellen, abbestellung, austragen, mich austragen, austragung, keine werbung',
    whole: 'kündigen, beenden, ende, abbrechen',
    all: 'alles stoppen',
    start: 'starten, fortsetzen, anmelden, abonnieren',
    courtesy:
      'bitte, danke, vielen dank, danke schön, dankeschön, danke im voraus, hallo, guten tag, guten morgen, guten abend, moin, servus, grüezi, sofort, jetzt, gruß, grüße, liebe grüße, viele grüße, mit freundlichen grüßen, lg, mfg',
    wants: 'ich möchte, ich will, mich',
    objects:
      'werbung, werbeaktionen, werbenachrichten, angebote, aktionen, nachrichten, newsletter, marketing, benachrichtigungen',
    fillers: 'von, vom, der, die, den, alle, diese, mehr, für, erhalten, senden, keine',
    asks: 'keine nachrichten mehr, keine werbung, keine weiteren nachrichten, hören sie auf, hör auf zu schreiben, hört auf, nicht mehr schreiben, nicht mehr anschreiben, nicht mehr kontaktieren, schreiben sie mir nicht, schreibt mir nicht, schreib mir nicht, senden sie mir keine, schicken sie mir keine, schickt mir keine, nummer löschen, löschen sie meine nummer, löscht meine nummer, aus dem verteiler, aus ihrem verteiler, lasst mich in ruhe, lassen sie mich in ruhe, möchte keine nachrichten, will keine nachrichten, möchte keine angebote, will keine angebote',
    unless: 'nicht aufhören, nicht abmelden',
  },
  it: {
    stop: 'fermare, fermate, fermati, smettere, smettila, smettetela, interrompi, interrompere',
    leave:
      'disiscrivimi, disiscrivetemi, disiscriviti, disiscrivermi, disiscrizione, cancellami, cancellatemi, cancella iscrizione, annulla iscrizione, annullare iscrizione, rimuovimi, rimuovetemi',
    whole: 'annulla, cancella, cancellare, disdire, esci',
    all: 'ferma tutto',
    start: 'iniziare, inizia, avvia, riprendi, iscrivimi, iscrivermi',
    courtesy:
      'per favore, perfavore, per piacere, per cortesia, grazie, grazie mille, ciao, salve, buongiorno, buon giorno, buonasera, buona sera, scusa, scusate, scusi, subito, ora, prego, cordiali saluti',
    wants: 'voglio, vorrei',
    objects: 'promozione, promozioni, offerta, offerte, messaggi, pubblicità, marketing, notifiche',
    fillers: 'di, le, i, gli, la, alle, dalle, dai, queste, questi, tutti, tutte, ricevere, inviare, l’invio',
    asks: 'non voglio ricevere, non voglio più ricevere, non voglio messaggi, non voglio più messaggi, non desidero ricevere, non desidero più ricevere, smettete di scrivere, smettete di mandare, smettete di scrivermi, smettetela di scrivermi, smettila di scrivermi, smettila di mandarmi, non scrivetemi, non mi scrivete, non scrivermi, non inviatemi, non inviate più, non mandatemi, non mi mandate, cancellate il mio numero, cancella il mio numero, toglietemi dalla, basta messaggi, basta pubblicità, lasciatemi in pace',
  },
  nl: {
    stop: 'stoppen',
    leave:
      'afmelden, afmelding, me afmelden, mij afmelden, uitschrijven, uitschrijving, meld me af, meld mij af, schrijf me uit, schrijf mij uit',
    whole: 'opzeggen, annuleren, beëindigen, einde',
    start: 'starten, beginnen, aanmelden, inschrijven, abonneren',
    courtesy:
      'alstublieft, alsjeblieft, aub, ajb, alvast bedankt, dank u, dank u wel, dank je, dank je wel, dankjewel, dankuwel, bedankt, hallo, hoi, goedemorgen, goedemiddag, goedenavond, nu, graag, groetjes, mvg',
    wants: 'ik wil, ik wil me, ik wil mij',
    objects: 'promoties, aanbiedingen, acties, berichten, reclame, marketing, meldingen, nieuwsbrief',
    fillers: 'met, van, de, het, alle, deze, ontvangen, sturen',
    asks: 'stop met berichten, stop met sturen, stop met appen, geen berichten meer, geen reclame meer, stuur me geen, stuur mij geen, niet meer sturen, niet meer appen, app me niet meer, wil geen berichten, wil geen reclame, wil dit niet meer ontvangen, niet meer ontvangen, verwijder mijn nummer, haal me van, haal mij van, laat me met rust',
  },
  pl: {
    stop: 'przestań, przestańcie, zatrzymaj',
    leave:
      'wypisz, wypisz mnie, wypiszcie mnie, wypisać, wypisz się, wypisuję się, chcę się wypisać, proszę o wypisanie',
    whole: 'rezygnuję, rezygnacja, zrezygnuj, anuluj, koniec, zakończ, usuń mnie',
    start: 'rozpocznij, zacznij, wznów, subskrybuj, zapisz mnie',
    courtesy:
      'proszę, prosze, dziękuję, dziekuje, dzięki, dzień dobry, dobry wieczór, cześć, witam, hej, pozdrawiam, przepraszam, mnie, już, teraz, natychmiast',
    wants: 'chcę',
    objects:
      'promocje, promocji, oferty, ofert, wiadomości, reklamy, reklam, marketing, powiadomienia, powiadomień, subskrypcji',
    fillers: 'z, od, te, wszystkie, wszystkich, wysyłać, wysyłania, otrzymywać',
    asks: 'przestańcie pisać, przestań pisać, przestańcie wysyłać, przestań wysyłać, proszę nie pisać, nie piszcie, nie pisz do mnie, nie wysyłajcie, nie wysyłaj, proszę nie wysyłać, nie chcę otrzymywać, nie chcę wiadomości, nie życzę sobie, usuńcie mój numer, usuń mój numer, proszę usunąć mój numer, żadnych reklam, żadnych wiadomości',
  },
  ro: {
    stop: 'oprește, opriți, opresc',
    leave:
      'dezabonare, dezabonați, dezabonează, dezabonați-mă, dezabonează-mă, vreau să mă dezabonez, mă dezabonez, dezabonez',
    whole: 'anulare, anulează, renunț, ieșire',
    start: 'începe, pornește, reia, abonare, abonează-mă',
    courtesy:
      'vă rog, vă rog frumos, te rog, mulțumesc, mulțumesc frumos, mersi, bună, bună ziua, bună dimineața, bună seara, salut, scuze, acum',
    objects:
      'promoții, promoțiile, oferte, ofertele, mesaje, mesajele, reclame, reclamele, marketing, notificări, notificările',
    fillers: 'de, de la, la, toate, aceste, primi, trimite, trimiterea',
    asks: 'nu mai trimiteți, nu mai trimite, nu îmi mai trimiteți, nu mi mai trimiteți, nu mai scrieți, nu mai scrie, nu îmi mai scrieți, nu mi mai scrieți, nu mai vreau să primesc, nu vreau să primesc, nu mai vreau mesaje, nu doresc să primesc, nu mai doresc, scoateți-mă, ștergeți numărul, șterge numărul, lăsați-mă în pace',
  },
  ru: {
    stop: 'стоп, прекратите, прекрати, остановить, остановите, отключить, отключите',
    leave: 'отписаться, отписка, отпишите, отпишите меня, отпиши меня, отписать, отмена подписки, отменить подписку',
    whole: 'отмена, отменить, отказ, отказаться, выход',
    start: 'старт, начать, возобновить, подписаться',
    courtesy:
      'пожалуйста, пожалуста, плиз, пж, спасибо, большое спасибо, благодарю, здравствуйте, добрый день, доброе утро, добрый вечер, привет, извините, уже, сейчас, прошу',
    wants: 'хочу',
    objects:
      'рассылка, рассылку, рассылки, реклама, рекламу, рекламы, акции, акций, предложения, предложений, сообщения, сообщений, уведомления',
    fillers: 'от, все, всё, эту, эти, этой, присылать, получать, отправку',
    asks: 'не пишите, не пиши мне, не присылайте, не присылай, не шлите, не отправляйте мне, не беспокойте, хватит писать, хватит присылать, хватит слать, прекратите писать, прекратите присылать, прекратите слать, прекратите рассылку, перестаньте писать, перестаньте присылать, перестаньте слать, удалите мой номер, уберите из рассылки, уберите меня, не хочу получать, не надо писать, отстаньте',
  },
  uk: {
    stop: 'припиніть, зупинити, зупиніть, вимкнути',
    leave: 'відписатися, відписатись, відписка, відпишіть, відпишіть мене, скасувати підписку',
    whole: 'скасувати, відміна, відмова, вийти',
    start: 'почати, відновити, підписатися, підписатись',
    courtesy:
      'будь ласка, будьласка, дякую, спасибі, вітаю, добрий день, доброго дня, доброго ранку, добрий ранок, привіт, вибачте, прошу',
    wants: 'хочу',
    objects: 'розсилка, розсилку, розсилки, реклама, рекламу, акції, пропозиції, повідомлення, сповіщення',
    fillers: 'від, усі, всі, цю, ці, надсилати, отримувати',
    asks: 'не пишіть, не пиши мені, не надсилайте, не присилайте, не шліть, не турбуйте, припиніть писати, припиніть надсилати, перестаньте писати, перестаньте надсилати, досить писати, видаліть мій номер, приберіть мене, не хочу отримувати',
  },
  cs: {
    stop: 'zastavit, zastavte, přestaňte, přestaň',
    leave: 'odhlásit, odhlásit se, odhlaste mě, odhlásit odběr, zrušit odběr',
    whole: 'zrušit, konec, ukončit',
    start: 'začít, spustit, obnovit',
    courtesy: 'prosím, děkuji, děkuju, díky, dobrý den, ahoj, dobré ráno, dobrý večer',
    objects: 'nabídky, zprávy, reklamy, reklamu, akce',
    asks: 'neposílejte mi, nepište mi, už mi nepište, už nepište, přestaňte psát, přestaňte posílat, nechci dostávat, smažte moje číslo',
  },
  hu: {
    stop: 'állj, leállítás, leállítani',
    leave: 'leiratkozás, leiratkozom, leiratkozni, leiratkoznék',
    whole: 'mégse, lemondás, lemondom',
    start: 'indítás, kezdés, feliratkozás, feliratkozom',
    courtesy: 'kérem, kérlek, köszönöm, köszi, szia, jó napot, üdv, üdvözlettel',
    wants: 'szeretnék',
    asks: 'ne küldjenek, ne írjanak, ne küldj, ne írj, nem kérek több üzenetet, nem szeretnék üzenetet, töröljék a számom',
  },
  el: {
    stop: 'στοπ, σταμάτα, σταματήστε, διακοπή',
    leave: 'απεγγραφή, κατάργηση εγγραφής',
    whole: 'ακύρωση, διαγραφή',
    start: 'έναρξη, ξεκίνα, εγγραφή',
    courtesy: 'παρακαλώ, ευχαριστώ, γεια, γεια σας, καλημέρα, καλησπέρα',
    objects: 'προσφορές, μηνύματα, διαφημίσεις',
    asks: 'μη μου στέλνετε, μην στέλνετε, σταματήστε να στέλνετε, δεν θέλω μηνύματα, δεν θέλω άλλα μηνύματα, διαγράψτε τον αριθμό μου',
  },
  sv: {
    stop: 'sluta',
    leave: 'avregistrera, avregistrera mig, avprenumerera, avsluta prenumeration, avanmäl',
    whole: 'avsluta, avbryt',
    start: 'starta, börja, prenumerera',
    courtesy: 'snälla, tack, tack så mycket, hej, vänligen, nu',
    objects: 'erbjudanden, meddelanden, reklam',
    asks: 'sluta skicka, sluta skriva, skicka inte, skriv inte till mig, vill inte ha meddelanden, vill inte ha fler, ta bort mitt nummer',
  },
  da: {
    stop: 'stop',
    leave: 'afmeld, afmeld mig, frameld, frameld mig',
    whole: 'annuller, afslut',
    start: 'begynd, tilmeld',
    courtesy: 'venligst, tak, mange tak, på forhånd tak, hej, vær venlig, nu',
    objects: 'tilbud, beskeder, reklamer',
    asks: 'stop med at sende, stop med at skrive, send mig ikke, skriv ikke til mig, vil ikke have beskeder, slet mit nummer',
  },
  nb: {
    stop: 'stopp',
    leave: 'avmeld, avmeld meg, meld meg av',
    whole: 'avbryt, avslutt, slutt',
    start: 'begynn, abonner',
    courtesy: 'vennligst, takk, tusen takk, på forhånd takk, hei, nå',
    objects: 'tilbud, meldinger, reklame',
    asks: 'slutt å sende, slutt å skrive, ikke send meg, ikke skriv til meg, vil ikke ha meldinger, slett nummeret mitt',
  },
  fi: {
    stop: 'lopeta, lopettakaa',
    leave: 'peruuta tilaus, poista minut, peru tilaus',
    whole: 'peruuta',
    start: 'aloita',
    courtesy: 'kiitos, hei, moi, ole hyvä, pyydän, ystävällisesti',
    objects: 'viestit, tarjoukset, mainokset',
    asks: 'älkää lähettäkö, älä lähetä, en halua viestejä, poistakaa numeroni, lopettakaa viestit',
  },
  bg: {
    stop: 'спри, спрете',
    leave: 'отписване, отпиши ме, отпишете ме',
    whole: 'отказвам се',
    start: 'започни, абонирай ме',
    courtesy: 'моля, благодаря, здравейте, добър ден',
    asks: 'не ми пишете, не ми изпращайте, спрете да пишете, спрете да изпращате, изтрийте номера ми',
  },
  hr: {
    stop: 'zaustavi, zaustavite, prestani, prestanite',
    leave: 'odjava, odjavi me, odjavite me, odjavi se',
    start: 'pokreni, započni, prijavi me',
    courtesy: 'molim, molim vas, hvala, bok, dobar dan, pozdrav',
    asks: 'ne šaljite mi, nemojte mi slati, nemojte mi pisati, prestanite slati, ne želim primati, izbrišite moj broj',
  },
} as const satisfies Readonly<Record<string, LanguageKeywords>>
