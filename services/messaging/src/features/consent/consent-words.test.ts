import { defaultConsentSettings } from '@parley/contracts/consent'
import { expect, test } from 'vitest'
import { commandOf } from './consent-words.ts'

test.each([
  ['STOP', 'stop'],
  [' stop ', 'stop'],
  ['Stop!!!', 'stop'],
  ['stop 🙏', 'stop'],
  ['opt-out', 'stop'],
  ['Opt  out.', 'stop'],
  ['बंद करो', 'stop'],
  ['إيقاف', 'stop'],
  ['arrêt', 'stop'],
  ['ARRÊT.', 'stop'],
  ['Stop all', 'stopAll'],
  ['start', 'start'],
  ['Subscribe', 'start'],
  ['stop by the shop', undefined],
  ['Please stop', undefined],
  ['don’t stop', undefined],
  ['stop stop', undefined],
  [`stop${' '.repeat(40)}`, 'stop'],
  [`stop${'!'.repeat(40)}`, undefined],
  ['', undefined],
  ['!!!', undefined],
] as const)('%j is %s', (text, command) => {
  expect(commandOf([text], defaultConsentSettings)).toBe(command)
})

test('a quick reply counts by what it says or by what stands behind it', () => {
  expect(commandOf(['No more offers', 'STOP'], defaultConsentSettings)).toBe('stop')
  expect(commandOf(['No more offers', 'menu-3'], defaultConsentSettings)).toBeUndefined()
})

test('the words are the workspace’s own', () => {
  const words = { stop: ['Aufhören'], stopAll: [], start: [] }
  expect(commandOf(['aufhoren'], words)).toBe('stop')
  expect(commandOf(['STOP'], words)).toBeUndefined()
})
