import { expect, test } from 'vitest'
import { createLinkTokens } from '../../outbound/link-tokens.ts'
import { linkTarget } from '../../templates/link-target.ts'
import { isVisit } from './is-visit.ts'

const key = (id: string, byte: number) => ({ id, key: Buffer.alloc(32, byte) })
const reference = { workspaceId: 'a'.repeat(24), messageId: '0123456789abcdef01234567', index: 9 }

test('a token tells which link it is, to those who have its key alone', () => {
  const tokens = createLinkTokens([key('k1', 1)])
  const token = tokens.of(reference)
  expect(token).toMatch(/^[\w-]{56}$/)
  expect(tokens.read(token)).toEqual(reference)
  expect(createLinkTokens([key('k2', 2)]).read(token)).toBeUndefined()
  // A new key signs, and links of the old one lead on.
  const rotated = createLinkTokens([key('k2', 2), key('k1', 1)])
  expect(rotated.read(token)).toEqual(reference)
  expect(rotated.of(reference)).not.toBe(token)
})

test('no changed token is read, whichever character was changed, and none of another length', () => {
  const tokens = createLinkTokens([key('k1', 1)])
  const token = tokens.of(reference)
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A'
    expect(tokens.read(`${token.slice(0, at)}${other}${token.slice(at + 1)}`), String(at)).toBeUndefined()
  }
  for (const wrong of ['', token.slice(1), `${token}A`, `${token.slice(1)}=`, '/'.repeat(56)])
    expect(tokens.read(wrong), wrong).toBeUndefined()
})

test.each([
  ['https://chai.example/o/{{1}}', { 1: 'CC-204 81' }, 'https://chai.example/o/CC-204%2081'],
  [
    'https://chai.example/o?for={{name}}',
    { name: 'ऐशा\r\n' },
    'https://chai.example/o?for=%E0%A4%90%E0%A4%B6%E0%A4%BE',
  ],
  ['https://chai.example/o/{{constructor}}', {}, 'https://chai.example/o/'],
  ['https://chai.example/{{1}}', { 1: '/evil.example' }, 'https://chai.example//evil.example'],
  ['https://chai.example/o', { 1: 'x' }, 'https://chai.example/o'],
  // No template has these: a value that leads elsewhere is left out.
  ['https://chai.example{{1}}', { 1: '.evil.example' }, 'https://chai.example/'],
  ['https://chai.example{{1}}', { 1: '@evil.example' }, 'https://chai.example/'],
  ['{{1}}', { 1: 'https://evil.example' }, ''],
  ['javascript:alert(1)', {}, ''],
])('%s with %j leads to %s', (url, values, target) => {
  expect(linkTarget(url, values)).toBe(target)
})

test.each([
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0',
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 SamsungBrowser/30.0 Chrome/140.0 Mobile Safari/537.36',
])('%s is a person', (agent) => {
  expect(isVisit('GET', { 'user-agent': agent })).toBe(true)
  expect(isVisit('HEAD', { 'user-agent': agent })).toBe(false)
  expect(isVisit('GET', { 'user-agent': agent, 'sec-purpose': 'prefetch;prerender' })).toBe(false)
})

test.each([
  'WhatsApp/2.25.30.73 A',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'TelegramBot (like TwitterBot)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Twitterbot/1.0',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/150.0 Safari/537.36',
  'curl/8.5.0',
])('%s is none', (agent) => {
  expect(isVisit('GET', { 'user-agent': agent })).toBe(false)
})

test('what does not say what it is, is no person', () => {
  expect(isVisit('GET', {})).toBe(false)
})
