import { expect, test } from 'vitest'
import { configSchema } from './config.ts'
import { mailBody } from './mail.ts'
import { mayRedirect, realmConfigs } from './realm-config.ts'

const [realm] = realmConfigs(
  configSchema.parse({
    NODE_ENV: 'test',
    PORT: '1',
    ISSUER_ORIGIN: 'http://127.0.0.1:1',
    DATA_DIR: '/nowhere',
    SMTP_URL: 'smtp://127.0.0.1:2',
    PUBLIC_ORIGIN: 'http://localhost:3000',
    BFF_WEB_SECRET: 'x'.repeat(16),
    BFF_PASSWORD_SECRET: 'x'.repeat(16),
    SVC_IDENTITY_SECRET: 'x'.repeat(16),
    BACKCHANNEL_URL: 'http://127.0.0.1:3/auth/backchannel-logout',
  }),
)

test('both forms of a mail carry the link, its life and what to do if it was not you', () => {
  const link = 'http://127.0.0.1:1/action-token?key=abc'
  const mail = mailBody({ to: 'ann@example.com', action: 'UPDATE_PASSWORD', link, lifespanSeconds: 900 })
  for (const form of [mail.text, mail.html]) {
    expect(form).toContain(link)
    expect(form).toContain('15 minutes')
    expect(form).toContain('If you did not ask for this')
  }
})

test('the life of a link is told in its largest whole unit', () => {
  const life = (lifespanSeconds: number) =>
    mailBody({ to: 'ann@example.com', action: 'VERIFY_EMAIL', link: 'x', lifespanSeconds }).text
  expect(life(3600)).toContain('within 1 hour.')
  expect(life(7200)).toContain('within 2 hours.')
  expect(life(60)).toContain('within 1 minute.')
  expect(life(30)).toContain('within 30 seconds.')
})

test('redirects are compared as whole strings', () => {
  const links = realm.clients.find(({ clientId }) => clientId === 'app-links')
  expect(mayRedirect(links, 'http://localhost:3000/login')).toBe(true)
  for (const uri of [
    'http://localhost:3000/login/',
    'http://localhost:3000/LOGIN',
    'http://localhost:3000/login?x=1',
    'http://localhost:3000/login#x',
    '//localhost:3000/login',
    'http://localhost:3000@evil.example/login',
    'http://localhost:3001/login',
    '',
  ])
    expect(mayRedirect(links, uri)).toBe(false)
  expect(mayRedirect(undefined, 'http://localhost:3000/login')).toBe(false)
})
