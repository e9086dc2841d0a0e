import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSendMail, type SendMail } from '../modules/mails/send-mail.ts'
import { startMailServer, type Trouble } from './mail-server.ts'

let server: Awaited<ReturnType<typeof startMailServer>>
let send: SendMail
beforeAll(async () => {
  server = await startMailServer()
  send = createSendMail({ url: server.url, from: 'no-reply@parley.example' })
})
afterAll(() => server.stop())

const mail = { id: 'a'.repeat(24), to: 'ann@example.com', subject: 'Hello', text: 'Text', html: '<p>Text</p>' }

test('a mail has its id in brackets, one recipient, text and HTML', async () => {
  expect(await send(mail)).toEqual({ kind: 'sent' })
  const [sent = ''] = server.mails.splice(0)
  expect(sent).toContain(`Message-ID: <${mail.id}@parley.example>`)
  expect(sent).toContain('To: ann@example.com')
  expect(sent).toContain('text/plain')
  expect(sent).toContain('text/html')
})

test.each<[string, Trouble, string]>([
  ['a full mailbox is tried again', { at: 'rcpt', answer: '452 full' }, 'later'],
  ['an unknown recipient is not', { at: 'rcpt', answer: '550 no such user' }, 'refused'],
  ['a refused sender is not', { at: 'mail', answer: '550 not you' }, 'refused'],
  ['a mail that is refused for now is tried again', { at: 'end', answer: '451 later' }, 'later'],
  ['a mail that is refused for good is not', { at: 'end', answer: '554 spam' }, 'refused'],
  ['a connection lost before the mail was handed over is tried again', { at: 'data', hangsUp: true }, 'later'],
  ['one lost after it may have arrived', { at: 'end', hangsUp: true }, 'unknown'],
])('%s', async (_what, trouble, kind) => {
  server.trouble(trouble)
  expect(await send(mail)).toMatchObject({ kind })
  expect(server.mails).toEqual([])
})

test('a server that is not there is tried again', async () => {
  const away = createSendMail({ url: 'smtp://127.0.0.1:9', from: 'no-reply@parley.example' })
  expect(await away(mail)).toMatchObject({ kind: 'later' })
})
