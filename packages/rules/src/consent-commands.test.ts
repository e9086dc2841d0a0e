import { defaultConsentSettings } from '@parley/contracts/contacts/consent'
import { expect, test } from 'vitest'
import { createCommandReader } from './consent-commands.ts'
import { consentKeywords, phrasesFrom } from './consent-phrases.ts'
import type { LanguageKeywords } from './language-keywords.ts'

const reader = createCommandReader(defaultConsentSettings)
const typed = (text: string) => reader.ofText(text)?.command
const every = (...fields: (keyof LanguageKeywords)[]) =>
  Object.entries(consentKeywords).flatMap(([language, words]) =>
    fields.flatMap((field) => phrasesFrom(words[field]).map((phrase) => [language, phrase] as const)),
  )
const politely = (language: string, phrase: string) => {
  const courtesy = phrasesFrom(consentKeywords[language]?.courtesy)
  return [
    `${courtesy[0]} ${phrase}`,
    `${phrase}, ${courtesy.at(-1)}!`,
    `${courtesy.at(-1)}. ${phrase.toUpperCase()} 🙏🏽`,
  ]
}

test.each(every('stop', 'leave', 'whole'))('%s: “%s” ends marketing, also with courtesy', (language, phrase) => {
  expect([phrase, `*${phrase}*.`, ...politely(language, phrase)].map(typed)).toEqual(Array(5).fill('stop'))
})

test.each(every('start'))('%s: “%s” ends an opt-out and is no consent by itself', (language, phrase) => {
  expect([phrase, ...politely(language, phrase)].map((text) => reader.ofText(text))).toEqual(
    Array(4).fill({ command: 'start', resumesOnly: true }),
  )
})

test.each([
  // English, as keywords and as people write them.
  ...['STOP', ' stop ', 'Stop!!!', `stop${'!'.repeat(40)}`, 'stop ✋️', 'stop 🇮🇳', '“STOP”', '/stop', '_stop_'],
  ...[
    'Stop. Thank you',
    'Please stop',
    'pls stop',
    'Hi, stop please',
    'OK stop now',
    'STOP STOP STOP',
    'sto\u00adp',
    'ＳＴＯＰ',
    '𝗦𝗧𝗢𝗣',
  ],
  ...['UNSUB', 'Unsubscribe me please', 'opt-out', 'Opt  out.', 'CANCEL', 'End', 'quit.', 'I want to unsubscribe'],
  // The Americas and Europe.
  ...[
    'Baja por favor',
    'Quiero darme de baja',
    'Sair',
    'Sair, por favor',
    'Descadastrar obrigado',
    'Arrêt',
    'arrêter svp',
    'STOP merci',
  ],
  ...[
    'Abmelden',
    'bitte abmelden, danke',
    'Ich möchte mich abmelden',
    'Disiscrivimi, grazie',
    'Afmelden aub',
    'proszę mnie wypisać',
  ],
  ...[
    'vă rog dezabonare',
    'Стоп',
    'Отписаться',
    'отпишите меня, пожалуйста',
    'Хочу отписаться',
    'відписатися',
    'будь ласка, стоп',
  ],
  // Asia and Africa.
  ...[
    'lütfen durdurun',
    'İPTAL',
    'Berhenti ya kak',
    'tolong henti',
    'बंद करो',
    'कृपया बंद करें',
    'band karo please',
    'বন্ধ করুন',
    'দয়া করে বন্ধ করুন',
  ],
  ...[
    'براہ کرم بند کریں',
    'إيقاف',
    'ايقاف لو سمحت',
    'إلغاء',
    'إِيقَاف',
    'إيـقاف',
    'הסר',
    'הסירו אותי בבקשה',
    'Dừng',
    'vui lòng dừng lại',
    'huỷ đăng ký',
  ],
  ...[
    'หยุด',
    'หยุดส่งครับ',
    '停止',
    '请停止',
    '退订谢谢',
    '我要退订',
    '配信停止お願いします',
    '停止してください',
    '수신거부',
    '수신 거부 부탁드립니다',
    'tafadhali sitisha',
  ],
])('“%s” ends marketing', (text) => expect(typed(text)).toBe('stop'))

test.each([
  ...[
    '',
    '!!!',
    'stop by the shop',
    'Stop by the shop, please',
    'don’t stop',
    'Please don’t stop',
    'never stop',
    'non-stop',
    'bus stop',
    'stopped',
  ],
  ...[
    'Cancel my order',
    'please cancel the booking',
    'I want to cancel',
    'the end',
    'weekend',
    'quite',
    'Not now, thanks',
    'no',
    'No, thank you',
  ],
  // Everyday words that end messages in another language, or look like one.
  ...[
    'Acha',
    'achha',
    'Seis',
    'red',
    'Peru',
    'No más, gracias',
    'Basta, grazie',
    'đúng',
    'Đúng rồi',
    'dùng',
    'para',
    'dur',
    'Band',
    'bas',
    'halt',
    'alto',
  ],
  ...['OK', 'thanks', 'Quiero cancelar', 'ขอยกเลิก', '不要', 'いいえ', 'नहीं', 'لا شكرا'],
  `stop ${'please '.repeat(20)}`,
])('“%s” is no command', (text) => expect(typed(text)).toBeUndefined())

test('no word for stopping is a courtesy, a yes or a greeting of some language', () => {
  const everyday = new Set(every('courtesy', 'wants').map(([, phrase]) => phrase.toLowerCase()))
  expect(every('stop', 'leave', 'whole', 'start').filter(([, phrase]) => everyday.has(phrase.toLowerCase()))).toEqual(
    [],
  )
})

test('stopping everything is told from stopping marketing', () => {
  expect(['Stop all', 'STOPALL', 'Please stop all, thanks'].map(typed)).toEqual(['stopAll', 'stopAll', 'stopAll'])
})

test('a workspace has words of its own, and words of the lists that count for nothing there', () => {
  const reader = createCommandReader({
    stop: ['Genug'],
    stopAll: ['Schluss'],
    start: ['Los'],
    ignored: ['cancel', 'DUNG LAI'],
  })
  const read = (text: string) => reader.ofText(text)
  expect(
    ['genug, danke', 'SCHLUSS', 'los!', 'Stop', 'cancel', 'please cancel', 'end'].map((text) => read(text)?.command),
  ).toEqual([...['stop', 'stopAll', 'start', 'stop', undefined, undefined, 'stop']])
  expect(read('los')).toEqual({ command: 'start', resumesOnly: false })
  expect([read('dừng lại'), read('dừng')?.command]).toEqual([undefined, 'stop'])
})
