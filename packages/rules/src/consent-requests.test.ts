import { defaultConsentSettings } from '@parley/contracts/contacts/consent'
import { expect, test } from 'vitest'
import { asksToStop, createCommandReader, isWayOut, namesWayOut } from './consent-commands.ts'
import { consentKeywords, phrasesFrom } from './consent-phrases.ts'
import type { LanguageKeywords } from './language-keywords.ts'

const reader = createCommandReader(defaultConsentSettings)
const typed = (text: string) => reader.ofText(text)?.command
const pressed = (...texts: string[]) => reader.ofButton(texts)?.command
const every = (...fields: (keyof LanguageKeywords)[]) =>
  Object.entries(consentKeywords).flatMap(([language, words]) =>
    fields.flatMap((field) => phrasesFrom(words[field]).map((phrase) => [language, phrase] as const)),
  )

test.each([
  ...[
    'Stop promotions',
    'STOP',
    'Stop all marketing',
    'Unsubscribe from offers',
    'Cancel promotions',
    'Stop receiving these messages',
  ],
  ...[
    'Detener promociones',
    'Cancelar promociones',
    'Parar promoções',
    'Arrêter les promotions',
    'Ne plus recevoir de promos',
    'Werbung beenden',
  ],
  ...[
    'Werbung stoppen',
    'Interrompi promozioni',
    'Aanbiedingen stoppen',
    'Promosyonları durdur',
    'Hentikan promosi',
    'ऑफ़र बंद करें',
    'إيقاف العروض',
  ],
  ...['Отключить рекламу', 'Dừng khuyến mãi', '停止促销', '配信を停止', '광고 수신거부', 'หยุดโปรโมชั่น'],
  ...['Wypisz mnie', 'Dezabonare', 'Відписатися', 'הסר'],
])('a button “%s” is a way out for the linter and for whoever presses it', (label) => {
  expect([isWayOut(label), pressed(label), pressed('…', label)]).toEqual([true, 'stop', 'stop'])
})

test.each(every('stop', 'leave'))('%s: what the linter takes for a way out is one when pressed: “%s”', (_, phrase) => {
  expect([isWayOut(phrase), pressed(phrase)]).toEqual([true, 'stop'])
})

test.each([
  ...[
    'Cancel',
    'End',
    'Annuler',
    '取消',
    'Stop by our shop',
    'Stop the clock',
    'Cancel order',
    'Yes',
    'Don’t stop',
    'Book now',
    'Details',
    'All offers',
  ],
])('a button “%s” is no way out', (label) => {
  expect([isWayOut(label), pressed(label)]).toEqual([false, undefined])
})

test.each([
  ...[
    'Please stop sending me messages',
    'Can you take me off your list?',
    'How do I unsubscribe from this',
    'I dont want any more messages from you',
  ],
  ...[
    'No quiero recibir más publicidad',
    'Por favor dejen de enviarme cosas',
    'pare de me mandar mensagem',
    'Je ne veux plus recevoir vos messages',
  ],
  ...[
    'Bitte schicken Sie mir keine Werbung mehr',
    'Non voglio più ricevere messaggi',
    'Lütfen bana mesaj atmayın',
    'jangan kirim pesan lagi',
  ],
  ...[
    'bhai message mat karo',
    'मुझे मैसेज मत भेजो',
    'আর মেসেজ দিবেন না',
    'لا ترسلوا لي رسائل',
    'תפסיקו לשלוח לי הודעות',
    'Больше не пишите мне',
    'Не надсилайте мені рекламу',
  ],
  ...[
    'Proszę nie wysyłać mi reklam',
    'Nu mai trimiteți mesaje',
    'Đừng gửi tin nhắn cho tôi nữa',
    'อย่าส่งข้อความมาอีก',
    '请不要再发给我了',
    'もう送らないでください',
    '문자 보내지 마세요',
    'Tafadhali msinitumie ujumbe',
  ],
])('“%s” asks to stop in more words', (text) => {
  expect([typed(text), asksToStop(text)]).toEqual([undefined, true])
})

test.each([
  ...[
    'Stop by the shop',
    'I will stop by the shop to see your offers',
    'Please don’t stop sending me offers',
    'Can you send me a message?',
    '',
  ],
  ...[
    'Is this the bus stop?',
    'I want to cancel my order',
    'No más, gracias',
    'Alto o bajo?',
    'Nein danke',
    'Quiero dos',
    '取消订单',
    'मुझे दो चाहिए',
  ],
])('“%s” asks for no stop', (text) => expect(asksToStop(text)).toBe(false))

test.each([
  ['Reply STOP to opt out', true],
  ['Write STOP at any time', true],
  ['Responde BAJA para no recibir más', true],
  ['Responda SAIR', true],
  ['रोकने के लिए बंद लिखें', true],
  ['לביטול השב הסר', true],
  ['Stop by our shop before the end of the sale', false],
  ['Cancel any time', false],
  ['The sale ends on Sunday', false],
])('whether “%s” names a way out: %s', (text, names) => expect(namesWayOut(text)).toBe(names))

test('a button longer than a command is none, whatever it ends with', () => {
  expect(pressed(`${'please '.repeat(10)}stop`)).toBe('stop')
  expect(pressed(`${'please '.repeat(20)}stop`)).toBeUndefined()
})
