import { expect, test } from 'vitest'
import { mailText, plainName } from './mail-texts.ts'

const token = 'A'.repeat(43)
const invitation = (values: { workspace?: string; inviter?: string } = {}) =>
  mailText(
    {
      template: 'invitation',
      values: {
        workspace: 'Corner Shop',
        inviter: 'Ann Lee',
        role: 'agent',
        token,
        until: '5 December 2026',
        ...values,
      },
    },
    'https://app.example.com',
  )

test('an invitation says who invites where and as what, and has one link with the token as its fragment', () => {
  const { subject, text, html } = invitation()
  expect(subject).toBe('Ann Lee invites you to Corner Shop on Parley')
  expect(text).toContain('to work in Corner Shop on Parley as an agent.')
  for (const body of [text, html])
    expect(body.match(/https?:[^\s"<]+/g)).toEqual([`https://app.example.com/signup#invitation=${token}`])
})

test.each([
  ['a link', 'Win at https://evil.example/x', 'Win at https evil. example x'],
  ['a bare domain', 'evil.example', 'evil. example'],
  ['an address', 'boss@evil.example', 'boss evil. example'],
  ['a line break', 'Ann\r\nBcc: all', 'Ann Bcc all'],
  ['a mark that turns the text', '\u202eAnn', 'Ann'],
  ['nothing', ' \u0000 ', 'A colleague'],
])('a name with %s is plain in a mail', (_what, name, plain) => {
  expect(plainName(name)).toBe(plain)
})

test('what a person typed is text in the HTML, and short', () => {
  const { html, subject } = invitation({ workspace: `<img src=x onerror=alert(1)> & "Sons" ${'x'.repeat(200)}` })
  expect(html).not.toContain('<img')
  expect(html).toContain('&amp; &quot;Sons&quot;')
  expect(subject.length).toBeLessThan(150)
})
